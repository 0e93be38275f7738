/** Clients of the field keep single sign-on sessions over HTTPS: every operation, on the WSDL that the server gives them. */
import { type Fixture, openFixture } from '@watchword/core/testing/bed';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { restClients, soapClients } from './clients.ts';
import { asks, type Served, serveToClients } from './served.ts';

let fixture: Fixture;
let server: Served;
beforeAll(async () => {
  fixture = await openFixture({ config: { trusted_callers: ['127.0.0.1', '::1'] } });
  await fixture.call('Activate_LDAP_Object', { dn: fixture.users.alice.dn });
  server = await serveToClients(fixture);
});
afterAll(() => server.close());

describe.each(Object.entries({ ...soapClients, ...restClients }))('%s', (_, client) => {
  const ask = asks(client, () => server);

  it('begins a session, keeps data with it, and ends it', async () => {
    const data = '<cart>Grüße & "more"</cart>';
    const who = { client: 'shop', source: null, settings: null };
    const begun = await ask('ssoStart', { username: 'alice', domain: 'Default', data, ...who });
    expect(begun).toMatchObject({ code: 1, message: 'Operation success' });
    expect(Number(begun.timeout)).toBe(3600);
    const session = String(begun.session);
    expect(await ask('ssoCheck', { session, data: null })).toMatchObject({ code: 1, data });
    expect(await ask('ssoCheck', { session, data: 'two' })).toMatchObject({ code: 1, data: 'two' });
    expect(await ask('ssoStop', { session })).toMatchObject({ code: 1 });
    const over = { code: 0, error: 'NoSession', message: 'Session not started or timedout' };
    expect(await ask('ssoCheck', { session, data: null })).toMatchObject(over);
    expect(await ask('ssoStop', { session })).toMatchObject(over);
    const unknown = { code: 0, error: 'AuthFailed', message: 'Invalid user or user not found' };
    expect(
      await ask('ssoStart', { username: 'nobody', domain: 'Default', data: null, ...who }),
    ).toMatchObject(unknown);
    expect(String((await ask('ssoStatus', {})).status)).toBe('true');
  });
});
