/** `npm start`, tried as a new user tries it. */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createManager, createWebServices } from '@watchword/client';
import { nodeTransport } from '@watchword/client/node';
import { readQrText } from '@watchword/core/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DemoToken, describeText, type QuickStart } from '../src/index.ts';
import { curlLines, oathtool, paste, qrCode } from './output.ts';
import { start } from './program.ts';

const lastLine = 'Ctrl-C ends it.';

let folder: string;
/** Made by the first start, and copied by what damages it. */
let data: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchword-quickstart-'));
  data = join(folder, 'data');
});
afterAll(() => rm(folder, { recursive: true }));

const readFacts = async (place = data): Promise<QuickStart> =>
  JSON.parse(await readFile(join(place, 'quickstart.json'), 'utf8'));

async function managerOf({ ca, manager_url: url, admin: { username, password = '' } }: QuickStart) {
  const { fetch, close } = nodeTransport({ ca: await readFile(ca, 'utf8') });
  return { manager: createManager({ url, username, password, fetch }), close };
}

const alice = 'uid=alice,ou=people,dc=example,dc=org';
const granted = {
  code: 1,
  error: '',
  message: 'Authentication success',
  username: 'alice',
  domain: 'Default',
  data: '',
  concat: 0,
};
const tokenOf = (secret: string): DemoToken => ({
  ...{ type: 'TOTP', secret, algorithm: 'SHA1', digits: 6, period: 30 },
});

describe('the first start', () => {
  it('prints what runs, curl lines that work when they are pasted, and the QR code of a token', async () => {
    const program = start({ data, script: 'scripts/start.mjs' });
    await program.prints(lastLine);
    expect(program.errors()).toContain('First start');
    // The token that it has made is in the event log, and no line of the log stands above the QR code.
    expect(program.errors()).not.toContain('INFO');
    const [manager = '', rest = '', soap = '', ...more] = curlLines(program.output());
    expect(more).toEqual([]);
    expect(JSON.parse(await paste(manager))).toMatchObject({ id: 1, result: alice });
    expect(JSON.parse(await paste(rest))).toEqual(granted);
    expect(await paste(soap)).toContain('<code>1</code>');
    expect(JSON.parse(await paste(rest))).toMatchObject({ code: 0, error: 'AuthFailed' });
    const { token } = (await readFacts()).users[0] ?? {};
    const fields = { algorithm: 'SHA1', digits: '6', period: '30', userid: 'alice', domain: 'Default' };
    const uri = new URL(await readQrText(qrCode(program.output()), 'dark'));
    expect(uri.href).toMatch(/^otpauth:\/\/totp\/Watchword%20alice\?/);
    expect(Object.fromEntries(uri.searchParams)).toMatchObject({ ...fields, secret: token?.secret });
    expect(await program.interrupt()).toBe(0);
  }); // the one test that builds, where something has changed

  it('prints the same as JSON, with a token that logs in over REST and SOAP', async () => {
    const program = start({ data: join(folder, 'json'), args: ['--json'] });
    await program.prints('}\n');
    const { uri, code, soap, ...facts } = JSON.parse(program.output()) as QuickStart & Record<string, string>;
    const [{ username, password: ldapPassword, token }] = facts.users as [QuickStart['users'][number]];
    if (!token) throw new Error('no token');
    expect({ ...token, secret: '' }).toEqual(tokenOf(''));
    expect(uri).toContain(`secret=${token.secret}&`);
    expect((await paste(code)).trim()).toMatch(/^\d{6}$/);
    const { fetch, close } = nodeTransport({ ca: await readFile(facts.ca, 'utf8') });
    const web = createWebServices({ url: facts.ws_url, fetch });
    const otpPassword = await oathtool(token, '30 seconds ago');
    const answer = await web.otp.normalLogin({ username, ldapPassword, otpPassword });
    expect(answer).toEqual({ ...granted, outcome: 'granted' });
    const later = (soap ?? '').replace(/(?<=<otpPassword>)\d+/, await oathtool(token, 'now'));
    expect(await paste(later)).toContain('<code>1</code>');
    await close();
    expect(await program.interrupt()).toBe(0);
  });

  it('has the QR code in colours of its own for a terminal', async () => {
    const facts = await readFacts();
    const uri = 'otpauth://totp/alice?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
    const text = describeText(
      {
        facts,
        certificate: undefined,
        portalAuth: 'UID',
        data,
        uri,
        messages: undefined,
        ldap: ['ldaps://localhost:6360/'],
        now: 0,
      },
      { colours: true },
    );
    expect(await readQrText(qrCode(text), 'light')).toBe(uri);
    expect(text).toContain('  LDAP           ldaps://localhost:6360/   logins by a bind\n');
  });

  it('keeps everything for its owner only', async () => {
    expect((await stat(data)).mode & 0o777).toBe(0o700);
    const names = await readdir(data);
    expect(names).toEqual(
      expect.arrayContaining(['ca.pem', 'data.mdb', 'keys', 'quickstart.json', 'tls-key.pem']),
    );
    for (const name of names) expect([name, (await stat(join(data, name))).mode & 0o077]).toEqual([name, 0]);
  });

  it('listens on loopback only, and serves both servers', async () => {
    const program = start({ data });
    await program.prints(lastLine);
    const { manager_url, ws_url, ca } = await readFacts();
    const { fetch, close } = nodeTransport({ ca: await readFile(ca, 'utf8') });
    for (const address of [new URL('/readyz', manager_url), new URL('/healthz', ws_url)]) {
      expect(await listeningAddresses(Number(address.port))).toEqual(['127.0.0.1']);
      expect((await fetch(String(address), { method: 'GET' } as never)).status).toBe(200);
    }
    await close();
    expect(await program.interrupt()).toBe(0);
  });
});

