import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createManager, createWebServices } from '@watchword/client';
import { nodeTransport } from '@watchword/client/node';
import { readQrText } from '@watchword/core/testing/bed';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeText, type QuickStart } from '../src/index.ts';
import { lastLine, readFacts, tokenOf } from './facts.ts';
import { curlLines, oathtool, paste, qrCode } from './output.ts';
import { start } from './program.ts';

let folder: string;
/** Made by the first start. */
let data: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchword-quickstart-'));
  data = join(folder, 'data');
});
afterAll(() => rm(folder, { recursive: true }));

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
    const { token } = (await readFacts(data)).users[0] ?? {};
    const fields = { algorithm: 'SHA1', digits: '6', period: '30', userid: 'alice', domain: 'Default' };
    const uri = new URL(await readQrText(qrCode(program.output()), 'dark'));
    expect(uri.href).toMatch(/^otpauth:\/\/totp\/Watchword:alice\?/);
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
    const facts = await readFacts(data);
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
    const { manager_url, ws_url, ca } = await readFacts(data);
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
    const before = await readFacts(data);
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
    expect(program.errors()).not.toContain('put back');
    expect(qrCode(program.output())).toBe('');
    expect(curlLines(program.output())).toHaveLength(3);
    expect(await program.interrupt()).toBe(0);
  });

  it('shows no password that was changed since, and says whose they are', async () => {
    const changed = join(folder, 'changed');
    await cp(data, changed, { recursive: true });
    const before = await readFacts(data);
    const first = start({ data: changed });
    await first.prints(lastLine);
    expect(first.output()).toContain(`password ${before.admin.password}\n`);
    expect(first.errors()).toContain('Warning: The data folder');
    expect(first.errors()).toContain('was put back from a copy, or moved');
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
    const before = await readFacts(data);
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
    const before = await readFacts(data);
    await rm(join(data, 'quickstart.json'));
    const program = start({ data });
    await program.prints(lastLine);
    const after = await readFacts(data);
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
    const { manager_url, ws_url } = await readFacts(data);
    const ports = [manager_url, ws_url].map((url) => Number(new URL(url).port));
    for (const port of ports) expect(await listeningAddresses(port)).toEqual(['127.0.0.1']);
    await program.terminate();
    for (const port of ports) expect(await listeningAddresses(port)).toEqual([]);
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
