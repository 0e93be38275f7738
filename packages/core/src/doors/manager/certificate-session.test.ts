/** Sessions of mode PKI: the cookie opens nothing without its certificate, and not for longer than that is good. */
import { X509Certificate } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CertifiedKey } from '../../../../pki/src/index.ts';
import { Dn } from '../../foundation/text/dn.ts';
import { type Enrolment, openEnrolment } from '../../testing/bed/enrolment.ts';
import { type Asking, type Fixture, openFixture } from '../../testing/bed/fixture.ts';

const status = { jsonrpc: '2.0', id: 1, method: 'Server_Status' };
const session = { manager_session: 300 };
const certificates = { ...session, manager_auth: 'PKI' } as const;

/** Mode UID, where certificates are signed; the nodes are of mode PKI, all on the same data. */
let fixture: Fixture;
let nodes: readonly [Fixture, Fixture];
let enrolment: Enrolment;
let own: CertifiedKey;
beforeEach(async () => {
  fixture = await openFixture({ config: session });
  nodes = [await fixture.another({ config: certificates }), await fixture.another({ config: certificates })];
  enrolment = await openEnrolment(fixture);
  own = await enrolment.administrator();
});
afterEach(async () => {
  await enrolment.close();
  for (const node of nodes) await node.close();
  await fixture.close();
});

const shown = ({ certificate }: CertifiedKey, authorized = true) => ({ pem: certificate, authorized });
const cookieOf = (header: string | undefined) => /^SVCMANAG=([0-9a-f]+);/.exec(header ?? '')?.[1] ?? '';

async function begin(asking: Asking = {}, at = nodes[0]): Promise<string> {
  const as = { ...fixture.admin, username: '' };
  const { headers, body } = await at.answer({ body: status, as, certificate: shown(own), ...asking });
  expect(body).toHaveProperty('result');
  return cookieOf(headers['set-cookie']);
}

/** `in` with a cookie and a certificate alone, or what is said instead. */
async function outcome(cookie: string, certificate?: CertifiedKey, at = nodes[0]): Promise<string> {
  const asking = certificate ? { certificate: shown(certificate) } : {};
  const { body } = await at.answer({ body: status, as: null, cookie, ...asking });
  if (!body || !('error' in body)) return 'in';
  return String(body.error.data);
}
const over = 'an Authorization header is needed';

/** Ends on every node, for good. */
async function expectEnded(cookie: string): Promise<void> {
  for (const node of [...nodes].reverse()) expect(await outcome(cookie, own, node)).toBe(over);
  for (const node of nodes) expect(node.directory.open).toBe(0);
}

describe('a session that began with a certificate', () => {
  it('is open on every node to its cookie and certificate, without a password', async () => {
    const cookie = await begin();
    for (const node of nodes) expect(await outcome(cookie, own, node)).toBe('in');
  });

  it('is not open without the certificate, nor with another one, and lives on', async () => {
    const cookie = await begin();
    const another = await enrolment.administrator();
    const forged = await enrolment.openssl.certify('/CN=x', { by: fixture.authority });
    for (const node of nodes) {
      expect(await outcome(cookie, undefined, node)).toBe('a client certificate is needed');
      expect(await outcome(cookie, another, node)).toBe(over);
      expect(await outcome(cookie, forged, node)).toBe(over);
    }
    expect(await outcome(cookie, own)).toBe('in');
    const renewed = await begin({ cookie, certificate: shown(another) });
    expect(renewed).not.toBe(cookie);
    expect(await outcome(renewed, another)).toBe('in');
  });

  it('ends at the next request when the certificate is revoked', async () => {
    const cookie = await begin();
    expect(await outcome(cookie, own, nodes[1])).toBe('in');
    await enrolment.revoke(own.certificate);
    await expectEnded(cookie);
  });

  it('ends when the certificate is out of time', async () => {
    const end = Date.parse(new X509Certificate(own.certificate).validTo);
    fixture.clock.advance(end - 5000 - fixture.clock.now());
    const cookie = await begin();
    fixture.clock.advance(5000);
    expect(await outcome(cookie, own)).toBe('in');
    fixture.clock.advance(1000);
    await expectEnded(cookie);
  });

  it('ends when TLS does not authorise the certificate any more', async () => {
    const cookie = await begin();
    const { body } = await nodes[0].answer({
      ...{ body: status, as: null, cookie, certificate: shown(own, false) },
    });
    expect(body).toMatchObject({ error: { data: over } });
    await expectEnded(cookie);
  });

  it('ends when the entry is deleted, and is not one of who gets its name and password', async () => {
    const dn = `uid=carol,ou=people,${fixture.base}`;
    const attrs = { objectclass: ['inetOrgPerson'], cn: 'Carol', sn: 'C', userpassword: 'carol-Pa55' };
    const make = async () => {
      await fixture.call('Create_LDAP_Object', { dn, attrs });
      await fixture.call('Set_User_Attrs', {
        ...{ dn: fixture.administrators, attrs: { member: [dn] }, values: true },
      });
    };
    await make();
    own = await enrolment.administrator(dn);
    const cookie = await begin({ as: { username: '', password: 'carol-Pa55' } });
    expect(await outcome(cookie, own)).toBe('in');
    await fixture.ports.directory.service.remove(Dn.parse(dn));
    await make();
    await expectEnded(cookie);
  });

  it('is bound to it under every mode, and one without is none in mode PKI', async () => {
    const cookie = await begin();
    expect(await outcome(cookie, undefined, fixture)).toBe(over);
    expect(await outcome(cookie, own, fixture)).toBe('in');
    const plain = await begin({ as: fixture.admin }, fixture);
    expect(await outcome(plain, undefined, fixture)).toBe('in');
    expect(await outcome(plain, own)).toBe(over);
  });
});
