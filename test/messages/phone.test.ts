/**
 * A person who has nothing but a phone number logs in with a code by SMS, end to end: over HTTPS as systems in the field ask,
 * with a gateway over HTTP and one over SMPP, where the code is read as the phone gets it.
 */
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Fixture, openFixture } from '@watchword/core/testing/bed';
import { openSmsGateway } from '@watchword/gateways/http';
import { openSmpp } from '@watchword/gateways/smpp';
import { systemClock, systemRandom } from '@watchword/node';
import { type Listener, serve } from '@watchword/node/http';
import { createAuthority, issueServerCertificate } from '@watchword/pki';
import { webServiceServer } from '@watchword/server-ws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sender, Sms } from '../../packages/core/src/ports/sending/sender.ts';
import { smppLogin, startSmsCentre } from '../../packages/gateways/src/smpp/testing/sms-centre.ts';
import { type Client, restClients, type Server, soapClients } from '../web-clients/clients.ts';

const password = 'Correct-Horse-7';

interface Gateway {
  readonly sender: Sender<Sms>;
  /** Number and text of what the phone has got so far. */
  received(): readonly { readonly to: string; readonly text: string }[];
  close(): Promise<void>;
}

const gateways: Readonly<Record<string, () => Promise<Gateway>>> = {
  'over HTTP': async () => {
    const received: { to: string; text: string }[] = [];
    const server = createServer((request, answer) => {
      text(request).then((body) => {
        received.push(JSON.parse(body));
        answer.writeHead(202).end('{"status": "accepted"}');
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/v1/messages`;
    const json = { to: '{to}', text: '{text}' };
    const sender = openSmsGateway({
      url,
      method: 'POST',
      json,
      success: { path: 'status', values: ['accepted'] },
    });
    return {
      sender,
      received: () => received,
      close: async () => {
        server.closeAllConnections();
        server.close();
      },
    };
  },
  'over SMPP': async () => {
    const centre = await startSmsCentre();
    const { port } = centre;
    const sender = openSmpp({ host: '127.0.0.1', port, security: 'none', timeout_ms: 10_000, ...smppLogin });
    return {
      sender,
      received: () =>
        centre.taken.map(({ destination_addr, short_message }) => ({
          to: `+${String(destination_addr)}`,
          text: String(Object(short_message).message),
        })),
      close: centre.close,
    };
  },
};

const { 'curl, POST of JSON': rest } = restClients;
const { 'PHP SoapClient': php } = soapClients;

/** What a system of two steps sends: the name and one field, then the answer with the state that it got. */
const ways: Readonly<
  Record<string, { readonly client: Client | undefined; readonly operation: string; readonly field: string }>
> = {
  'over REST': { client: rest, operation: 'otpNormalLogin', field: 'ldapPassword' },
  'over a RADIUS-like client of two steps, by SOAP': {
    client: php,
    operation: 'otpSimpleLogin',
    field: 'anyPassword',
  },
};

describe.each(Object.keys(gateways))('with a gateway %s', (name) => {
  let gateway: Gateway;
  let fixture: Fixture;
  let listener: Listener;
  let folder: string;
  let server: Server;
  beforeAll(async () => {
    const open = gateways[name];
    if (!open) throw new Error('no such gateway');
    gateway = await open();
    fixture = await openFixture({ ports: () => ({ senders: { sms: gateway.sender } }) });
    const attrs = {
      objectclass: ['inetOrgPerson', 'webadmAccount'],
      cn: 'Pia',
      sn: 'Phone',
      userpassword: password,
    };
    const dn = `uid=pia,ou=people,${fixture.base}`;
    await fixture.call('Create_LDAP_Object', { dn, attrs: { ...attrs, mobile: '+49 151 2345678' } });
    await fixture.call('Set_User_Settings', { dn, settings: { 'Otp.OTPType': 'SMS' } });
    folder = await mkdtemp(join(tmpdir(), 'watchword-phone-'));
    const ports = { clock: systemClock, random: systemRandom };
    const authority = await createAuthority({ commonName: 'Phone tests', days: 2 }, ports);
    const tls = await issueServerCertificate(
      authority,
      { names: ['localhost'], addresses: [], days: 1 },
      ports,
    );
    await writeFile(join(folder, 'ca.pem'), authority.certificate);
    listener = await serve(webServiceServer(fixture.service), { host: 'localhost', port: 0, tls });
    server = { url: listener.url, ca: join(folder, 'ca.pem') };
  });
  afterAll(async () => {
    await listener.close();
    await fixture.close();
    await gateway.close();
    await rm(folder, { recursive: true });
  });

  it.each(Object.keys(ways))('logs in %s, once with each code', async (way) => {
    const { client, operation, field } = ways[way] ?? {};
    if (!client || !operation || !field) throw new Error('no such client');
    const before = gateway.received().length;
    const asked = await client(operation, { username: 'pia', domain: null, [field]: password }, server);
    expect(asked).toMatchObject({ message: 'Enter your SMS password', otpChallenge: 'SMS' });
    expect(Number(asked.code)).toBe(2);
    await expect.poll(() => gateway.received().length, { timeout: 30_000 }).toBe(before + 1);
    const sms = gateway.received().at(-1);
    expect(sms?.to).toBe('+491512345678');
    const [code = ''] = /\b[0-9]{6}\b/.exec(sms?.text ?? '') ?? [];
    const answer = { username: 'pia', domain: null, session: String(asked.session), otpPassword: code };
    const granted = await client('otpChallenge', answer, server);
    expect(granted).toMatchObject({ message: 'Authentication success' });
    expect(await client('otpChallenge', answer, server)).toMatchObject({ error: 'NoSession' });
    expect(JSON.stringify([fixture.events(), fixture.log.lines])).not.toContain(code);
    fixture.clock.advance(86_400_000);
  });
});
