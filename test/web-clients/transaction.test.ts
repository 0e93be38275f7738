/** Clients of the field ask users on the phone, by mail and for badging: every operation, on the WSDL that the server gives them. */
import { type Fixture, openFixture } from '@watchword/core/testing/bed';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { restClients, soapClients } from './clients.ts';
import { asks, type Served, serveToClients } from './served.ts';

let fixture: Fixture;
let server: Served;
beforeAll(async () => {
  fixture = await openFixture({ config: { trusted_callers: ['127.0.0.1', '::1'] } });
  const key = Buffer.from('12345678901234567890').toString('base64');
  const { dn } = fixture.users.alice;
  await fixture.call('Activate_LDAP_Object', { dn });
  const registered = await fixture.call('Otp.TOTP_Register', { dn, key });
  expect(registered).toMatchObject({ result: 1 });
  server = await serveToClients(fixture);
});
afterAll(() => server.close());

const data = 'Grüße & "more" of it';
const file = Buffer.from('The contract.').toString('base64');
const caller = { client: null, source: null, settings: null };
const terms = { async: 'true', timeout: null, issuer: 'ACME', ...caller };
const picture = { qrFormat: 'TXT', qrSizing: null, qrMargin: null };
const whom = { username: 'alice', domain: null };
const over = { code: 0, error: 'NoSession' };
const failed = { code: 0, error: 'AuthFailed' };

describe.each(Object.entries({ ...soapClients, ...restClients }))('%s', (_, client) => {
  const ask = asks(client, () => server);

  it.each([
    ['Confirm', 'confirm', { data, file: null, form: null, scan: null }],
    ['Sign', 'sign', { data, file, mode: null }],
  ])('has a user %s, and takes it back', async (name, kind, what) => {
    const begun = await ask(`otpNormal${name}`, { ...whom, ...what, ...terms, virtual: null });
    expect(begun).toMatchObject({ code: 2 });
    expect(String(begun.message)).toContain(`watchword://${kind}/`);
    const session = String(begun.session);
    expect(await ask(`otpCheck${name}`, { session })).toMatchObject({ code: 2 });
    expect(await ask(`otpTouch${name}`, { session, sendPush: 'false', ...picture })).toMatchObject({
      code: 1,
    });
    expect(await ask(`otpCancel${name}`, { session })).toMatchObject({ code: 1 });
    expect(await ask(`otpCheck${name}`, { session })).toMatchObject(over);
    const operation = kind === 'sign' ? 'otpSignQRCode' : 'otpConfirmQRCode';
    const shown = await ask(operation, { ...whom, ...what, ...terms, ...picture, virtual: null });
    expect(shown).toMatchObject({ code: 1 });
    expect(String(shown.qrImage).length).toBeGreaterThan(100);
  });

  it('shows what a phone without a network answers', async () => {
    const shown = await ask('otpOfflineQRCode', { ...whom, data, ...caller, ...picture });
    const answer = { session: String(shown.session), response: '00000000' };
    expect(await ask('otpOfflineConfirm', answer)).toMatchObject({ ...failed, comment: 'Wrong response' });
  });

  it('seals, and lists', async () => {
    const sealed = await ask('otpSeal', { file, mode: null, ...caller });
    expect(sealed).toMatchObject({ code: 1, message: 'Authentication success' });
    // PHP has decoded it.
    expect(String(sealed.file).length).toBeGreaterThan(100);
    for (const operation of ['otpList', 'otpListLogin', 'otpListConfirm'])
      expect(JSON.parse(String((await ask(operation, {})).jsonData))).toEqual(expect.any(Array));
  });

  it('asks somebody outside, and about badging', async () => {
    const outside = { recipient: 'zoe@example.net', file };
    const confirm = await ask('otpExternConfirm', { ...outside, scan: null, ...terms });
    expect(confirm).toMatchObject({ code: 0, error: 'ServerError' });
    expect(await ask('otpExternSign', { ...outside, mode: 'XADES', ...terms })).toMatchObject({
      error: 'BadRequest',
    });
    expect(await ask('otpStartBadging', { ...whom, data: null, ...caller, virtual: null })).toMatchObject(
      failed,
    );
    expect(await ask('otpCheckBadging', { ...whom, office: 'false', ...caller })).toMatchObject(failed);
  });
});

/** Some clients encode what they are given once more. */
it.each(Object.entries(soapClients))('%s sends files of more than half a megabyte', async (_, client) => {
  const ask = asks(client, () => server);
  const large = Buffer.alloc(560_000, 'x').toString('base64');
  const what = { data, file: large, form: null, scan: null };
  const begun = await ask('otpNormalConfirm', { ...whom, ...what, ...terms, virtual: null });
  expect(begun).toMatchObject({ code: 2 });
  await ask('otpCancelConfirm', { session: String(begun.session) });
});

it('a file of 750 kB is confirmed and sealed, as the guide says', async () => {
  const large = Buffer.alloc(750_000, 'x');
  const body = JSON.stringify({ file: large.toString('base64') });
  for (const [operation, more] of [
    ['otpSeal', {}],
    ['otpNormalConfirm', { username: 'alice', async: true }],
  ] as const) {
    const response = await fixture.service.web.answer({
      ...{ method: 'POST', url: new URL(`https://localhost/otp/json/${operation}/`) },
      headers: new Headers({ 'content-type': 'application/json' }),
      body: async () => Buffer.from(JSON.stringify({ ...JSON.parse(body), ...more })),
      ...{ address: '127.0.0.1', port: 40_000 },
    });
    expect(JSON.parse(String(response.body)).code, operation).toBe(operation === 'otpSeal' ? 1 : 2);
  }
});
