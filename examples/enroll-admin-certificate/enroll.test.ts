/** Both enrolments as an operator does them: commands, `npm start` before and after, curl and the typed client. */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createManager, createWebServices } from '@watchword/client';
import { nodeTransport } from '@watchword/client/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { curlLines, paste } from '../../packages/quickstart/test/output.ts';
import { type Program, start } from '../../packages/quickstart/test/program.ts';
import { enroll } from '../enroll-user-certificate/enrolment.ts';

interface Facts {
  readonly manager_url: string;
  readonly ws_url: string;
  readonly ca: string;
  readonly admin: { readonly dn: string; readonly username: string; readonly password: string };
}

const run = promisify(execFile);
const root = new URL('../../', import.meta.url).pathname;

let folder: string;
let data: string;
let program: Program;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchword-enrolment-'));
  data = join(folder, 'my data'); // a shell would take it for two
  program = await started({});
});
afterAll(async () => {
  await program.interrupt();
  await rm(folder, { recursive: true });
});

async function started(environment: Record<string, string>): Promise<Program> {
  const next = start({ data, environment });
  await next.prints('Ctrl-C ends it.');
  return next;
}

/** What a command prints; of one that fails, what it says to standard error. */
async function command(example: string, ...args: readonly string[]): Promise<string> {
  const line = ['scripts/example.mjs', `${example}/enroll.ts`, join(data, 'quickstart.json'), ...args];
  const printed = run(process.execPath, line, { cwd: root });
  return printed.then(
    ({ stdout }) => stdout,
    (error: { stderr: string }) => error.stderr,
  );
}

const readFacts = async (): Promise<Facts> =>
  JSON.parse(await readFile(join(data, 'quickstart.json'), 'utf8'));
const read = (name: string): Promise<string> => readFile(join(data, name), 'utf8');

const alice = 'uid=alice,ou=people,dc=example,dc=org';

describe('the certificate of a user', () => {
  it('is signed, set on the user, and known to the web service: by curl, and by the typed client', async () => {
    const printed = await command('enroll-user-certificate', 'alice');
    expect(JSON.parse(await paste(curlLines(printed)[0]))).toMatchObject({
      code: 1,
      username: 'alice',
      domain: 'Default',
    });
    const { ca, ws_url } = await readFacts();
    const { fetch, close } = nodeTransport({ ca: await readFile(ca, 'utf8') });
    const web = createWebServices({ url: ws_url, fetch });
    const certificate = await read('alice-certificate.pem');
    expect(await web.otp.pkiLogin({ certificate })).toMatchObject({ code: 1, username: 'alice' });
    await close();
    expect((await stat(join(data, 'alice-key.pem'))).mode & 0o077).toBe(0);
    await run('openssl', [
      'verify',
      '-x509_strict',
      '-purpose',
      'sslclient',
      '-CAfile',
      ca,
      join(data, 'alice-certificate.pem'),
    ]);
  });

  it('is not made twice over the same key', async () => {
    expect(await command('enroll-user-certificate', 'alice')).toMatch(/alice-key\.pem is there already/);
    expect(await command('enroll-user-certificate', 'nobody')).toMatch(
      /^The Manager refused: .*User not found Default\\nobody/,
    );
  });
});

describe('a user of any name', () => {
  const names = ['münch', 'x y;echo PWNED', "o'brien", '../up', 'a/b+c=d', 'u'.repeat(80)];

  it.each(names)(
    '%s has a certificate, in the data folder, and a line that is safe to paste',
    async (username) => {
      const { admin, ca, manager_url: url } = await readFacts();
      const { fetch, close } = nodeTransport({ ca: await readFile(ca, 'utf8') });
      const manager = createManager({ url, ...admin, fetch });
      const attrs = { objectclass: ['inetOrgPerson', 'webadmaccount'], uid: [username], sn: ['x'] };
      const dn = `cn=user ${names.indexOf(username)},ou=people,dc=example,dc=org`;
      await manager.Create_LDAP_Object({ dn, attrs }).finally(close);
      const before = await readdir(folder);
      const printed = await command('enroll-user-certificate', username);
      const answer = await paste(curlLines(printed)[0]);
      expect(JSON.parse(answer)).toMatchObject({ code: 1, username });
      expect(await readdir(folder)).toEqual(before);
    },
  );

  it('leaves no key behind where none is signed', async () => {
    const { admin, ca, manager_url: url } = await readFacts();
    const { fetch, close } = nodeTransport({ ca: await readFile(ca, 'utf8') });
    const manager = createManager({ url, ...admin, fetch });
    const subject = { CN: 'nobody', description: 'NOTHING' };
    const before = await readdir(data);
    const enrolled = enroll(manager, { dn: alice, subject }, { folder: data, name: 'nobody' });
    await expect(enrolled.finally(close)).rejects.toMatchObject({ reason: 'invalid_params' });
    expect(await readdir(data)).toEqual(before);
  });
});

describe('the certificate of an administrator', () => {
  it('is what npm start tells how to get, and the Manager in PKI mode demands', async () => {
    const line = /npm run -s enroll-admin-certificate -- .+/.exec(program.output())?.[0] ?? '';
    const { stdout } = await run('/bin/sh', ['-c', line], { cwd: root });
    expect(stdout).toContain('manager_auth: PKI');
    expect(program.output()).toContain(line);

    await program.interrupt();
    program = await started({ WATCHWORD_MANAGER_AUTH: 'PKI' });
    const [manager = ''] = curlLines(program.output());
    expect(manager).toContain('admin-certificate.pem');
    expect(JSON.parse(await paste(manager))).toMatchObject({ id: 1, result: alice });
    const without = manager.replace(/--cert '[^']+' --key '[^']+' /, '');
    expect(JSON.parse(await paste(without))).toMatchObject({ error: { reason: 'credentials_refused' } });
    const wrong = manager.replace(/-u \S+/, '-u admin:wrong');
    expect(JSON.parse(await paste(wrong))).toMatchObject({ error: { reason: 'credentials_refused' } });
  });

  it('is shown by the typed client, too', async () => {
    const { admin, ca, manager_url: url } = await readFacts();
    const call = async (name: string) => {
      const [cert, key] = [await read(`${name}-certificate.pem`), await read(`${name}-key.pem`)];
      const { fetch, close } = nodeTransport({ ca: await readFile(ca, 'utf8'), cert, key });
      const { username, password } = admin;
      return createManager({ url, username, password, fetch }).Who_Am_I().finally(close);
    };
    expect(await call('admin')).toMatchObject({ dn: admin.dn, login: 'PKI', super_admin: true });
    await expect(call('alice')).rejects.toMatchObject({ reason: 'credentials_refused' });
  });
});
