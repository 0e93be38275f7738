/** Mode PKI: the certificate names the administrator, the password proves it, and everything else is refused alike. */
import { X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CertifiedKey } from '../../../../pki/src/index.ts';
import { Dn } from '../../foundation/text/dn.ts';
import { administratorSubject, type Enrolment, openEnrolment } from '../../testing/bed/enrolment.ts';
import { type Asking, type Fixture, openFixture } from '../../testing/bed/fixture.ts';

const status = { jsonrpc: '2.0', id: 1, method: 'Server_Status' };
const day = 86_400_000;

/** Mode UID, where certificates are signed. */
let fixture: Fixture;
/** Mode PKI, on the same data. */
let node: Fixture;
let enrolment: Enrolment;
let own: CertifiedKey;
beforeAll(async () => {
  fixture = await openFixture();
  node = await fixture.another({ config: { manager_auth: 'PKI' } });
  enrolment = await openEnrolment(fixture);
  own = await enrolment.administrator();
});
afterAll(async () => {
  await enrolment.close();
  await node.close();
  await fixture.close();
});
// Failures of the test before are forgotten.
beforeEach(() => fixture.clock.advance(3_600_000));

const shown = ({ certificate }: CertifiedKey, authorized = true) => ({ pem: certificate, authorized });
const named = (username: string, password = fixture.admin.password) => ({ as: { username, password } });

async function ask(asking: Asking) {
  const response = await node.answer({ body: status, certificate: shown(own), ...named(''), ...asking });
  const { body } = response;
  if (!body || Array.isArray(body)) throw new Error('no answer');
  return { ...response, outcome: 'error' in body ? `${body.error.reason}: ${body.error.data ?? ''}` : 'in' };
}
const outcome = async (asking: Asking = {}) => (await ask(asking)).outcome;
const refused = 'credentials_refused: ';

describe('an administrator', () => {
  it('accepts a certificate with the password', async () => {
    expect(await outcome()).toBe('in');
  });

  it('accepts the DN or login name as well', async () => {
    const { dn } = fixture.admin;
    for (const username of [
      dn,
      dn.toUpperCase(),
      dn.replaceAll(',', ' , '),
      'admin',
      'ADMIN',
      'Default\\admin',
    ])
      expect([username, await outcome(named(username))]).toEqual([username, 'in']);
  });

  it('accepts members of super_admins, and gives others no reason', async () => {
    const { alice } = fixture.users;
    const certificate = shown(await enrolment.administrator(alice.dn));
    expect(await outcome({ certificate, ...named('', alice.password) })).toBe(refused);
    expect(await outcome({ certificate, ...named('', 'wrong') })).toBe(refused);
  });

  it('accepts a certificate in process from a program that has verified the key', async () => {
    const { password } = fixture.admin;
    const { certificate } = own;
    const login = await node.service.manager.login({ username: '', password, certificate });
    expect(login.administrator).toBe(fixture.admin.dn);
    expect(await login.manager.Get_User_DN({ username: 'alice', domain: 'Default' })).toBe(
      fixture.users.alice.dn,
    );
    await login.close();
    const refusal = { reason: 'credentials_refused' };
    await expect(node.service.manager.login({ username: '', password })).rejects.toMatchObject({
      ...{ ...refusal, detail: 'a client certificate is needed' },
    });
    const wrong = { username: '', password: 'wrong', certificate };
    await expect(node.service.manager.login(wrong)).rejects.toMatchObject(refusal);
  });

  it('needs no certificate in the other modes, and a bad one does no harm', async () => {
    const certificate = shown(await enrolment.openssl.certify('/CN=x'), false);
    const { body } = await fixture.answer({ body: status, certificate });
    expect(body).toHaveProperty('result');
  });
});

describe('a login without a certificate', () => {
  it('says at once that a certificate is required', async () => {
    fixture.clock.slept.length = 0;
    for (const asking of [
      named('admin'),
      named('admin', 'wrong'),
      { as: null },
      { as: null, cookie: '0'.repeat(32) },
    ]) {
      const { certificate: _, ...without } = { certificate: undefined, ...asking };
      const response = await node.answer({ body: status, ...without });
      expect(response).toMatchObject({
        ...{ status: 401, headers: { 'www-authenticate': expect.stringContaining('Basic') } },
        body: { error: { reason: 'credentials_refused', data: 'a client certificate is needed' } },
      });
    }
    expect(fixture.clock.slept).toEqual([]);
  });

  it('asks for the password when only that is missing', async () => {
    expect(await outcome({ as: null })).toBe('credentials_refused: an Authorization header is needed');
  });
});

