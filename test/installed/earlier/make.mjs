/**
 * Makes a data folder with the servers of a commit, as an installation has it: `node make.mjs CHECKOUT`, where the servers are built
 * (`tsup --no-dts` in packages/server-manager and packages/server-ws). Writes `folder.tar.gz` and `facts.json` beside this file.
 */
import { execFileSync, spawn } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const [checkout = ''] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'watchword-earlier-'));
const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const base = 'dc=example,dc=com';
const dnOf = (name) => `uid=${name},ou=people,${base}`;
const admin = { username: 'ada', password: 'the first Pa55word' };
/** Of the client kiosk, where a password is enough. */
const digits = '0123456789'.repeat(4);
const apiKey = `1_${digits}`;
const passwordOf = (name) => `${name}-Pa55word-of-mine`;
const secretOf = (name) => Buffer.from(name.padEnd(20, '.'));

const module = (server) => join(checkout, 'packages', server, 'dist/main.js');
const ports = { WATCHWORD_MANAGER__PORT: '0', WATCHWORD_WS__PORT: '0' };
const settings = { cwd: folder, env: { PATH: process.env.PATH, HOME: folder, ...ports } };
const command = (...args) =>
  execFileSync(process.execPath, [module('server-manager'), ...args], { ...settings, encoding: 'utf8' });

const started = [];
async function serve(server) {
  const child = spawn(process.execPath, [module(server), '--config', 'watchword.yaml'], settings);
  started.push(child);
  child.stderr.resume();
  for (let shown = ''; ; ) {
    const [, url] = /listens on (\S+)\n/.exec(shown) ?? [];
    if (url) return url;
    const [more] = await once(child.stdout, 'data');
    shown += more;
  }
}

async function post(url, body, { auth, ...more } = {}) {
  const ca = readFileSync(join(folder, 'data/ca.pem'));
  const sent = request(url, {
    ca,
    auth,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...more },
  });
  sent.end(JSON.stringify(body));
  const [answer] = await once(sent, 'response');
  return JSON.parse(await text(answer));
}

/** RFC 4226 §5.3. */
function codeAt(counter, key) {
  const message = Buffer.alloc(8);
  message.writeBigUInt64BE(BigInt(counter));
  const digest = createHmac('sha1', key).update(message).digest();
  const offset = digest[19] & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 10 ** 6).padStart(6, '0');
}

function certificateRequest() {
  const issue = 'req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout user.key -subj';
  const subject = '/CN=Default\\\\alice/UID=alice/DC=Default/description=USER';
  return execFileSync('openssl', [...issue.split(' '), subject], {
    ...settings,
    encoding: 'utf8',
    stdio: 'pipe',
  });
}

writeFileSync(join(folder, 'first-password'), `${admin.password}\n`, { mode: 0o600 });
const terms = ['--base', base, '--name', admin.username, '--password-file', 'first-password'];
command('init', '--config', 'watchword.yaml', ...terms);
rmSync(join(folder, 'first-password'));
appendFileSync(
  join(folder, 'watchword.yaml'),
  `# From here on by hand. Events are kept for good: the test reads them on any later day.
event_log_days: 0
limits: {login_failure_delay_ms: 100}
api_keys:
  "1": {sha256: ${createHash('sha256').update(digits).digest('hex')}, client: kiosk, clients: [127.0.0.1]}
settings: {Otp.MaxTries: 5, Otp.BlockTime: 0, Otp.OTPFallback: LIST}
clients:
  kiosk: {settings: {Otp.LoginMode: LDAP}}
  lobby: {mode: no_access}
`,
);

process.on('exit', () => {
  for (const child of started) child.kill('SIGKILL');
});

