/** A real OpenSSH server asks the example, and the example asks Watchword: who comes in, and who comes in no more. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Fixture, openFixture } from '@watchword/core/testing/bed';
import { systemClock, systemRandom } from '@watchword/node';
import { type Listener, serve } from '@watchword/node/http';
import { type CertifiedKey, createAuthority, issueServerCertificate } from '@watchword/pki';
import { webServiceServer } from '@watchword/server-ws';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Sshd, startSshd } from './sshd.ts';

const run = promisify(execFile);
const program = fileURLToPath(new URL('authorized-keys.mjs', import.meta.url));
const secret = '0123456789abcdef0123456789abcdef01234567';

let folder: string;
let fixture: Fixture;
let listener: Listener | undefined;
let port = 0;
let tls: CertifiedKey;
let sshd: Sshd;
let recoveryKey: string;
let dn: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchword-ssh-'));
  const recovery = join(folder, 'recovery');
  await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'recovery', '-f', recovery]);
  recoveryKey = await readFile(recovery, 'utf8');
  const sha256 = createHash('sha256').update(secret).digest('hex');
  fixture = await openFixture({
    config: {
      api_keys: { '7': { sha256, services: ['sshkey'] } },
      // Whoever runs the test is the account, root for one.
      settings: { 'SshKey.ReservedNames': 'nobody' },
      ssh_recovery_keys: [(await readFile(`${recovery}.pub`, 'utf8')).trim()],
    },
  });
  const ports = { clock: systemClock, random: systemRandom };
  const authority = await createAuthority({ commonName: 'SSH tests', days: 2 }, ports);
  tls = await issueServerCertificate(authority, { names: ['localhost'], addresses: [], days: 1 }, ports);
  await writeFile(join(folder, 'ca.pem'), authority.certificate);
  await writeFile(join(folder, 'api-key'), `7_${secret}\n`);
  await listen();
  await configure({});
  const command = `/usr/bin/env ${process.execPath} ${program} ${join(folder, 'config.json')} %u`;
  sshd = await startSshd([
    ...[`AuthorizedKeysCommand ${command}`, `AuthorizedKeysCommandUser ${userInfo().username}`],
    'PermitUserEnvironment SSHKEY_*',
  ]);
  dn = `uid=${sshd.account},ou=people,${fixture.base}`;
});
afterAll(async () => {
  await sshd?.close();
  await listener?.close();
  await fixture?.close();
  await rm(folder, { recursive: true });
});

/** A user of the account that the test runs as, and the private key. */
let key: string;
beforeEach(async () => {
  if (!listener) await listen();
  await configure({});
  await fixture.call('Remove_LDAP_Object', { dn });
  await fixture.call('Create_LDAP_Object', {
    dn,
    attrs: { objectclass: ['inetOrgPerson', 'webadmAccount'], cn: 'Somebody', sn: 'Somebody' },
  });
  const { result } = await fixture.call('SshKey.Key_Register', { dn, type: 'ED25519' });
  key = String(result);
});

async function listen(): Promise<void> {
  listener = await serve(webServiceServer(fixture.service), { host: 'localhost', port, tls });
  port = Number(new URL(listener.url).port);
}

/** Nobody answers any more. */
async function halt(): Promise<void> {
  await listener?.close();
  listener = undefined;
}

const configure = (more: object): Promise<void> =>
  writeFile(
    join(folder, 'config.json'),
    JSON.stringify({
      url: `https://localhost:${port}/`,
      ...{ ca: join(folder, 'ca.pem'), api_key_file: join(folder, 'api-key'), folder },
      ...more,
    }),
  );

const comesIn = async (privateKey: string): Promise<boolean> =>
  (await sshd.ssh(privateKey, 'echo in')) === 'in\n';

it('a key that was registered logs in, and the session knows whose it is', async () => {
  expect(await sshd.ssh(key, 'echo $SSHKEY_USERNAME at $SSHKEY_DOMAIN')).toBe(`${sshd.account} at Default\n`);
});

it('a key that nobody has registered does not', async () => {
  const other = join(folder, 'other');
  await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', other]);
  expect(await comesIn(await readFile(other, 'utf8'))).toBe(false);
});

it('a key that is restricted to one session does not, after one', async () => {
  await fixture.call('SshKey.Key_Restrict', { dn, maxuse: 1 });
  expect(await comesIn(key)).toBe(true);
  expect(await fixture.service.web.sshkey.sessionStart({ username: sshd.account })).toMatchObject({
    code: 1,
  });
  expect(await comesIn(key)).toBe(false);
});

it('a key that is restricted to a day does not, after its end', async () => {
  await fixture.call('SshKey.Key_Restrict', { dn, expires: 1 });
  expect(await comesIn(key)).toBe(true);
  fixture.clock.advance(86_400_000);
  expect(await comesIn(key)).toBe(false);
});

it('a user who is deactivated does not, and recovery does', async () => {
  await fixture.call('Deactivate_LDAP_Object', { dn });
  expect(await comesIn(key)).toBe(false);
  expect(await comesIn(recoveryKey)).toBe(true);
});

it('while nobody answers, the last answer counts: for as long as is configured, of the user and of recovery apart', async () => {
  expect(await comesIn(key)).toBe(true);
  await halt();
  expect(await comesIn(key)).toBe(true);
  expect(await comesIn(recoveryKey)).toBe(true);
  await configure({ keep_users_seconds: 0 });
  expect(await comesIn(key)).toBe(false);
  expect(await comesIn(recoveryKey)).toBe(true);
  await configure({ keep_recovery_seconds: 0 });
  expect(await comesIn(recoveryKey)).toBe(false);
});

it('what was revoked before is not brought back by nobody answering', async () => {
  expect(await comesIn(key)).toBe(true);
  await fixture.call('SshKey.Key_Unregister', { dn });
  expect(await comesIn(key)).toBe(false);
  await halt();
  expect(await comesIn(key)).toBe(false);
  expect(await comesIn(recoveryKey)).toBe(true);
});

it('an answer that somebody has changed counts for nothing', async () => {
  expect(await comesIn(key)).toBe(true);
  await halt();
  const other = join(folder, 'forged');
  await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', other]);
  const line = (await readFile(`${other}.pub`, 'utf8')).trim();
  for (const name of (await readdir(folder)).filter((one) => one.endsWith('.keys'))) {
    const [signed, text = ''] = (await readFile(join(folder, name), 'utf8')).split('\n');
    const forged = JSON.stringify({ ...JSON.parse(text), lines: line });
    await writeFile(join(folder, name), `${signed}\n${forged}`);
  }
  expect(await comesIn(await readFile(other, 'utf8'))).toBe(false);
  expect(await comesIn(key)).toBe(false);
});

it('a system whose API key is refused has the recovery keys of before, and no user’s', async () => {
  expect(await comesIn(key)).toBe(true);
  const wrong = await fixture.another({ config: { api_keys: {} } });
  await halt();
  listener = await serve(webServiceServer(wrong.service), { host: 'localhost', port, tls });
  expect(await comesIn(key)).toBe(false);
  expect(await comesIn(recoveryKey)).toBe(true);
  await halt();
  await wrong.close();
});