describe('a later start', () => {
  it('has the same administrator, who makes a user whose password is right', async () => {
    const before = await readFacts();
    const program = start({ data, args: ['--json'] });
    await program.prints('}\n');
    const facts = JSON.parse(program.output()) as QuickStart;
    expect(facts.admin).toEqual(before.admin);
    expect(facts.users).toEqual(before.users);
    expect(facts).not.toHaveProperty('uri');
    const { manager, close } = await managerOf(facts);
    const dn = 'uid=dora,ou=people,dc=example,dc=org';
    const attrs = { objectclass: ['inetOrgPerson'], cn: 'Dora', sn: 'Dora', userpassword: 'dora-Pa55word' };
    expect(await manager.Create_LDAP_Object({ dn, attrs })).toBe(1);
    expect(await manager.Check_User_Password({ dn, password: 'dora-Pa55word' })).toBe(true);
    expect(await manager.Check_User_Password({ dn, password: 'dora-Pa55' })).toBe(false);
    await close();
    expect(await program.interrupt()).toBe(0);
  });

  it('does not show the QR code again, and its curl lines have codes to come', async () => {
    const program = start({ data });
    await program.prints(lastLine);
    expect(qrCode(program.output())).toBe('');
    expect(curlLines(program.output())).toHaveLength(3);
    expect(await program.interrupt()).toBe(0);
  });

  it('shows no password that was changed since, and says whose they are', async () => {
    const changed = join(folder, 'changed');
    await cp(data, changed, { recursive: true });
    const before = await readFacts();
    const first = start({ data: changed });
    await first.prints(lastLine);
    expect(first.output()).toContain(`password ${before.admin.password}\n`);
    const { manager, close } = await managerOf(await readFacts(changed));
    for (const dn of [before.users[0]?.dn ?? '', before.admin.dn])
      expect(await manager.Set_User_Password({ dn, password: 'another-Pa55word' })).toBe(1);
    await close();
    expect(await first.interrupt()).toBe(0);
    for (const args of [[], ['--json']]) {
      const program = start({ data: changed, args });
      await program.prints(args.length > 0 ? '}\n' : lastLine);
      const file = await readFile(join(changed, 'quickstart.json'), 'utf8');
      for (const text of [program.output(), file])
        for (const { password = '' } of [before.admin, ...before.users.slice(0, 1)])
          expect(text).not.toContain(password);
      expect((await readFacts(changed)).users.slice(1)).toEqual(before.users.slice(1));
      if (args.length === 0) {
        expect(program.output()).toContain('admin   password changed since the first start');
        expect(program.output()).toContain('To log in, alice needs the new password.');
      }
      expect(await program.interrupt()).toBe(0);
    }
  });

  it('leaves the users of an earlier version without a token, and says so', async () => {
    const early = join(folder, 'early');
    await cp(data, early, { recursive: true });
    const before = await readFacts();
    const users = before.users.map(({ token: _, ...user }) => user);
    await writeFile(join(early, 'quickstart.json'), JSON.stringify({ ...before, users }));
    const program = start({ data: early });
    await program.prints(lastLine);
    expect(program.output()).toContain('No demo user has a token');
    expect(qrCode(program.output())).toBe('');
    const [manager = '', ...more] = curlLines(program.output());
    expect(more).toEqual([]);
    expect(JSON.parse(await paste(manager))).toMatchObject({ result: alice });
    expect((await readFacts(early)).users).toEqual(users);
    expect(await program.interrupt()).toBe(0);
  });

  it('gives new passwords and a new token where quickstart.json is gone, and keeps the users', async () => {
    const before = await readFacts();
    await rm(join(data, 'quickstart.json'));
    const program = start({ data });
    await program.prints(lastLine);
    const after = await readFacts();
    expect(after.admin.dn).toBe(before.admin.dn);
    expect(after.admin.password).not.toBe(before.admin.password);
    expect(after.users[0]?.token?.secret).not.toBe(before.users[0]?.token?.secret);
    const [, rest = ''] = curlLines(program.output());
    expect(JSON.parse(await paste(rest))).toEqual(granted);
    expect(await program.interrupt()).toBe(0);
  });
});

