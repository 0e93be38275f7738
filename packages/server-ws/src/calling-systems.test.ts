/** Systems that show a client certificate, over real TLS: which ones are let in, and whom they stand for. */
import { X509Certificate } from 'node:crypto';
import { type RequestOptions, request } from 'node:https';
import type { ServiceConfigInput } from '@watchword/core';
import { type Enrolment, type Fixture, openEnrolment, openFixture } from '@watchword/core/testing/bed';
import { systemClock, systemRandom } from '@watchword/node';
import { behindProxies, type Listener, serve } from '@watchword/node/http';
import { type CertifiedKey, createAuthority, issueServerCertificate } from '@watchword/pki';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWebServiceHandler } from './handler.ts';

const ports = { clock: systemClock, random: systemRandom };
const day = 86_400_000;
const users = '/CN=Default\\\\alice/UID=alice/DC=Default/description=USER';
const systems = '/CN=VPN/description=CLIENT';

let fixture: Fixture;
let enrolment: Enrolment;
let other: CertifiedKey;
let tls: { certificate: string; key: string };
beforeAll(async () => {
  fixture = await openFixture({ config: { limits: { login_failure_delay_ms: 0 } } });
  enrolment = await openEnrolment(fixture);
  other = await createAuthority({ commonName: 'Fixture CA', days: 9 }, ports);
  const local = { names: ['localhost'], addresses: ['127.0.0.1'], days: 1 };
  tls = await issueServerCertificate(fixture.authority, local, ports);
});
afterAll(async () => {
  await enrolment.close();
  await fixture.close();
});

const signed = (subject: string) => enrolment.sign(subject);

type Demand = 'none' | 'certificate' | 'either';

interface Door {
  readonly listener: Listener;
  readonly node: Fixture;
  /** What certificates are checked against, PEM. */
  readonly authorities: string;
}

/** Runs work on a server whose service demands this. */
async function demanding<T>(
  require: Demand,
  work: (door: Door) => Promise<T>,
  { authorities = fixture.authority.certificate, ...config }: Partial<ServiceConfigInput> & Options = {},
): Promise<T> {
  const node = await fixture.another({ config: { websrvs: { otp: { require } }, ...config } });
  const handler = behindProxies(createWebServiceHandler(node.service), {
    ...{ proxies: ['127.0.0.1'], headers: { address: 'X-Forwarded-For', certificate: 'Client-Cert' } },
    ...{ ca: authorities, clock: fixture.clock },
  });
  const listener = await serve(handler, { host: '127.0.0.1', port: 0, tls: { ...tls, ca: authorities } });
  try {
    return await work({ listener, node, authorities });
  } finally {
    await listener.close();
    await node.close();
  }
}

interface Options {
  readonly authorities?: string;
}

interface Sent extends RequestOptions {
  readonly body?: string;
}

function send({ listener }: Door, path: string, { body, ...options }: Sent) {
  const usual = {
    ca: fixture.authority.certificate,
    agent: false,
    method: body === undefined ? 'GET' : 'POST',
  };
  return new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    const asked = request(`${listener.url}${path}`, { ...usual, ...options }, async (response) => {
      const text = Buffer.concat(await response.toArray()).toString();
      resolve({ status: response.statusCode, text });
    });
    asked.on('error', reject).end(body);
  });
}

/** From an address that is no proxy's, on a connection that the system has made itself. */
const direct = (pair?: CertifiedKey): Sent => ({
  localAddress: '127.0.0.2',
  ...(pair && { cert: pair.certificate, key: pair.key }),
});

/** By a proxy, which passes the certificate on. */
const proxied = (pair: CertifiedKey): Sent => ({
  headers: { 'client-cert': `:${new X509Certificate(pair.certificate).raw.toString('base64')}:` },
});

const soap =
  '<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body><otpStatus/></e:Body></e:Envelope>';

/** Whether REST, SOAP and REST by a proxy let it in; all of them agree. */
async function isLetIn(door: Door, pair: CertifiedKey): Promise<boolean> {
  const rest = await send(door, 'otp/json/otpStatus/', direct(pair));
  const bySoap = await send(door, 'otp/', { ...direct(pair), body: soap });
  const byProxy = await send(door, 'otp/json/otpStatus/', proxied(pair));
  expect(byProxy.status).toBe(rest.status);
  expect(bySoap.text.includes('<status>true</status>')).toBe(rest.status === 200);
  expect([200, 401]).toContain(rest.status);
  return rest.status === 200;
}

