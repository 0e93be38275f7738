import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { systemClock, systemRandom } from '../../../../node/src/machine/index.ts';
import { createAuthority } from '../../../../pki/src/index.ts';
import type { ServiceConfigInput } from '../../config/config.ts';
import { readServiceConfig } from '../../index.ts';
import { Names } from '../../table/dialect.ts';
import { type Fixture, openFixture } from '../../testing/bed/fixture.ts';
import { KeyUses } from './api-keys/key-uses.ts';
import { CallerCertificates } from './caller-certificates.ts';
import { Callers, type Shown } from './callers.ts';
import { ClientPolicies } from './client-policies.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture.close());

const secret = '0123456789abcdef0123456789abcdef01234567';
const sha256 = createHash('sha256').update(secret).digest('hex');
const address = '192.0.2.7';
const certify = async (commonName: string) =>
  (await createAuthority({ commonName, days: 9 }, { clock: systemClock, random: systemRandom })).certificate;
const pem = await certify('Portal');
const authorized = { pem, authorized: true };
const selfMade = { pem, authorized: false };

const refused = expect.objectContaining({ reason: 'credentials_refused' });

/** Whatever they throw at once is thrown by the promise. */
function callersOf(config: Partial<ServiceConfigInput>) {
  const domains = { Default: { base: 'dc=example,dc=com' } };
  const read = readServiceConfig({ domains, caller_certificates: 'any', ...config });
  const ports = { ...fixture.core, config: read, names: new Names(read.names) };
  const clients = new ClientPolicies(ports);
  const keyUses = new KeyUses(ports);
  const callers = new Callers(ports, {
    certificates: new CallerCertificates(ports, clients),
    clients,
    keyUses,
  });
  return { identify: async (service: string, shown: Shown) => callers.identify(service, shown) };
}

type Demand = 'none' | 'api_key' | 'certificate' | 'either';

const keys = { 7: { sha256 } };
const identify = (require: Demand, shown: Omit<Shown, 'address'>) =>
  callersOf({ websrvs: { otp: { require } }, api_keys: keys }).identify('otp', { address, ...shown });

