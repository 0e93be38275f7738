/** Certificates of systems that call the web services, and what the audit says of all that are signed and revoked. */
import { X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Enrolment, openEnrolment } from '../testing/enrolment.ts';
import { type Fixture, openFixture } from '../testing/fixture.ts';

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

  it('is for super administrators to have signed, to see and to revoke', async () => {
    const role = { members: [fixture.users.bob.dn], methods: ['*'], subtrees: [fixture.base], write: ['*'] };
    const node = await fixture.another({ config: { roles: { everything: role } } });
    const asBob = (method: string, params: object) => node.call(method, params, { as: fixture.users.bob });
    const serial = serialOf(await signed('/CN=vpn/description=CLIENT'));
    const ours = await asBob('Sign_certificate_Request', { request: await request(alice) });
    expect(ours.error).toBeUndefined();
    for (const [method, params] of [
      ['Sign_certificate_Request', { request: await request('/CN=vpn/description=CLIENT') }],
      ['List_Certificates', { client: 'vpn' }],
      ['Revoke_Certificate', { serial }],
    ] as const)
      expect((await asBob(method, params)).error?.data).toContain('only super administrators may');
    expect((await list({ client: 'vpn' })).result).toMatchObject([{ serial, status: 'valid' }]);
    await node.close();
  });

  it('is listed by the name of just one holder', async () => {
    for (const params of [{}, { dn: fixture.admin.dn, client: 'vpn' }, { client: 'x'.repeat(10_000) }])
      expect((await list(params)).error?.reason).toBe('invalid_params');
    expect((await list({ client: fixture.admin.dn })).result).toEqual([]);
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
    const told = fixture.events().map(({ text }) => text.slice(text.indexOf(': ') + 2));
    expect(told.slice(-4)).toEqual([
      `Sign_certificate_Request serial="${serial}" ${subject}: done`,
      `Revoke_Certificate serial="${serial}" ${subject}: done`,
      `Revoke_Certificate serial="${serial}" ${subject}: no change`,
      'Revoke_Certificate serial="00": refused (not_found)',
    ]);
  });
});