describe('npm start', () => {
  it('ends with npm, and frees the ports', async () => {
    const program = start({ data, script: ['npm', 'start'] });
    await program.prints(lastLine);
    const { manager_url, ws_url } = await readFacts();
    const ports = [manager_url, ws_url].map((url) => Number(new URL(url).port));
    for (const port of ports) expect(await listeningAddresses(port)).toEqual(['127.0.0.1']);
    await program.terminate();
    for (const port of ports) expect(await listeningAddresses(port)).toEqual([]);
  });
});

describe('a start that cannot be', () => {
  const refusal = async (folderOfIt: string, environment: Record<string, string> = {}) => {
    const program = start({ data: folderOfIt, environment });
    expect(await program.ends()).toBe(1);
    expect(program.output()).toBe('');
    const said = program
      .errors()
      .trim()
      .split('\n')
      .filter((line) => !line.endsWith('…'));
    expect(said).toHaveLength(1);
    return said[0];
  };

  it('names a port that is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const address = other.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    expect(await refusal(data, { WATCHWORD_MANAGER__PORT: String(port) })).toContain(
      `Port ${port} on 127.0.0.1 is taken`,
    );
    other.close();
  });

  it('names an authority that cannot sign, and warns of one that ends soon', async () => {
    const [certificate, key] = [join(folder, 'ca.crt'), join(folder, 'ca.key')];
    const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=Example', '-days', '9'];
    await promisify(execFile)('openssl', [...request, '-out', certificate, '-keyout', key]);
    const brought = { WATCHWORD_CA__CERTIFICATE: certificate, WATCHWORD_CA__KEY: key };
    const program = start({ data: join(folder, 'ending'), environment: brought });
    await program.prints(lastLine);
    expect(program.errors()).toMatch(/^Warning: ca\.certificate is good until .+; name another in time$/m);
    await program.interrupt();
    expect(await refusal(data, { ...brought, WATCHWORD_CA__KEY: certificate })).toContain(
      'The key of the certificate authority cannot be read; give one in PEM',
    );
  });

  it('names a data folder that cannot be used', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    expect(await refusal(file)).toContain(
      '(a part of its path is no folder); choose another with WATCHWORD_DATA',
    );
    expect(await refusal('/proc/nowhere')).toContain('WATCHWORD_DATA');
  });

  it.each([
    ['data.mdb', 'damaged'],
    ['keys', 'is damaged'],
    ['tls-key.pem', 'is damaged'],
    ['quickstart.json', 'is damaged'],
    ['watchword.yaml', 'watchword.yaml, line 1'],
  ])('names a damaged %s', async (name, sentence) => {
    const copy = join(folder, `damaged-${name}`);
    await cp(data, copy, { recursive: true });
    await writeFile(join(copy, name), 'x: [');
    expect(await refusal(copy)).toContain(sentence);
  });

  it('names a database that was cut short, and keys that are gone', async () => {
    const short = join(folder, 'short');
    await cp(data, short, { recursive: true });
    await truncate(join(short, 'data.mdb'), 40_000);
    expect(await refusal(short)).toContain('damaged');
    const keyless = join(folder, 'keyless');
    await cp(data, keyless, { recursive: true });
    await rm(join(keyless, 'keys'));
    expect(await refusal(keyless)).toContain('keys');
  });

  it('names a database that is gone, whose passwords would be shown', async () => {
    const lost = join(folder, 'lost');
    await cp(data, lost, { recursive: true });
    await rm(join(lost, 'data.mdb'));
    expect(await refusal(lost)).toContain('is empty');
    expect(await refusal(lost)).toContain('is empty');
    await rm(join(lost, 'quickstart.json'));
    const program = start({ data: lost });
    await program.prints(lastLine);
    expect(await program.interrupt()).toBe(0);
  });

  it('names a token in quickstart.json that is none', async () => {
    const copy = join(folder, 'tokenless');
    await cp(data, copy, { recursive: true });
    const facts = await readFacts();
    for (const token of [
      {},
      tokenOf('1'),
      { ...tokenOf('MY'), period: 0 },
      { ...tokenOf('MY'), type: 'HOTP' },
    ]) {
      const users = facts.users.map((user) => ({ ...user, token }));
      await writeFile(join(copy, 'quickstart.json'), JSON.stringify({ ...facts, users }));
      expect(await refusal(copy)).toContain('is damaged');
    }
  });

  it('names an option that there is not', async () => {
    const program = start({ data, args: ['--jsn'] });
    expect([await program.ends(), program.output()]).toEqual([1, '']);
    expect(program.errors()).toBe(
      'watchword: npm start knows no --jsn; its one option is --json, as in npm start -- --json.\n',
    );
  });
});

/** The IPv4 addresses that anybody listens on at a port, from the kernel's table of sockets. */
async function listeningAddresses(port: number): Promise<string[]> {
  const listening = '0A';
  const lines = (await readFile('/proc/net/tcp', 'utf8')).trim().split('\n').slice(1);
  return lines.flatMap((line) => {
    const [, local = '', , state] = line.trim().split(/\s+/);
    const [address = '', hexPort = ''] = local.split(':');
    if (state !== listening || Number.parseInt(hexPort, 16) !== port) return [];
    return [[...Buffer.from(address, 'hex')].reverse().join('.')];
  });
}