describe.each<Demand>(['certificate', 'either'])('where %s is demanded', (demand) => {
  it('a certificate that our authority signed for a system is let in, until it is revoked', async () => {
    const pair = await signed(systems);
    await demanding(demand, async (door) => {
      expect(await isLetIn(door, pair)).toBe(true);
      const serial = new X509Certificate(pair.certificate).serialNumber;
      expect((await fixture.call('Revoke_Certificate', { serial })).result).toBe(true);
      expect(await isLetIn(door, pair)).toBe(false);
    });
  });

  it('one that is over is refused', async () => {
    const pair = await signed(systems);
    await demanding(demand, async (door) => {
      expect(await isLetIn(door, pair)).toBe(true);
      fixture.clock.advance(366 * day);
      expect(await isLetIn(door, pair)).toBe(false);
      fixture.clock.advance(-366 * day);
    });
  });

  it.each<[string, () => Promise<CertifiedKey>]>([
    ['a user’s', () => signed(users)],
    ['an administrator’s', () => signed(`/CN=${fixture.admin.dn}/description=ADMIN`)],
    [
      'one of our authority that is not on record',
      () => enrolment.openssl.certify(systems, { by: fixture.authority }),
    ],
    ['one of another authority that has our name', () => enrolment.openssl.certify(systems, { by: other })],
    ['a self-signed one', () => enrolment.openssl.certify(systems)],
    ['our server’s own', async () => tls],
  ])('%s is refused', async (_, pairOf) => {
    const pair = await pairOf();
    expect(await demanding(demand, (door) => isLetIn(door, pair))).toBe(false);
  });

  it('nobody is let in without one, nor by a proxy’s own', async () => {
    const pair = await signed(systems);
    await demanding(demand, async (door) => {
      expect((await send(door, 'otp/json/otpStatus/', direct())).status).toBe(401);
      const own = { cert: pair.certificate, key: pair.key };
      expect((await send(door, 'otp/json/otpStatus/', own)).status).toBe(401);
      const forged = { ...direct(), ...proxied(pair) };
      expect((await send(door, 'otp/json/otpStatus/', forged)).status).toBe(401);
    });
  });
});

describe('an authority of the operator’s own', () => {
  it('answers for its certificates where any counts, and not for those of ours that are no system’s', async () => {
    const theirs = await enrolment.openssl.certify('/CN=portal', { by: other });
    const forged = await enrolment.openssl.certify('/CN=portal');
    const pairs = [theirs, await signed(systems), await signed(users), forged];
    const authorities = other.certificate + fixture.authority.certificate;
    const letIn = (caller_certificates: 'any' | 'own') =>
      demanding('certificate', (door) => Promise.all(pairs.map((pair) => isLetIn(door, pair))), {
        ...{ authorities, caller_certificates },
      });
    expect(await letIn('any')).toEqual([true, true, false, false]);
    expect(await letIn('own')).toEqual([false, true, false, false]);
  });
});

describe('the client policy of a certificate', () => {
  const clients = { vpn: { mode: 'no_access' as const } };
  const login = async (door: Door, sent: Sent, client?: string) => {
    const { username, password } = fixture.users.alice;
    const settings = 'Otp.LoginMode=LDAP';
    const body = JSON.stringify({ username, ldapPassword: password, settings, ...(client && { client }) });
    const headers = { 'content-type': 'application/json', ...sent.headers };
    const { text } = await send(door, 'otp/json/otpNormalLogin/', { ...sent, headers, body });
    return JSON.parse(text).code;
  };

  it('is the one of its name, whatever a request says', async () => {
    await fixture.call('Activate_LDAP_Object', { dn: fixture.users.alice.dn });
    const [vpn, portal] = [await signed(systems), await signed('/CN=portal/description=CLIENT')];
    await demanding(
      'certificate',
      async (door) => {
        expect(await login(door, direct(vpn))).toBe(0);
        expect(await login(door, direct(vpn), 'portal')).toBe(0);
        expect(await login(door, proxied(vpn), 'portal')).toBe(0);
        expect(await login(door, direct(portal))).toBe(1);
        expect(await login(door, direct(portal), 'vpn')).toBe(0);
      },
      { clients },
    );
  });
});