describe('Callers', () => {
  it.each<[Demand, Omit<Shown, 'address'>]>([
    ['none', {}],
    ['none', { certificate: selfMade }],
    ['none', { certificate: authorized }],
    ['api_key', { apiKey: `7_${secret}` }],
    ['certificate', { certificate: authorized }],
    ['either', { certificate: authorized }],
    ['either', { apiKey: `7_${secret}` }],
    ['either', { apiKey: `7_${secret}`, certificate: selfMade }],
  ])('where %s is demanded, takes %j', async (require, shown) => {
    expect(await identify(require, shown)).toEqual({
      address,
      ...(shown.apiKey !== undefined && { apiKey: '7' }),
      ...(shown.certificate?.authorized && { certificate: expect.stringMatching(/^other:[0-9a-f]{64}$/) }),
      ...((shown.apiKey !== undefined || shown.certificate?.authorized) && { trusted: true }),
    });
  });

  it('knows a certificate of another authority by its names, which a renewed one has too', async () => {
    const callers = callersOf({});
    const identityOf = async (certificate: string) =>
      (await callers.identify('otp', { address, certificate: { pem: certificate, authorized: true } }))
        .certificate;
    const [first, renewed, other] = await Promise.all(
      [pem, await certify('Portal'), await certify('VPN')].map(identityOf),
    );
    expect(renewed).toBe(first);
    expect(other).not.toBe(first);
  });

  it('trusts addresses that the configuration names', async () => {
    const callers = callersOf({ trusted_callers: ['192.0.2.0/29', '2001:db8::/64'] });
    const from = (where: string) => callers.identify('otp', { address: where });
    for (const trusted of [address, '::ffff:192.0.2.1', '2001:db8::7'])
      expect(await from(trusted)).toEqual({ address: trusted, trusted: true });
    for (const other of ['192.0.2.8', '2001:db8:0:1::7', ''])
      expect(await from(other)).toEqual({ address: other });
  });

  it.each<[Demand, Omit<Shown, 'address'>]>([
    ['api_key', {}],
    ['api_key', { certificate: authorized }],
    ['certificate', {}],
    ['certificate', { apiKey: `7_${secret}` }],
    ['certificate', { certificate: selfMade }],
    ['either', {}],
    ['either', { certificate: selfMade }],
    ['either', { certificate: authorized, apiKey: `8_${secret}` }],
    ['none', { apiKey: `7_${secret.replace('0', '1')}` }],
  ])('where %s is demanded, refuses %j', async (require, shown) => {
    await expect(identify(require, shown)).rejects.toEqual(refused);
  });

  it.each([
    '',
    '7',
    '7_',
    secret,
    `_${secret}`,
    `7_${secret.toUpperCase()}`,
    `7_${secret}0`,
    `07_${secret}`,
    ` 7_${secret}`,
    `7_${secret}\n`,
    `__proto___${secret}`,
    `7_${sha256.slice(0, 40)}`,
  ])('refuses the key %j even where none is demanded', async (apiKey) => {
    await expect(identify('none', { apiKey })).rejects.toEqual(refused);
  });

  it('takes a key for its services only, whatever they are called', async () => {
    const names = { otp: 'exampleotp' };
    const callers = callersOf({ names, api_keys: { 7: { sha256, services: ['otp'] } } });
    const shown = { address, apiKey: `7_${secret}` };
    expect(await callers.identify('otp', shown)).toEqual({ address, apiKey: '7', trusted: true });
    expect(await callers.identify('exampleotp', shown)).toEqual({ address, apiKey: '7', trusted: true });
    await expect(callers.identify('sshkey', shown)).rejects.toEqual(refused);
  });

  it('takes a key from its addresses only', async () => {
    const callers = callersOf({ api_keys: { 7: { sha256, clients: ['192.0.2.0/29', '2001:db8::1'] } } });
    const from = (where: string) => callers.identify('otp', { address: where, apiKey: `7_${secret}` });
    expect(await from('192.0.2.7')).toMatchObject({ apiKey: '7' });
    expect(await from('::ffff:192.0.2.7')).toMatchObject({ apiKey: '7' });
    expect(await from('2001:db8::1')).toMatchObject({ apiKey: '7' });
    for (const elsewhere of ['192.0.2.8', '2001:db8::2', ''])
      await expect(from(elsewhere)).rejects.toEqual(refused);
  });

  describe('a key with an end', () => {
    const end = '2026-11-20 13:00:00';
    const hour = 3_600_000;
    const before = 'f'.repeat(40);
    const digestBefore = createHash('sha256').update(before).digest('hex');
    const use = (row: object, key: string) =>
      callersOf({ api_keys: { 7: { sha256, ...row } } }).identify('otp', { address, apiKey: `7_${key}` });
    afterEach(() => fixture.clock.advance(Date.UTC(2026, 10, 20, 12) - fixture.clock.now()));

    it('admits a key until then, and refuses it from then on', async () => {
      fixture.clock.advance(hour - 1);
      expect(await use({ expires: end }, secret)).toMatchObject({ apiKey: '7' });
      fixture.clock.advance(1);
      await expect(use({ expires: end }, secret)).rejects.toEqual(refused);
    });

    it('admits both keys until the overlap ends, and the new one alone from then on', async () => {
      const renewed = { previous: { sha256: digestBefore, until: end } };
      fixture.clock.advance(hour - 1);
      for (const key of [before, secret]) expect(await use(renewed, key)).toMatchObject({ apiKey: '7' });
      fixture.clock.advance(1);
      await expect(use(renewed, before)).rejects.toEqual(refused);
      expect(await use(renewed, secret)).toMatchObject({ apiKey: '7' });
    });

    it('ends the key before as well when it ends within the overlap', async () => {
      fixture.clock.advance(hour);
      const renewed = { expires: end, previous: { sha256: digestBefore, until: '2026-11-20 14:00:00' } };
      await expect(use(renewed, before)).rejects.toEqual(refused);
    });

    it.each(['2026-02-30 00:00:00', '2026-11-20T13:00:00Z', 'tomorrow', ''])(
      'is no configuration with the end %j',
      (expires) => {
        expect(() => callersOf({ api_keys: { 7: { sha256, expires } } })).toThrow(/api_keys\.7\.expires/);
      },
    );

    it.each(['', 'x'.repeat(257), 'two\nlines'])('is no configuration with the owner %j', (owner) => {
      expect(() => callersOf({ api_keys: { 7: { sha256, owner } } })).toThrow(/api_keys\.7\.owner/);
    });
  });

  it('knows the client that a key stands for', async () => {
    const callers = callersOf({ clients: { vpn: {} }, api_keys: { 7: { sha256, client: 'vpn' } } });
    expect(await callers.identify('otp', { address, apiKey: `7_${secret}` })).toEqual({
      address,
      apiKey: '7',
      trusted: true,
      client: 'vpn',
    });
  });

  it('tells nothing of the key in its refusal', async () => {
    const error = await identify('none', { apiKey: `8_${secret}` }).catch((error: unknown) => error);
    expect(error).toEqual(refused);
    expect(String(error)).not.toContain(secret);
    expect(String(error)).toContain('API key');
  });
});