/** Returns what the log said of certificates since the last time. */
const why = () =>
  node.log.lines
    .splice(0)
    .flatMap(({ fields }) => /^the certificate (.*)/.exec(String(fields.reason))?.[1] ?? []);

describe('a login that is refused', () => {
  let addresses = 0;

  /** The answer is always the same; the log says why. */
  async function reasonOf(asking: Asking): Promise<readonly string[]> {
    why();
    fixture.clock.slept.length = 0;
    addresses += 1;
    const { outcome, status } = await ask({ address: `192.0.2.${addresses}`, ...asking });
    expect({ outcome, status }).toEqual({ outcome: refused, status: 401 });
    expect(fixture.clock.slept).toContain(1000);
    return why();
  }
  const reasonOfCertificate = async (one: CertifiedKey, authorized = true) =>
    (await reasonOf({ certificate: shown(one, authorized) })).join();
  const admins = () => administratorSubject(fixture.admin.dn);

  it('refuses a wrong password', async () => {
    for (const password of ['wrong', '', 'x'.repeat(5000), fixture.users.alice.password])
      expect(await reasonOf(named('', password))).toEqual([]);
  });

  it.each([
    'alice',
    'Default\\alice',
    'nobody',
    'Nowhere\\admin',
    '*',
    'uid=alice,ou=people,dc=example,dc=org',
    ' ',
  ])('refuses another name with the certificate: %j', async (username) => {
    expect(await reasonOf(named(username))).toEqual(['came with the login name of somebody else']);
  });

  it('refuses the password of another administrator', async () => {
    const { alice } = fixture.users;
    expect(await reasonOf(named('', alice.password))).toEqual([]);
    expect(await reasonOf(named(alice.dn, alice.password))).not.toEqual([]);
  });

  it('refuses a revoked certificate', async () => {
    const certificate = await enrolment.administrator();
    expect(await outcome({ certificate: shown(certificate) })).toBe('in');
    await enrolment.revoke(certificate.certificate);
    expect(await reasonOfCertificate(certificate)).toBe('is revoked');
  });

  it('refuses an expired certificate, and one that TLS has not verified', async () => {
    fixture.clock.advance(366 * day);
    expect(await reasonOfCertificate(own)).toBe('is out of time');
    fixture.clock.advance(-366 * day);
    expect(await reasonOfCertificate(own, false)).toBe('was not authorised by TLS');
  });

  it('refuses a certificate for another purpose', async () => {
    const extensions = ['keyUsage = digitalSignature', 'extendedKeyUsage = serverAuth'];
    expect(await reasonOfCertificate(await enrolment.smuggle(admins(), { extensions }))).toBe(
      'is not for TLS clients',
    );
  });

  it('refuses the certificate of a user or a client', async () => {
    const user = await enrolment.sign('/CN=Default\\\\admin/UID=admin/DC=Default/description=USER');
    expect(await reasonOfCertificate(user)).toBe('is for USER, not for ADMIN');
    const smuggled = await enrolment.smuggle(`/CN=${fixture.admin.dn}/description=USER`);
    expect(await reasonOfCertificate(smuggled)).toBe('is for USER, not for ADMIN');
    const client = await enrolment.sign('/CN=Intranet/description=CLIENT');
    expect(await reasonOfCertificate(client)).toBe('is for CLIENT, not for ADMIN');
  });

  it('refuses a certificate of another authority, whatever it contains', async () => {
    const foreign = 'is not of this certificate authority';
    const selfSigned = await enrolment.openssl.certify(admins());
    expect(await reasonOfCertificate(selfSigned, false)).toBe('was not authorised by TLS');
    expect(await reasonOfCertificate(selfSigned)).toBe(foreign);
    const other = await enrolment.openssl.certify('/CN=Fixture CA', {
      ...{ isAuthority: true, extensions: ['keyUsage = keyCertSign'] },
    });
    expect(await reasonOfCertificate(await enrolment.openssl.certify(admins(), { by: other }))).toBe(foreign);
    expect(await reasonOf({ certificate: { pem: '', authorized: true } })).toEqual([foreign]);
  });

  it('refuses a certificate that our authority signed elsewhere', async () => {
    const elsewhere = await enrolment.openssl.certify(admins(), { by: fixture.authority });
    expect(await reasonOfCertificate(elsewhere)).toBe('was not signed for anybody here');
  });

  it('refuses the certificate of another entry', async () => {
    // On record as the administrator's, with Alice's name in it.
    const { alice } = fixture.users;
    const smuggled = await enrolment.smuggle(administratorSubject(alice.dn));
    expect(await reasonOf({ certificate: shown(smuggled), ...named('', alice.password) })).toEqual([
      'is of an entry that has gone',
    ]);
    expect(await reasonOfCertificate(await enrolment.smuggle('/CN=admin/description=ADMIN'))).toBe(
      'is of an entry that has gone',
    );
  });

  it('refuses the certificate of an entry that was deleted and created again', async () => {
    const dn = `uid=carol,ou=people,${fixture.base}`;
    const attributes = { objectclass: ['inetOrgPerson'], cn: 'Carol', sn: 'C', userpassword: 'carol-Pa55' };
    const make = () => fixture.call('Create_LDAP_Object', { dn, attrs: attributes });
    const join = (values: boolean) =>
      fixture.call('Set_User_Attrs', { dn: fixture.administrators, attrs: { member: [dn] }, values });
    await make();
    await join(true);
    const certificate = shown(await enrolment.administrator(dn));
    const carol = { certificate, ...named('', 'carol-Pa55') };
    expect(await outcome(carol)).toBe('in');
    await fixture.ports.directory.service.remove(Dn.parse(dn));
    expect(await reasonOf(carol)).toEqual(['is of an entry that has gone']);
    await make();
    await join(true);
    expect(await reasonOf(carol)).toEqual(['is of an entry that has gone']);
    expect(await outcome({ ...carol, certificate: shown(await enrolment.administrator(dn)) })).toBe('in');
  });
});

