/** A VPN or a Wi-Fi asks FreeRADIUS, and FreeRADIUS asks Watchword: a password and a code in one, or a code when it is asked for. */
import { createHash } from 'node:crypto';
import { type Fixture, openFixture } from '@watchword/core/testing/bed';
import { systemClock, systemRandom } from '@watchword/node';
import { type Listener, serve } from '@watchword/node/http';
import { createAuthority, issueServerCertificate } from '@watchword/pki';
import { webServiceServer } from '@watchword/server-ws';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Radius, type RadiusOptions, startRadius } from './radiusd.ts';

const secret = '0123456789abcdef0123456789abcdef01234567';

let fixture: Fixture;
let services: Listener | undefined;
let tls: RadiusOptions['tls'];
let ca = '';
let port = 0;
let radius: Radius;
let stranger: Radius;
beforeAll(async () => {
  const sha256 = createHash('sha256').update(secret).digest('hex');
  fixture = await openFixture({
    config: {
      api_keys: { '7': { sha256, services: ['otp'] } },
      clients: {
        vpn: { networks: [{ network: '198.51.100.0/24', settings: { 'Otp.EnableLogin': 'No' } }] },
      },
    },
  });
  const ports = { clock: systemClock, random: systemRandom };
  const authority = await createAuthority({ commonName: 'RADIUS tests', days: 2 }, ports);
  tls = await issueServerCertificate(authority, { names: ['localhost'], addresses: [], days: 1 }, ports);
  await listen();
  ca = authority.certificate;
  const asking = { url: `https://localhost:${port}/`, ca, tls };
  radius = await startRadius({ ...asking, apiKey: `7_${secret}` });
  stranger = await startRadius({ ...asking, apiKey: `7_${'f'.repeat(40)}` });
});
afterAll(async () => {
  await radius?.stop();
  await stranger?.stop();
  await services?.close();
  await fixture?.close();
});

async function listen(): Promise<void> {
  services = await serve(webServiceServer(fixture.service), { host: 'localhost', port, tls });
  port = Number(new URL(services.url).port);
}

let people = 0;
interface Person {
  readonly username: string;
  readonly dn: string;
}
async function person(password: string): Promise<Person> {
  people += 1;
  const username = `radius-${people}`;
  const dn = `uid=${username},ou=people,${fixture.base}`;
  const attrs = { objectclass: ['inetOrgPerson', 'webadmAccount'], cn: 'P', sn: 'P', userpassword: password };
  expect((await fixture.call('Create_LDAP_Object', { dn, attrs })).error).toBeUndefined();
  return { username, dn };
}
const codeOf = async ({ dn }: Person): Promise<string> =>
  String((await fixture.call('Otp.Emerg_Register', { dn, expires: 86_400, maxuse: 1 })).result);

const ask = (username: string, password: string, more: Record<string, string> = {}, at = radius) =>
  at.ask({ 'User-Name': username, 'User-Password': password, ...more });
const stateIn = (answer: string): string => /State = (0x[0-9a-f]+)/.exec(answer)?.[1] ?? '';

beforeEach(() => {
  fixture.clock.advance(86_400_000);
});

it('a password with the code behind it is accepted, once', async () => {
  const alice = await person('Correct-Horse-7');
  const code = await codeOf(alice);
  const answer = await ask(alice.username, `Correct-Horse-7${code}`);
  expect(answer).toMatch(/^Access-Accept /);
  expect(answer).toContain('Reply-Message = "Authentication success"');
  expect(await ask(alice.username, `Correct-Horse-7${code}`)).toMatch(/^Access-Reject /);
});

it('a password alone is answered with a challenge, and the code to that is accepted', async () => {
  const alice = await person('Correct-Horse-7');
  const code = await codeOf(alice);
  const challenge = await ask(alice.username, 'Correct-Horse-7');
  expect(challenge).toMatch(/^Access-Challenge /);
  expect(challenge).toContain('Reply-Message = "Enter your EMERGENCY password"');
  const state = { State: stateIn(challenge) };
  expect(await ask(alice.username, code, state)).toMatch(/^Access-Accept /);
  expect(await ask(alice.username, code, state)).toMatch(/^Access-Reject /);
});

it('a wrong code to a challenge is refused, and that of another user too', async () => {
  const [alice, bob] = [await person('Correct-Horse-7'), await person('Correct-Horse-8')];
  const [, code] = [await codeOf(alice), await codeOf(bob)];
  const state = { State: stateIn(await ask(alice.username, 'Correct-Horse-7')) };
  expect(await ask(alice.username, '00000000', state)).toMatch(/^Access-Reject /);
  expect(await ask(bob.username, code, state)).toMatch(/^Access-Reject /);
});

it.each([
  ['a wrong password', 'wrong'],
  ['an empty one', ''],
])('%s is refused', async (_, typed) => {
  const alice = await person('Correct-Horse-7');
  await codeOf(alice);
  expect(await ask(alice.username, typed)).toMatch(/^Access-Reject /);
});

