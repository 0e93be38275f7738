/** Certificates of systems that call the web services, and what the audit says of all that are signed and revoked. */
import { X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Enrolment, openEnrolment } from '../../testing/bed/enrolment.ts';
import { type Fixture, openFixture } from '../../testing/bed/fixture.ts';
import { judgeOwnCertificate } from './own-certificate.ts';

const alice = '/CN=Default\\\\alice/UID=alice/DC=Default/description=USER';

let fixture: Fixture;
let enrolment: Enrolment;
beforeAll(async () => {
  fixture = await openFixture();
  enrolment = await openEnrolment(fixture);
});
afterAll(async () => {
  await enrolment.close();
  await fixture.close();
});

const signed = async (subject: string) => (await enrolment.sign(subject)).certificate;
const request = async (subject: string) => (await enrolment.openssl.request(subject)).request;

describe('a certificate of a calling system', () => {
  const serialOf = (pem: string) => new X509Certificate(pem).serialNumber.toLowerCase();
  const list = async (params: object) => fixture.call('List_Certificates', params);

  it('is on record under its name, and listed whatever its capitals', async () => {
    const serial = serialOf(await signed('/CN=VPN Nord/description=CLIENT/serialNumber=7'));
    const subject = 'CN=VPN Nord,description=CLIENT,serialNumber=7';
    expect((await list({ client: 'vpn nord' })).result).toMatchObject([{ serial, subject, status: 'valid' }]);
    expect((await fixture.call('Revoke_Certificate', { serial })).result).toBe(true);
    expect((await list({ client: 'VPN Nord' })).result).toMatchObject([{ serial, status: 'revoked' }]);
  });

  it('is signed for CN=host, OU, O and C without a description, with the subject in order', async () => {
    for (const subject of ['/CN=vpn1.example.org/OU=otp/O=Example/C=DE', '/C=DE/O=Example/OU=otp/CN=vpn-1']) {
      const pem = await signed(subject);
      expect(`/${new X509Certificate(pem).subject.replaceAll('\n', '/')}`).toBe(subject);
      const [, client] = /CN=([^/]+)/.exec(subject) ?? [];
      expect((await list({ client })).result).toMatchObject([{ serial: serialOf(pem), status: 'valid' }]);
      expect(await judgeOwnCertificate(pem, fixture.core)).toMatchObject({
        certificate: { kind: 'CLIENT', client },
      });
    }
  });

  it.each([
    ['a DN', `/CN=uid=admin,dc=example,dc=org/O=Example`],
    ['a user', '/CN=Default\\\\alice/O=Example'],
    ['words', '/CN=VPN Nord/O=Example'],
    ['any host', '/CN=*.example.org/O=Example'],
    ['a host with a surname', '/CN=vpn/SN=Doe'],
    ['a host with a user', '/CN=vpn/UID=alice'],
    ['a mistyped address', '/CN=10.0.0.999/O=Example'],
    ['nobody', '/O=Example/C=DE'],
  ])('is not signed without a description where the name is that of %s', async (_, subject) => {
    const { error } = await fixture.call('Sign_certificate_Request', { request: await request(subject) });
    expect(error?.data).toContain('Parameter request');
  });

  it('is for super administrators to have signed, to see and to revoke', async () => {
    const role = { members: [fixture.users.bob.dn], methods: ['*'], subtrees: [fixture.base], write: ['*'] };
    const node = await fixture.another({ config: { roles: { everything: role } } });
    const asBob = (method: string, params: object) => node.call(method, params, { as: fixture.users.bob });
    const serial = serialOf(await signed('/CN=vpn/description=CLIENT'));
    const ours = await asBob('Sign_certificate_Request', { request: await request(alice) });
    expect(ours.error).toBeUndefined();
    for (const [method, params] of [
      ['Sign_certificate_Request', { request: await request('/CN=vpn/description=CLIENT') }],
      ['Sign_certificate_Request', { request: await request('/CN=vpn/OU=otp/O=Example/C=DE') }],
      ['List_Certificates', { client: 'vpn' }],
      ['Revoke_Certificate', { serial }],
    ] as const)
      expect((await asBob(method, params)).error?.data).toContain('only super administrators may');
    expect((await list({ client: 'vpn' })).result).toMatchObject([{ serial, status: 'valid' }]);
    await node.close();
  });

  it('is listed by the name of just one owner', async () => {
    for (const params of [{}, { dn: fixture.admin.dn, client: 'vpn' }, { client: 'x'.repeat(10_000) }])
      expect((await list(params)).error?.reason).toBe('invalid_params');
    expect((await list({ client: fixture.admin.dn })).result).toEqual([]);
  });
});