it('refuses an issuer of the same name with another key', async () => {
  const forged = await enrolment.forge(own.certificate, administratorSubject(fixture.admin.dn));
  const [mine, theirs] = [own, forged].map(({ certificate }) => new X509Certificate(certificate));
  const words = (one?: X509Certificate) => [one?.issuer, one?.subject, one?.serialNumber];
  expect(words(theirs)).toEqual(words(mine));
  // As a TLS proxy would pass it on that identifies by names.
  expect(await outcome({ certificate: shown(forged) })).toBe(refused);
  expect(await outcome()).toBe('in');
});

describe('too many refusals', () => {
  const address = (index: number) => ({ address: `198.51.100.${index}` });

  it('take the tokens of an address, also with a right certificate', async () => {
    const forge = () => enrolment.openssl.certify(administratorSubject(fixture.admin.dn));
    const forged = [shown(await forge(), false), shown(await forge(), false)];
    for (let index = 0; index < 20; index += 1)
      expect(await outcome({ certificate: forged[index % 2] ?? shown(own), ...address(200) })).toBe(refused);
    expect(await outcome(address(200))).toContain('too_many_attempts');
    expect(await outcome(address(201))).toBe('in');
  });

  it('block the administrator whose certificate came with wrong passwords', async () => {
    for (let index = 0; index < 10; index += 1)
      expect(await outcome({ ...named('', `wrong ${index}`), ...address(index) })).toBe(refused);
    expect(await outcome(address(100))).toContain('too_many_attempts');
  });

  it('do not block an administrator for callers without that administrator’s certificate', async () => {
    const forged = shown(await enrolment.openssl.certify(administratorSubject(fixture.admin.dn)));
    for (let index = 0; index < 10; index += 1)
      expect(await outcome({ certificate: forged, ...address(index) })).toBe(refused);
    expect(await outcome({ certificate: forged, ...address(100) })).toContain('too_many_attempts');
    const another = shown(await enrolment.openssl.certify('/CN=another'));
    expect(await outcome({ certificate: another, ...address(101) })).toBe(refused);
    expect(await outcome(address(102))).toBe('in');
  });
});
