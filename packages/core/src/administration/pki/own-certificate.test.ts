/** Which certificates log somebody in: one of ours is granted, and each reason to refuse one is enough. */
import { X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CertificateTerms } from '../../testing/bed/engines/openssl.ts';
import { administratorSubject, type Enrolment, openEnrolment } from '../../testing/bed/enrolment.ts';
import { type Fixture, openFixture } from '../../testing/bed/fixture.ts';
import { verifyOwnCertificate } from './own-certificate.ts';

const day = 86_400_000;

let fixture: Fixture;
let enrolment: Enrolment;
beforeAll(async () => {
  fixture = await openFixture({ config: { limits: { login_failure_delay_ms: 0 } } });
  enrolment = await openEnrolment(fixture);
});
afterAll(async () => {
  await enrolment.close();
  await fixture.close();
});

const judge = (pem: string) => verifyOwnCertificate(pem, fixture.core);
async function whyNot(pem: string): Promise<string | undefined> {
  const judged = await judge(pem);
  return judged.good ? undefined : judged.why;
}

const admins = () => administratorSubject(fixture.admin.dn);
const signed = async (subject: string) => (await enrolment.sign(subject)).certificate;
const onRecord = async (subject: string, terms: CertificateTerms = {}) =>
  (await enrolment.smuggle(subject, terms)).certificate;

describe('a certificate of ours', () => {
  it('says whom it is for', async () => {
    const pem = await signed(admins());
    const { serialNumber, fingerprint256 } = new X509Certificate(pem);
    expect(await judge(pem)).toEqual({
      good: true,
      certificate: {
        ...{ kind: 'ADMIN', name: fixture.admin.dn, owner: fixture.admin.dn },
        entry: expect.stringMatching(/^[0-9a-f-]{36}$/),
        serial: serialNumber.toLowerCase(),
        fingerprint: fingerprint256.replaceAll(':', '').toLowerCase(),
      },
    });
    const user = await judge(await signed('/CN=Default\\\\alice/UID=alice/DC=Default/description=USER'));
    expect(user).toMatchObject({ certificate: { kind: 'USER', name: 'Default\\alice' } });
    const client = await judge(await signed('/CN=Intranet/description=CLIENT'));
    expect(client).toMatchObject({ certificate: { kind: 'CLIENT', name: 'Intranet', client: 'Intranet' } });
  });

  it('is good within its time only', async () => {
    const pem = await signed(admins());
    const at = async (milliseconds: number) => {
      fixture.clock.advance(milliseconds);
      const why = await whyNot(pem);
      fixture.clock.advance(-milliseconds);
      return why;
    };
    expect(await at(364 * day)).toBeUndefined();
    expect(await at(366 * day)).toBe('is out of time');
    expect(await at(-day)).toBe('is out of time');
  });

  it('is good with place and organisation beside the name', async () => {
    expect(await whyNot(await onRecord(`/C=DE/O=Example/OU=CN${admins()}`))).toBeUndefined();
  });

  it('is good until it is revoked', async () => {
    const pem = await signed(admins());
    expect(await whyNot(pem)).toBeUndefined();
    await fixture.call('Revoke_Certificate', { serial: new X509Certificate(pem).serialNumber });
    expect(await whyNot(pem)).toBe('is revoked');
  });
});