it.each(['quote"s', 'back\\slash', 'per%cent%20', 'a&username=admin', 'Grüße €', '%{User-Name}', 'a b+c'])(
  'what is typed passes for nothing else: %s',
  async (odd) => {
    const alice = await person(`Aa1-${odd}`);
    const code = await codeOf(alice);
    expect(await ask(alice.username, `Aa1-${odd}${code}`)).toMatch(/^Access-Accept /);
  },
);

it('a request without a password is refused', async () => {
  const alice = await person('Correct-Horse-7');
  expect(await radius.ask({ 'User-Name': alice.username })).toMatch(/^Access-Reject /);
});

it('the policy of the client that FreeRADIUS knows counts, and the address of the person is told', async () => {
  const alice = await person('Correct-Horse-7');
  const typed = `Correct-Horse-7${await codeOf(alice)}`;
  const from = (address: string) => ask(alice.username, typed, { 'Calling-Station-Id': address });
  expect(await from('198.51.100.9')).toMatch(/^Access-Reject /);
  expect(await from('192.0.2.44')).toMatch(/^Access-Accept /);
  expect(fixture.events()).toContainEqual(expect.objectContaining({ source: '192.0.2.44' }));
  expect(await ask(alice.username, 'x', { 'Calling-Station-Id': '00-11-22-33-44-55' })).toMatch(
    /^Access-Reject /,
  );
});

it('nothing is answered where nobody has judged: the client asks the next server', async () => {
  const alice = await person('Correct-Horse-7');
  const code = await codeOf(alice);
  expect(await ask(alice.username, `Correct-Horse-7${code}`, {}, stranger)).toBe('');
  await services?.close();
  expect(await ask(alice.username, `Correct-Horse-7${code}`)).toBe('');
  await listen();
  expect(await ask(alice.username, `Correct-Horse-7${code}`)).toMatch(/^Access-Accept /);
});

it('of many packets with one code one is accepted', async () => {
  const alice = await person('Correct-Horse-7');
  const code = await codeOf(alice);
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => ask(alice.username, `Correct-Horse-7${code}`)),
  );
  expect(answers.filter((answer) => answer.startsWith('Access-Accept'))).toHaveLength(1);
});

describe('a device at a Wi-Fi, by EAP-TTLS', () => {
  const connect = (username: string, typed: string, more: Partial<Parameters<Radius['connect']>[0]> = {}) =>
    radius.connect({ identity: username, password: typed, ca, ...more });

  it.each(['Correct-Horse-7', 'quote"s', 'Grüße €'])(
    'lets a device in by password and code in one text, once: %s',
    async (own) => {
      const alice = await person(own);
      const typed = own + (await codeOf(alice));
      expect(await connect(alice.username, typed)).toBe('in');
      expect(await connect(alice.username, typed)).toBe('refused');
    },
  );

  it.each([
    ['a wrong password', 'wrong'],
    ['the password without a code: nobody could be asked for it', 'Correct-Horse-7'],
  ])('is not let in by %s', async (_, typed) => {
    const alice = await person('Correct-Horse-7');
    await codeOf(alice);
    expect(await connect(alice.username, typed)).not.toBe('in');
  });

  it.each(['auth=MSCHAPV2', 'auth=CHAP'])('is not let in by %s, which shows no password', async (inner) => {
    const alice = await person('Correct-Horse-7');
    const typed = `Correct-Horse-7${await codeOf(alice)}`;
    expect(await connect(alice.username, typed, { inner })).not.toBe('in');
    expect(await connect(alice.username, typed)).toBe('in');
  });

  it('judges a device again when it comes back with the session of its tunnel', async () => {
    const alice = await person('Correct-Horse-7');
    const typed = `Correct-Horse-7${await codeOf(alice)}`;
    expect(await connect(alice.username, typed, { returns: 1 })).toBe('refused');
    const accepted = fixture
      .events()
      .filter(({ text }) => text.includes(alice.username) && text.includes('granted'));
    expect(accepted).toHaveLength(1);
  });

  it('applies the client policy of the access point', async () => {
    const alice = await person('Correct-Horse-7');
    const typed = `Correct-Horse-7${await codeOf(alice)}`;
    expect(await connect(alice.username, typed)).toBe('in');
    expect(fixture.events().at(-1)?.text).toContain('wifi');
  });

  it('lets no device in while Watchword does not answer', async () => {
    const alice = await person('Correct-Horse-7');
    const typed = `Correct-Horse-7${await codeOf(alice)}`;
    await services?.close();
    expect(await connect(alice.username, typed)).not.toBe('in');
    await listen();
    expect(await connect(alice.username, typed)).toBe('in');
  });

  it('sends no password to a server whose certificate it does not trust', async () => {
    const alice = await person('Correct-Horse-7');
    const typed = `Correct-Horse-7${await codeOf(alice)}`;
    const ports = { clock: systemClock, random: systemRandom };
    const other = await createAuthority({ commonName: 'Somebody else', days: 2 }, ports);
    expect(await connect(alice.username, typed, { ca: other.certificate })).not.toBe('in');
    expect(await connect(alice.username, typed)).toBe('in');
  });
});