const managerUrl = new URL('manag/', await serve('server-manager'));
const webUrl = await serve('server-ws');
async function call(method, params) {
  const { result, error } = await post(
    managerUrl,
    { jsonrpc: '2.0', id: 1, method, params },
    { auth: `${admin.username}:${admin.password}` },
  );
  if (error) throw new Error(`${method}: ${JSON.stringify(error)}`);
  return result;
}
async function login(name, fields, wanted, headers) {
  const body = { username: name, ldapPassword: passwordOf(name), ...fields };
  const { code, error } = await post(new URL('otp/json/otpNormalLogin/', webUrl), body, headers);
  if (code !== wanted) throw new Error(`the login of ${name} is answered ${code}: ${error}`);
}

for (const name of ['alice', 'harry', 'lisa', 'emma', 'bob', 'lucas']) {
  const attrs = { objectclass: ['inetOrgPerson', 'webadmAccount'], cn: name, sn: 'Tester' };
  await call('Create_LDAP_Object', {
    dn: dnOf(name),
    attrs: { ...attrs, userpassword: passwordOf(name), mail: `${name}@example.com` },
  });
}
const staff = `cn=staff,${base}`;
await call('Create_LDAP_Object', {
  dn: staff,
  attrs: { objectclass: ['groupOfNames', 'webadmGroup'], cn: 'staff', member: dnOf('bob') },
});
await call('Set_User_Settings', { dn: staff, settings: { 'Otp.LoginMode': 'LDAP' } });
await call('Otp.TOTP_Register', { dn: dnOf('alice'), key: secretOf('alice').toString('base64') });
await call('Otp.HOTP_Register', { dn: dnOf('harry'), key: secretOf('harry').toString('base64'), counter: 0 });
await call('Otp.List_Register', { dn: dnOf('lisa'), size: 10 });
await call('Otp.Emerg_Register', { dn: dnOf('emma'), otp: 'help-me-now', expires: 86_400, maxuse: 2 });
const list = Object.values(await call('Otp.List_Fetch', { dn: dnOf('lisa') })).map(String);

const step = Math.floor(Date.now() / 30_000);
const totp = codeAt(step, secretOf('alice'));
await login('alice', { otpPassword: totp }, 1);
await login('alice', { otpPassword: totp }, 0);
await login('harry', { otpPassword: codeAt(0, secretOf('harry')) }, 1);
await login('harry', { otpPassword: codeAt(0, secretOf('harry')) }, 0);
await login('lisa', { otpPassword: list[0] }, 1);
await login('emma', { otpPassword: 'help-me-now' }, 1);
await login('bob', {}, 1);
const atKiosk = { 'x-api-key': apiKey };
await login('emma', {}, 1, atKiosk);
await login('emma', { client: 'lobby' }, 0);
for (let failure = 0; failure < 5; failure += 1) await login('lucas', { ldapPassword: 'wrong' }, 0, atKiosk);
await login('lucas', {}, 0, atKiosk);

const sign = () => call('Sign_certificate_Request', { request: certificateRequest(), expires: 3640 });
await sign();
await sign();
const [good, revoked] = (await call('List_Certificates', { dn: dnOf('alice') })).map(({ serial }) => serial);
await call('Revoke_Certificate', { serial: revoked });

for (const child of started) {
  child.kill('SIGTERM');
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`a server ended with ${code}`);
}
const moment = Date.now();
const exports = {
  'events.jsonl': ['audit', 'export'],
  'event-log.pem': ['audit', 'key'],
  'directory.ldif': ['export-ldif'],
};
for (const [name, words] of Object.entries(exports))
  writeFileSync(join(folder, name), command(...words, '--config', 'watchword.yaml'));
const secrets = { alice: secretOf('alice').toString('hex'), harry: secretOf('harry').toString('hex') };
const used = { step, totp, hotp: codeAt(0, secretOf('harry')), emergency: 'help-me-now' };
const facts = { moment, admin, apiKey, secrets, used, list, certificates: { good, revoked } };
writeFileSync(here('facts.json'), `${JSON.stringify(facts, null, 2)}\n`);
const packed = ['data', 'watchword.yaml', ...Object.keys(exports)];
execFileSync('tar', ['-C', folder, '--owner=0', '--group=0', '-czf', here('folder.tar.gz'), ...packed]);
rmSync(folder, { recursive: true });
