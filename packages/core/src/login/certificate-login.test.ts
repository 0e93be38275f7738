/** Login with a certificate: those that openssl makes, on entries of the embedded directory. */
import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openEnrolment } from '../testing/bed/enrolment.ts';
import { type Fixture, openFixture } from '../testing/bed/fixture.ts';

const refused = { code: 0, error: 'AuthFailed', message: 'Invalid username or password' };

let fixture: Fixture;
let folder: string;
beforeAll(async () => {
  fixture = await openFixture({ config: { limits: { login_failure_delay_ms: 0 } } });
  folder = mkdtempSync(join(tmpdir(), 'watchword-pki-login-'));
  await fixture.call('Activate_LDAP_Object', { dn: fixture.users.alice.dn });
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await fixture.close();
});

/** Valid for a number of days from the clock of this machine on, which is where the fixture's is set to. */
function certificate(subject: string, days = 2): string {
  const args = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const pem = execFileSync(
    'openssl',
    [...args, '-keyout', join(folder, 'key.pem'), '-subj', subject, '-days', String(days)],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  return pem.toString();
}

const alices = '/CN=Default\\\\alice/UID=alice/DC=Default/description=USER';
const setCertificate = async (pem: string) => {
  const attrs = { usercertificate: [pem.replace(/\s+/g, '')] };
  expect(
    await fixture.call('Set_User_Attrs', { dn: fixture.users.alice.dn, attrs, values: true }),
  ).toMatchObject({
    result: 1,
  });
};
const login = (pem: string, more = {}) => fixture.service.web.otp.pkiLogin({ certificate: pem, ...more });

it('is granted to whom the certificate names and whose entry has it', async () => {
  fixture.clock.advance(Date.now() + 240_000 - fixture.clock.now());
  const pem = certificate(alices);
  expect(await login(pem)).toEqual(refused);
  await setCertificate(pem);
  expect(await login(pem)).toEqual({
    ...{ code: 1, error: '', message: 'Authentication success' },
    ...{ username: 'alice', domain: 'Default', data: '' },
  });
  expect(fixture.events().at(-1)?.text).toContain('granted by certificate');
});

it('is refused where another key, another name or an administrator is certified', async () => {
  expect(await login(certificate(alices))).toEqual(refused);
  for (const subject of [
    '/CN=Default\\\\bob/UID=bob/DC=Default',
    '/CN=Default\\\\alice/UID=bob/DC=Default',
    `/CN=${fixture.users.alice.dn}/description=ADMIN`,
    '/O=nobody',
  ]) {
    const pem = certificate(subject);
    await setCertificate(pem);
    expect(await login(pem), subject).toEqual(refused);
  }
});

it('is refused where an issuer of the same name with another key has signed it', async () => {
  const enrolment = await openEnrolment(fixture);
  const own = await enrolment.sign(alices);
  await setCertificate(own.certificate);
  const forged = await enrolment.forge(own.certificate, alices);
  const [mine, theirs] = [own, forged].map(({ certificate: pem }) => new X509Certificate(pem));
  const words = (one?: X509Certificate) => [one?.issuer, one?.subject, one?.serialNumber];
  expect(words(theirs)).toEqual(words(mine));
  expect(await login(forged.certificate)).toEqual(refused);
  expect(fixture.events().at(-1)?.text).toContain('the certificate is not the user’s');
  expect(await login(own.certificate)).toMatchObject({ code: 1 });
  await enrolment.close();
});

it('is refused when its time is over, and where the login is switched off', async () => {
  const pem = certificate(alices, 3);
  await setCertificate(pem);
  const { dn } = fixture.users.alice;
  await fixture.call('Set_User_Settings', { dn, settings: { 'Otp.EnableLogin': 'No' } });
  expect(await login(pem)).toEqual(refused);
  await fixture.call('Set_User_Settings', { dn, settings: { 'Otp.EnableLogin': null } });
  expect(await login(pem)).toMatchObject({ code: 1 });
  fixture.clock.advance(4 * 86_400_000);
  expect(await login(pem)).toEqual(refused);
});

it('is refused at a client that is closed', async () => {
  fixture.clock.advance(Date.now() + 240_000 - fixture.clock.now());
  const node = await fixture.another({ config: { clients: { portal: { mode: 'no_access' } } } });
  const pem = certificate(alices);
  await setCertificate(pem);
  const at = (client: string) =>
    node.service.web.otp.pkiLogin({ certificate: pem, client, source: '198.51.100.1' });
  expect(await at('another')).toMatchObject({ code: 1 });
  expect(await at('portal')).toMatchObject({ code: 0, error: 'AuthFailed' });
  await node.close();
});

it('is a bad request without a certificate', async () => {
  const bad = { code: 0, error: 'BadRequest', message: 'Invalid authentication request' };
  expect(await login('')).toEqual(bad);
});

it.each(['not PEM', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----', 'AAAA'])(
  'is refused as any with %j, which is none, and the event log says why',
  async (text) => {
    expect(await login(text, { source: '198.51.100.2' })).toEqual(refused);
    expect(fixture.events().at(-1)?.text).toContain('refused: the text is not a certificate');
  },
);