describe('a certificate that is refused', () => {
  const kind = 'is not of the kind that it was signed for, or names nobody';

  it.each([
    ['for servers', ['extendedKeyUsage = serverAuth'], 'is not for TLS clients'],
    ['for nothing in particular', ['keyUsage = digitalSignature'], 'is not for TLS clients'],
    [
      'for keys alone',
      ['keyUsage = keyEncipherment', 'extendedKeyUsage = clientAuth'],
      'is not for TLS clients',
    ],
    ['for clients, without a key usage', ['extendedKeyUsage = clientAuth'], undefined],
  ])('for what it may be used for: %s', async (_, extensions, why) => {
    expect(await whyNot(await onRecord(admins(), { extensions }))).toBe(why);
  });

  it('because it is an authority itself', async () => {
    const extensions = ['keyUsage = digitalSignature,keyCertSign', 'extendedKeyUsage = clientAuth'];
    const pem = await onRecord(admins(), { isAuthority: true, extensions });
    expect(await whyNot(pem)).toBe('is not for TLS clients');
  });

  it.each([
    ['no description', '/CN=x', kind],
    ['one of a calling system', '/CN=x/description=CLIENT', kind],
    ['another description', '/CN=x/description=ROOT', kind],
    ['no name', '/description=ADMIN', kind],
    ['two names', '/CN=x/CN=y/description=ADMIN', 'has CN twice in its subject'],
    ['two descriptions', '/CN=x/description=USER/description=ADMIN', 'has description twice in its subject'],
    ['two names in one part', '/CN=x+CN=y/description=ADMIN', 'names nobody for sure'],
    ['name and description in one part', '/CN=x+description=ADMIN', 'names nobody for sure'],
    ['an address', '/CN=x/description=ADMIN/emailAddress=a@b', 'nobody vouches for'],
  ])('for its subject: %s', async (_, subject, why) => {
    expect(await whyNot(await onRecord(subject, { options: ['-multivalue-rdn'] }))).toContain(why);
  });

  it('because it was signed for a calling system, whatever it says', async () => {
    for (const subject of [admins(), '/CN=x/description=USER']) {
      const { certificate } = await enrolment.openssl.certify(subject, { by: fixture.authority });
      const serial = new X509Certificate(certificate).serialNumber.toLowerCase();
      const now = fixture.clock.now();
      await fixture.ports.certificates.add({ serial, subject, client: 'vpn', issued: now, notAfter: now });
      expect(await whyNot(certificate)).toBe(kind);
    }
  });

  const foreign = 'is not of this certificate authority';
  const authority = { isAuthority: true, extensions: ['keyUsage = keyCertSign'] };

  it('because our authority did not sign it, whatever it says', async () => {
    const { subject } = new X509Certificate(fixture.authority.certificate);
    const namesake = await enrolment.openssl.certify(`/${subject}`, authority);
    expect(new X509Certificate(namesake.certificate).subject).toBe(subject);
    const extensions = ['extendedKeyUsage = clientAuth', 'authorityKeyIdentifier = none'];
    expect(await whyNot(await onRecord(admins(), { by: namesake, extensions }))).toBe(foreign);
    expect(await whyNot((await enrolment.openssl.certify(admins())).certificate)).toBe(foreign);
    for (const text of ['', 'x', fixture.authority.key, 'x'.repeat(20_000)])
      expect(await whyNot(text)).toBe(foreign);
  });

  it('because another authority has the same key', async () => {
    const other = await enrolment.openssl.certify('/CN=Other CA', {
      ...authority,
      key: fixture.authority.key,
    });
    expect(await whyNot(await onRecord(admins(), { by: other }))).toBe(foreign);
  });

  it('because somebody changed it', async () => {
    const der = new X509Certificate(await signed(admins())).raw;
    const changed = Buffer.from(der.toString('latin1').replace('uid=admin', 'uid=alice'), 'latin1');
    expect(changed.equals(der)).toBe(false);
    const pem = `-----BEGIN CERTIFICATE-----\n${changed.toString('base64')}\n-----END CERTIFICATE-----\n`;
    expect(await whyNot(pem)).toBe(foreign);
  });

  it('because it was signed with the same key elsewhere', async () => {
    const { certificate } = await enrolment.openssl.certify(admins(), { by: fixture.authority });
    expect(await whyNot(certificate)).toBe('was not signed for anybody here');
    expect(await fixture.core.authority.recognise(certificate)).toBeDefined();
  });
});
