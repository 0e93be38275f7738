/** A program asks PAM, PAM asks FreeRADIUS, and FreeRADIUS asks Watchword: whom a Linux system lets in. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Fixture, openFixture } from '@watchword/core/testing/bed';
import { systemClock, systemRandom } from '@watchword/node';
import { type Listener, serve } from '@watchword/node/http';
import { createAuthority, issueServerCertificate } from '@watchword/pki';
import { webServiceServer } from '@watchword/server-ws';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Radius, startRadius } from '../freeradius/radiusd.ts';

const secret = '0123456789abcdef0123456789abcdef01234567';

let folder: string;
let fixture: Fixture;
let services: Listener;
let radius: Radius;
beforeAll(async () => {
  const sha256 = createHash('sha256').update(secret).digest('hex');
  fixture = await openFixture({ config: { api_keys: { '7': { sha256, services: ['otp'] } } } });
  await fixture.call('Activate_LDAP_Object', { dn: fixture.users.alice.dn });
  const ports = { clock: systemClock, random: systemRandom };
  const authority = await createAuthority({ commonName: 'PAM tests', days: 2 }, ports);
  const names = { names: ['localhost'], addresses: [], days: 1 };
  const tls = await issueServerCertificate(authority, names, ports);
  services = await serve(webServiceServer(fixture.service), { host: 'localhost', port: 0, tls });
  const asking = { url: services.url, ca: authority.certificate, apiKey: `7_${secret}`, tls };
  radius = await startRadius({ ...asking, isSigned: false });
  folder = await mkdtemp(join(tmpdir(), 'watchword-pam-'));
  await mkdir(join(folder, 'services'));
  const own = (name: string) => readFile(new URL(name, import.meta.url), 'utf8');
  const conf = join(folder, 'pam_radius_auth.conf');
  await writeFile(
    conf,
    (await own('pam_radius_auth.conf'))
      .replace('127.0.0.1:1812', `127.0.0.1:${radius.port}`)
      .replace('the-secret-of-this-host', radius.secret),
    { mode: 0o600 },
  );
  const service = (await own('watchword')).replace('/etc/pam_radius_auth.conf', conf);
  await writeFile(join(folder, 'services', 'watchword'), service);
});
afterAll(async () => {
  await radius?.stop();
  await services?.close();
  await fixture?.close();
  await rm(folder, { recursive: true, force: true });
});

let code: string;
beforeEach(async () => {
  fixture.clock.advance(86_400_000);
  const { dn } = fixture.users.alice;
  const emergency = { dn, expires: 86_400, maxuse: 1 };
  code = String((await fixture.call('Otp.Emerg_Register', emergency)).result);
});

/** What the program is asked, and whether somebody is let in. */
async function authenticate(username: string, typed: readonly string[]) {
  const child = spawn('/usr/bin/pamtester', ['watchword', username, 'authenticate'], {
    env: {
      ...process.env,
      LD_PRELOAD: 'libpam_wrapper.so',
      PAM_WRAPPER: '1',
      PAM_WRAPPER_SERVICE_DIR: join(folder, 'services'),
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let said = '';
  for (const output of [child.stdout, child.stderr])
    output.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  child.stdin.on('error', () => {});
  child.stdin.end(typed.map((line) => `${line}\n`).join(''));
  const [exit] = await once(child, 'close');
  return { said, isIn: exit === 0 };
}

it('a password with the code behind it opens, once', async () => {
  const typed = [fixture.users.alice.password + code];
  expect(await authenticate('alice', typed)).toMatchObject({ isIn: true });
  expect(await authenticate('alice', typed)).toMatchObject({ isIn: false });
});

it('a password alone is answered with the question for the code', async () => {
  const { said, isIn } = await authenticate('alice', [fixture.users.alice.password, code]);
  expect(said).toContain('Enter your EMERGENCY password');
  expect(isIn).toBe(true);
});

it.each([
  ['a wrong password', ['wrong']],
  ['a wrong code', ['', '00000000']],
])('%s does not open', async (_, [password, ...codes]) => {
  const typed = [password === '' ? fixture.users.alice.password : (password ?? ''), ...codes];
  expect(await authenticate('alice', typed)).toMatchObject({ isIn: false });
});

it('nobody is let in who is not known', async () => {
  expect(await authenticate('nobody-here', [`x${code}`])).toMatchObject({ isIn: false });
});