describe('certificates of calling systems without a super administrator', () => {
  const role = () => ({
    members: [fixture.users.bob.dn],
    methods: ['*'],
    subtrees: [fixture.base],
    write: ['*'],
  });
  let node: Fixture;
  beforeAll(async () => {
    node = await fixture.another({ config: { roles: { everything: role() } } });
  });
  afterAll(() => node.close());

  const asBob = (method: string, params: object) => node.call(method, params, { as: fixture.users.bob });
  const open = (params: object) => node.call('Cert_Auto_Confirm', params);
  const asked = async (subject = '/CN=vpn/description=CLIENT') =>
    (await asBob('Sign_certificate_Request', { request: await request(subject) })).error?.reason;

  it('are signed for an application by the installation’s word for it, too', async () => {
    const config = { roles: { everything: role() }, names: { Otp: 'ExampleOTP', otp: 'exampleotp' } };
    const named = await fixture.another({ config });
    const ofBob = async (subject: string) => {
      const params = { request: await request(subject) };
      return (await named.call('Sign_certificate_Request', params, { as: fixture.users.bob })).error?.reason;
    };
    for (const application of ['exampleotp', 'OTP'])
      expect(await named.call('Cert_Auto_Confirm', { expires: 10, application })).toMatchObject({
        result: 1,
      });
    for (const unit of ['exampleotp', 'otp'])
      expect(await ofBob(`/CN=vpn/OU=${unit}/description=CLIENT`)).toBeUndefined();
    expect(await ofBob('/CN=vpn/OU=sso/description=CLIENT')).toBe('permission_denied');
    const refused = await named.call('Cert_Auto_Confirm', { expires: 10, application: 'voice' });
    expect(refused.error).toMatchObject({
      data: 'Parameter application is none of exampleotp, sso, sms, sshkey',
    });
    await named.call('Cert_Auto_Confirm', { expires: 0 });
    await named.close();
  });

  it('are signed for a while, which ends by itself or by an administrator', async () => {
    expect(await asked()).toBe('permission_denied');
    expect(await open({ expires: 5 })).toMatchObject({ result: 1 });
    expect(await asked()).toBeUndefined();
    fixture.clock.advance(300_000);
    expect(await asked()).toBe('permission_denied');
    await open({ expires: 60, application: 'sms' });
    await open({ expires: 60 });
    await open({ expires: 0 });
    expect(await asked('/CN=vpn/OU=sms/description=CLIENT')).toBe('permission_denied');
  });

  it('are signed of one application, and from some addresses', async () => {
    await open({ expires: 1, application: 'OTP', addresses: '10.1.2.3/8, 192.0.9.9/16' });
    expect(await asked('/CN=vpn/OU=otp/description=CLIENT')).toBeUndefined();
    expect(await asked('/CN=vpn/OU=sshkey/description=CLIENT')).toBe('permission_denied');
    expect(await asked()).toBe('permission_denied');
    await open({ expires: 1, application: 'otp', addresses: '198.51.100.0/24' });
    expect(await asked('/CN=vpn/OU=otp/description=CLIENT')).toBe('permission_denied');
    await open({ expires: 0, application: 'otp' });
  });

  it('open nothing else', async () => {
    await open({ expires: 1 });
    expect(await asked(`/CN=${fixture.admin.dn}/description=ADMIN`)).toBe('permission_denied');
    await open({ expires: 0 });
  });

  it.each([
    [{ expires: 2 }, 'Parameter expires is none of 0, 1, 5, 10, 15, 30, 60'],
    [{ expires: 1, addresses: 7 }, 'Parameter addresses not String'],
    [{ expires: 1, addresses: '10.0.0.300' }, 'Invalid IP address or mask'],
    [{ expires: 1, addresses: '10.0.0.0/33' }, 'Invalid IP address or mask'],
    [{ expires: 1, application: 'ftp' }, 'Parameter application is none of otp, sso, sms, sshkey'],
  ])('are not opened by %j', async (params, data) => {
    expect((await open(params)).error?.data).toBe(data);
  });

  it('are opened by super administrators only', async () => {
    expect((await asBob('Cert_Auto_Confirm', { expires: 1 })).error?.reason).toBe('permission_denied');
  });
});

describe('the audit', () => {
  it('names subject and serial number of what was signed and revoked, and has nothing of the PEM', async () => {
    const { serialNumber } = new X509Certificate(await signed(`${alice}/SN=Doe`));
    const serial = serialNumber.toLowerCase();
    await fixture.call('Revoke_Certificate', { serial: serialNumber });
    await fixture.call('Revoke_Certificate', { serial: serialNumber });
    await fixture.call('Revoke_Certificate', { serial: '00' });
    const subject = `subject=${JSON.stringify('CN=Default\\alice,UID=alice,DC=Default,description=USER,SN=Doe')}`;
    const result = fixture.events().map(({ text }) => text.slice(text.indexOf(': ') + 2));
    expect(result.slice(-4)).toEqual([
      `Sign_certificate_Request serial="${serial}" ${subject}: done`,
      `Revoke_Certificate serial="${serial}" ${subject}: done`,
      `Revoke_Certificate serial="${serial}" ${subject}: no change`,
      'Revoke_Certificate serial="00": refused (not_found)',
    ]);
  });
});
