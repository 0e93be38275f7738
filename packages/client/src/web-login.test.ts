/** Logins at real web services: password and token, challenges, API keys and client certificates. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  clientCertificate,
  type Fixture,
  type FixtureOptions,
  openFixture,
} from '@watchword/core/testing/bed';
import type { CertifiedKey } from '@watchword/pki';
import { createWebServiceHandler } from '@watchword/server-ws';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type NodeTransportOptions, nodeTransport } from './node.ts';
import type { WebServicesOptions } from './options.ts';
import { newAuthority, startHttps } from './testing/https-server.ts';
import { createWebServices } from './web-services.ts';

const key = Buffer.from('a secret of 20 bytes');

let fixture: Fixture;
let authority: CertifiedKey;
beforeAll(async () => {
  fixture = await openFixture();
  authority = await newAuthority('test CA');
  const { dn } = fixture.users.alice;
  await fixture.call('Activate_LDAP_Object', { dn });
  await fixture.call('Otp.TOTP_Register', { dn, key: key.toString('base64') });
});
afterAll(() => fixture.close());

interface Connecting extends NodeTransportOptions {
  /** Settings of the service. */
  readonly config?: FixtureOptions['config'];
  readonly client?: Partial<WebServicesOptions>;
}

/** A client of a node of its own. */
async function connect({ config, client, ...transport }: Connecting = {}) {
  const node = await fixture.another(config === undefined ? {} : { config });
  onTestFinished(() => node.close());
  const { url } = await startHttps(createWebServiceHandler(node.service), authority);
  const { fetch, close } = nodeTransport({ ca: authority.certificate, ...transport });
  onTestFinished(close);
  return createWebServices({ url, fetch, ...client });
}

/** A code that was good for no login yet, from a program that is not ours. */
function nextCode(): string {
  fixture.clock.advance(30_000);
  const now = `@${Math.floor(fixture.clock.now() / 1000)}`;
  return execFileSync('oathtool', ['--totp', '--now', now, key.toString('hex')], { encoding: 'utf8' }).trim();
}

const granted = {
  code: 1,
  outcome: 'granted',
  error: '',
  message: 'Authentication success',
  username: 'alice',
  domain: 'Default',
  data: '',
  concat: 0,
};
const alice = () => ({ username: 'alice', ldapPassword: fixture.users.alice.password });

describe('a login', () => {
  it('with password and code succeeds, with the same code not again', async () => {
    const web = await connect();
    const both = { ...alice(), otpPassword: nextCode() };
    expect(await web.otp.normalLogin(both)).toEqual(granted);
    expect(await web.otp.normalLogin(both)).toEqual({
      code: 0,
      outcome: 'refused',
      error: 'AuthFailed',
      message: 'Invalid username or password',
    });
    expect(await web.otp.login({ ...both, otpPassword: nextCode() })).toEqual(granted);
  });

  it('in one text succeeds', async () => {
    const web = await connect();
    const anyPassword = `${fixture.users.alice.password}${nextCode()}`;
    expect(await web.otp.simpleLogin({ username: 'alice', anyPassword })).toEqual({ ...granted, concat: 6 });
  });

  it('is a challenge without a code, which is answered', async () => {
    const web = await connect();
    const asked = await web.otp.normalLogin(alice());
    if (asked.outcome !== 'challenge') throw new Error(asked.message);
    expect(asked).toMatchObject({
      code: 2,
      message: 'Enter your TOKEN password',
      otpChallenge: 'TOKEN',
      timeout: 90,
    });
    const { session } = asked;
    const answer = { username: 'alice', session, otpPassword: nextCode() };
    expect(await web.otp.challenge(answer)).toEqual(granted);
    expect(await web.otp.challenge(answer)).toMatchObject({ code: 0, error: 'NoSession' });
  });
});

describe('the status', () => {
  it('is told', async () => {
    const web = await connect();
    expect(await web.otp.status()).toEqual({ status: true, message: expect.stringMatching(/^Server: /m) });
  });
});

describe('a service under another name', () => {
  const config = { names: { otp: 'exampleotp', Otp: 'ExampleOTP' } };

  it('is found by that name, and by ours', async () => {
    const named = await connect({ config, client: { names: { otp: 'exampleotp' } } });
    expect(await named.otp.status()).toMatchObject({ status: true });
    expect(await (await connect({ config })).otp.status()).toMatchObject({ status: true });
  });

  it('is not found by a wrong one', async () => {
    const web = await connect({ client: { names: { otp: 'exampleotp' } } });
    await expect(web.otp.status()).rejects.toMatchObject({ reason: 'protocol', httpStatus: 404 });
  });
});

describe('an operation that the server does not have', () => {
  it('is an error that says so', async () => {
    const { otp } = await connect();
    const fly: unknown = Reflect.get(otp, 'fly');
    expect(fly).toBeTypeOf('function');
    await expect((fly as typeof otp.status)()).rejects.toMatchObject({
      reason: 'method_not_found',
      httpStatus: 404,
      method: 'otpFly',
    });
  });
});

describe('a service that wants to know who calls', () => {
  const secret = '0123456789abcdef0123456789abcdef01234567';
  const sha256 = createHash('sha256').update(secret).digest('hex');
  const require = (kind: 'api_key' | 'certificate') => ({
    api_keys: { '7': { sha256 } },
    websrvs: { otp: { require: kind } },
    caller_certificates: 'any' as const, // of the authority of the test's server, which the service does not know
  });
  const refused = { reason: 'credentials_refused', httpStatus: 401 };

  it('takes an API key', async () => {
    const config = require('api_key');
    const web = await connect({ config, client: { apiKey: `7_${secret}` } });
    expect(await web.otp.status()).toMatchObject({ status: true });
    await expect((await connect({ config })).otp.status()).rejects.toMatchObject(refused);
  });

  it('takes a client certificate', async () => {
    const config = require('certificate');
    const { certificate: cert, key } = clientCertificate(authority);
    expect(await (await connect({ config, cert, key })).otp.status()).toMatchObject({ status: true });
    await expect((await connect({ config })).otp.status()).rejects.toMatchObject(refused);
  });
});
