/** Clients of the field let people log in by a QR code over HTTPS: every operation, on the WSDL that the server gives them. */
import { type Fixture, openFixture } from '@watchword/core/testing/bed';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { restClients, soapClients } from './clients.ts';
import { asks, type Served, serveToClients } from './served.ts';

let fixture: Fixture;
let server: Served;
beforeAll(async () => {
  fixture = await openFixture({ config: { trusted_callers: ['127.0.0.1', '::1'] } });
  server = await serveToClients(fixture);
});
afterAll(() => server.close());

const over = { code: 0, error: 'NoSession', message: 'Session not started or timedout' };

describe.each(Object.entries({ ...soapClients, ...restClients }))('%s', (_, client) => {
  const ask = asks(client, () => server);

  it('begins a session, shows its picture, asks for it, and ends it', async () => {
    const begun = await ask('qrauthStart', {
      ...{ client: 'shop', source: null, settings: null, options: null },
      ...{ operation: 'auth', inputText: 'Grüße & "more"', inputData: null },
    });
    expect(begun).toMatchObject({ code: 1, message: 'Operation success' });
    const session = String(begun.session);
    expect(String(begun.URI)).toContain(`watchword://login/${session.toLowerCase()}?`);
    const again = await ask('qrauthSessionQR', { session });
    expect(Buffer.from(String(again.QR), 'base64').toString('latin1')).toMatch(/^GIF8/);
    expect(await ask('qrauthCheck', { session, ldapPassword: null })).toMatchObject({ code: 2 });
    const typed = {
      username: 'alice',
      domain: null,
      session,
      ldapPassword: null,
      qrauthPassword: '00000000',
    };
    expect(await ask('qrauthOfflineCheck', typed)).toMatchObject({ error: 'AuthFailed' });
    expect(await ask('qrauthCancel', { session })).toMatchObject({ code: 1 });
    expect(await ask('qrauthCheck', { session, ldapPassword: null })).toMatchObject(over);
    const encrypted = await ask('qrauthEncrypt', {
      ...{ username: 'alice', domain: null, client: null, source: null, settings: null },
      ...{ inputText: 'Grüße & "more"', inputData: null },
    });
    // Alice has no soft token here.
    expect(encrypted).toMatchObject({ error: 'AuthFailed' });
    expect(String((await ask('qrauthStatus', {})).status)).toBe('true');
  });
});
