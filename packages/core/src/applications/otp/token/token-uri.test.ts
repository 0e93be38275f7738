/** `otpauth://` URIs and codes of tokens that belong to nobody, through the Manager. */
import { execFileSync } from 'node:child_process';
import { createSecretKey } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { toBase32 } from '../../../foundation/oath/base32.ts';
import { hotp } from '../../../foundation/oath/hotp.ts';
import { formatUri } from '../../../foundation/oath/uri.ts';
import { timeStep } from '../../../foundation/oath/window.ts';
import { webRequest } from '../../../testing/bed/children/echo.ts';
import { forgiving } from '../../../testing/bed/forgiving.ts';
import { openStage, refusalOf, type Stage } from '../../../testing/bed/stage.ts';

const secret = Buffer.from('12345678901234567890');
const key = secret.toString('base64');
const label = { name: 'Example', key, userid: 'alice', domain: 'Default' };

let stage: Stage;
let otp: Stage['manager']['Otp'];
beforeAll(async () => {
  stage = await openStage('embedded');
  otp = stage.manager.Otp;
});
afterAll(() => stage.close());

/** Reads the two parts of a URI as RFC 3986 does. */
function read(uri: string | false) {
  const [, type, name = '', query = ''] = /^otpauth:\/\/(hotp|totp)\/([^?]*)\?(.*)$/.exec(String(uri)) ?? [];
  const fields = query.split('&').map((pair) => pair.split('='));
  return {
    type,
    name: decodeURIComponent(name),
    fields: fields.map(([n = '', v = '']) => [n, decodeURIComponent(v)]),
  };
}

describe('a URI', () => {
  it('has the fields of the specification in their order for a TOTP token', async () => {
    const session = await forgiving(otp).Mobile_Session({ timeout: '60' });
    expect(read(await otp.TOTP_URI({ ...label, session }))).toEqual({
      type: 'totp',
      name: 'localhost:Example',
      fields: [
        ['secret', 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'],
        ['algorithm', 'SHA1'],
        ['digits', '6'],
        ['issuer', 'localhost'],
        ['period', '30'],
        ['userid', 'alice'],
        ['domain', 'Default'],
        ['endpoint', 'https://localhost:8443/otp/mobile'],
        ['session', session],
        ['version', '1'],
      ],
    });
  });

  it('has the counter of a HOTP token', async () => {
    const uri = await forgiving(otp).HOTP_URI({ ...label, digits: 8, state: 42 });
    expect(read(uri).fields.slice(2, 5)).toEqual([
      ['digits', '8'],
      ['issuer', 'localhost'],
      ['counter', '42'],
    ]);
    expect(uri).not.toContain('session=');
  });

  it.each([
    [20, 'SHA1'],
    [32, 'SHA256'],
    [64, 'SHA512'],
  ])(
    'names for a key of %i bytes the algorithm %s, and has the secret in base32',
    async (length, algorithm) => {
      const long = stage.ports.random.bytes(length);
      const { fields } = read(
        await otp.TOTP_URI({ ...label, key: Buffer.from(long).toString('base64'), period: 60 }),
      );
      const theirs = execFileSync('base32', ['-w0'], { input: long, encoding: 'utf8' }).replace(/=+$/, '');
      expect(fields.slice(0, 2)).toEqual([
        ['secret', theirs],
        ['algorithm', algorithm],
      ]);
      expect(fields).toContainEqual(['period', '60']);
    },
  );

  it.each([
    ['TOTP_URI', 32, 'SHA1'],
    ['HOTP_URI', 64, 'SHA1'],
    ['TOTP_URI', 20, 'SHA512'],
  ] as const)('says the algorithm that it is given: %s, %i bytes, %s', async (write, length, algorithm) => {
    const long = Buffer.alloc(length, 7).toString('base64');
    expect(read(await otp[write]({ ...label, key: long, algorithm })).fields[1]).toEqual([
      'algorithm',
      algorithm,
    ]);
  });

  it('encodes any given text in ASCII', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 40 });
    fc.assert(
      fc.property(
        text,
        text,
        text,
        fc.uint8Array({ minLength: 20, maxLength: 20 }),
        (name, userid, domain, bytes) => {
          const uri = formatUri({
            ...{ type: 'TOTP', name, secret: bytes, digits: 6, issuer: 'A&B=C', moving: 30, userid, domain },
          });
          expect(uri).toMatch(/^otpauth:\/\/totp\/[A-Za-z0-9._~%-]*\?(?:[a-z]+=[A-Za-z0-9._~%-]*&?)+$/);
          const { name: readName, fields } = read(uri);
          expect([readName, ...fields]).toEqual([
            name,
            ['secret', toBase32(bytes)],
            ...[
              ['algorithm', 'SHA1'],
              ['digits', '6'],
              ['issuer', 'A&B=C'],
              ['period', '30'],
            ],
            ...[
              ['userid', userid],
              ['domain', domain],
              ['version', '1'],
            ],
          ]);
        },
      ),
    );
  });

  it('uses the words and the addresses of the installation', async () => {
    const names = { Otp: 'ExampleOTP', otp: 'exampleotp' };
    const theirs = await stage.enter({ config: { names, ws_url: 'https://login.example.com' } });
    const uri = await theirs.Otp.TOTP_URI({ ...label, session: 'aB3dE5fG7hJ9kL1m' });
    expect(read(uri).fields).toContainEqual(['endpoint', 'https://login.example.com/exampleotp/mobile']);
  });

  describe('names as its issuer', () => {
    const party = { id: 'example.org', name: 'Example Ltd.' };
    const ws_url = 'https://login.example.com:8443';
    const names = { Otp: 'ExampleOTP' };
    it.each<[string, object, object, string, string]>([
      ['the host of ws_url', { ws_url }, {}, 'login.example.com', 'login.example.com:alice'],
      [
        'the domain of relying_party',
        { ws_url, relying_party: { id: party.id } },
        {},
        party.id,
        'example.org:alice',
      ],
      ['the name of relying_party', { ws_url, relying_party: party }, {}, party.name, 'Example%20Ltd.:alice'],
      [
        'a name with a colon without it',
        { relying_party: { id: party.id, name: 'A: B' } },
        {},
        ...(['A  B', 'A%20%20B:alice'] as const),
      ],
      [
        'what the setting says',
        { relying_party: party, settings: { 'Otp.Issuer': 'Acme' } },
        {},
        ...(['Acme', 'Acme:alice'] as const),
      ],
      ['the application in the deployed dialect', { dialect: 'deployed', names }, {}, 'ExampleOTP', 'alice'],
      [
        'what the setting says in the deployed dialect',
        { dialect: 'deployed', names, settings: { 'Otp.Issuer': 'Acmé & Co' } },
        {},
        ...(['Acmé & Co', 'Acm%C3%A9%20%26%20Co:alice'] as const),
      ],
      [
        'nobody else than a name that has an issuer',
        { ws_url },
        { name: 'Other:a' },
        'login.example.com',
        'Other%3Aa',
      ],
    ])('%s', async (_, config, more, issuer, written) => {
      const theirs = await stage.enter({ config });
      const uri = String(await theirs.Otp.TOTP_URI({ ...label, name: 'alice', ...more }));
      expect(/^otpauth:\/\/totp\/([^?]*)/.exec(uri)?.[1]).toBe(written);
      expect(read(uri).fields).toContainEqual(['issuer', issuer]);
    });

    it('uses the setting of the user', async () => {
      const dn = await stage.person(await stage.container(), 'acme');
      const set = (issuer: string | null) =>
        stage.manager.Set_User_Settings({ dn, settings: { 'Otp.Issuer': issuer } });
      await set('Acme');
      expect(await otp.HOTP_URI({ ...label, userid: 'acme' })).toMatch(/^otpauth:\/\/hotp\/Acme:Example\?/);
      for (const wrong of ['', 'a:b', ' a', 'a\nb', 'x'.repeat(65)])
        expect(await refusalOf(set(wrong))).toMatchObject({
          reason: 'invalid_params',
          detail: expect.stringContaining('Otp.Issuer'),
        });
    });
  });

  it('returns false where the interface says so', async () => {
    expect(await otp.HOTP_URI({ ...label, state: 'x' })).toBe(false);
    expect(await forgiving(otp).HOTP_URI({ ...label, state: -1 })).toBe(false);
    expect(await otp.TOTP_URI({ ...label, period: 1 })).toBe(false);
    expect(await otp.TOTP_URI({ ...label, period: 0 })).toBe(false);
    expect(await otp.TOTP_URI({ ...label, tinyurl: true })).toBe(false);
    expect(await otp.TOTP_URI({ ...label, tinyurl: true, session: 'aB3dE5fG7hJ9kL1m' })).toBe(false);
  });

  it.each([
    { digits: 7 },
    { key: '' },
    { key: Buffer.alloc(1800).toString('base64') },
    { name: 'x'.repeat(129) },
    { userid: 'x'.repeat(129) },
    { domain: 'x'.repeat(65) },
  ])('is refused: %o', async (wrong) => {
    expect(await refusalOf(otp.TOTP_URI({ ...label, ...wrong }))).toMatchObject({ reason: 'invalid_params' });
  });

  it('accepts a key of any length that fits into a QR code, and names one that does not', async () => {
    for (const length of [1, 9, 129, 1500]) {
      const bytes = Buffer.alloc(length, 7);
      const uri = await otp.TOTP_URI({ ...label, key: bytes.toString('base64') });
      expect(read(uri).fields.slice(0, 2)).toEqual([
        ['secret', toBase32(bytes)],
        ['algorithm', 'SHA1'],
      ]);
      await stage.manager.Get_QRCode({ uri: String(uri), format: 'TXT' });
    }
    const key = Buffer.alloc(1800).toString('base64');
    expect((await refusalOf(otp.HOTP_URI({ ...label, key }))).detail).toMatch(
      /^Parameter key: the URI is \d+ characters, and a QR code holds 2953$/,
    );
  });

  it('fits into a QR code at the maximum length', async () => {
    const far = { userid: '漢'.repeat(128), domain: 'd'.repeat(64) };
    const theirs = await stage.enter({
      config: { domains: { Default: { base: stage.base }, [far.domain]: { base: stage.base } } },
    });
    await stage.person(await stage.container(), far.userid);
    const long = Buffer.alloc(64, 1).toString('base64');
    const session = await theirs.Otp.Mobile_Session({ timeout: 60 });
    const most = { ...label, ...far, name: '漢'.repeat(128), key: long, digits: 10, session };
    expect(String(await theirs.Otp.TOTP_URI(most)).length).toBeLessThanOrEqual(2953);
  });
});

describe('the user whom a URI names', () => {
  let [dn, userid, container] = ['', '', ''];
  let people = 0;
  beforeAll(async () => {
    container = await stage.container();
  });
  beforeEach(async () => {
    stage.fixture.clock.advance(600_000);
    people += 1;
    userid = `named${people}`;
    dn = await stage.person(container, userid);
    await stage.manager.Set_User_Settings({
      dn,
      settings: { 'Otp.OTPLength': '8', 'Otp.TOTPTimeStep': '60', 'Otp.LoginMode': 'OTP' },
    });
  });
  const uri = (more: object = {}) => otp.TOTP_URI({ ...label, userid, ...more });
  const fieldsOf = async (more: object = {}) => Object.fromEntries(read(await uri(more)).fields);
  const shown = (digits: number, period: number, off = 0) =>
    hotp({ secret: createSecretKey(secret), digits }, timeStep(stage.fixture.clock.now(), period) + off);
  const logsIn = async (otpPassword: string) =>
    (await stage.fixture.service.web.otp.normalLogin({ username: userid, otpPassword })).code === 1;

  it.each(['standard', 'deployed'] as const)('looks up the domain before the user: %s', async (dialect) => {
    const theirs = (await stage.enter({ config: { dialect } })).Otp;
    for (const write of [theirs.TOTP_URI, theirs.HOTP_URI]) {
      expect(await refusalOf(write({ ...label, domain: 'Nowhere', userid: 'nobody' }))).toEqual({
        reason: 'not_found',
        detail: "Domain 'Nowhere' not existing",
      });
      expect(await refusalOf(write({ ...label, domain: 'default', userid: 'nobody' }))).toEqual({
        reason: 'not_found',
        detail: 'User not found default\\nobody',
      });
    }
  });

  it('decides by the settings in force for it, groups and all; what the call says wins', async () => {
    expect(await fieldsOf()).toMatchObject({ digits: '8', period: '60' });
    expect(await fieldsOf({ digits: 10, period: 90 })).toMatchObject({ digits: '10', period: '90' });
    expect(read(await otp.HOTP_URI({ ...label, userid })).fields).toContainEqual(['digits', '8']);
    await stage.manager.Set_User_Settings({ dn, settings: { 'Otp.OTPLength': null } });
    const group = `cn=tens ${people},${container}`;
    await stage.manager.Create_LDAP_Object({
      dn: group,
      attrs: { objectclass: ['groupOfNames', 'webadmgroup'], member: dn },
    });
    await stage.manager.Set_User_Settings({ dn: group, settings: { 'Otp.OTPLength': '10' } });
    expect(await fieldsOf()).toMatchObject({ digits: '10', period: '60' });
  });

  const flows = {
    'without a session': async () => {
      await uri();
      await otp.TOTP_Register({ dn, key });
    },
    'registered before its URI was written': async () => {
      await otp.TOTP_Register({ dn, key });
      await uri();
    },
    interactive: async () => {
      const session = await otp.Mobile_Session({ timeout: 60 });
      await uri({ session });
      await confirm(session);
      await otp.TOTP_Register({ dn, key, session });
    },
    detached: async () => {
      const session = await otp.Mobile_Session({ timeout: 60, pincode: '1234' });
      await otp.TOTP_Register({ dn, key, session });
      await uri({ session });
      await confirm(session, '1234');
    },
  };
  const confirm = async (session: string, pincode?: string) => {
    const body = JSON.stringify({ session, otp: shown(8, 60), pincode });
    const headers = { 'content-type': 'application/json' };
    const { body: answer } = await stage.fixture.service.web.answer(
      webRequest('/otp/mobile', { body, headers }),
    );
    expect(JSON.parse(String(answer))).toMatchObject({ code: 1 });
  };

  it.each(Object.keys(flows) as (keyof typeof flows)[])(
    'logs in with what its QR code said, now and after a change of the settings: %s',
    async (flow) => {
      await flows[flow]();
      await stage.manager.Set_User_Settings({
        dn,
        settings: { 'Otp.OTPLength': '6', 'Otp.TOTPTimeStep': '30' },
      });
      expect([await logsIn(shown(6, 30, 1)), await logsIn(shown(8, 60, 1))]).toEqual([false, true]);
    },
  );

  it('logs in with the digits that the call of the URI said, without a session too', async () => {
    await uri({ digits: 10, period: 90 });
    await otp.TOTP_Register({ dn, key });
    expect([await logsIn(shown(8, 60)), await logsIn(shown(10, 90))]).toEqual([false, true]);
    stage.fixture.clock.advance(86_400_000);
    await otp.TOTP_Register({ dn, key });
    expect([await logsIn(shown(10, 90)), await logsIn(shown(8, 60))]).toEqual([false, true]);
  });
});

describe('the algorithm of a URI', () => {
  it('becomes the algorithm of the registered token, unless the registration names another', async () => {
    const dn = await stage.person(await stage.container(), 'said');
    const token = { dn, key: Buffer.alloc(32, 'said').toString('base64') };
    const logged = async () => (await otp.User_Tokens({ dn })).map(({ algorithm }) => algorithm);
    await otp.TOTP_URI({ ...label, userid: 'said', key: token.key, algorithm: 'SHA1' });
    await otp.TOTP_Register(token);
    expect(await logged()).toEqual(['SHA1']);
    await otp.TOTP_Register({ ...token, algorithm: 'SHA512' });
    expect(await logged()).toEqual(['SHA512']);
  });
});

describe('base32', () => {
  it.each([
    ['', ''],
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foo', 'MZXW6'],
    ['foob', 'MZXW6YQ'],
    ['fooba', 'MZXW6YTB'],
    ['foobar', 'MZXW6YTBOI'],
  ])('RFC 4648 §10: %j', (plain, encoded) => expect(toBase32(Buffer.from(plain))).toBe(encoded));
});

describe('a code of nobody', () => {
  const oathtool = (...args: string[]) =>
    execFileSync('oathtool', [...args, '-'], { input: secret.toString('hex'), encoding: 'utf8' }).trim();
  const now = () =>
    `--now=${new Date(stage.fixture.clock.now()).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

  it('returns the next counter of a HOTP token', async () => {
    expect(await otp.HOTP_Verify({ otp: '969429', key, length: 6 })).toBe(4);
    expect(await forgiving(otp).HOTP_Verify({ otp: '969429', key, length: 6, state: 4 })).toBe(false);
    expect(
      await forgiving(otp).HOTP_Verify({
        otp: oathtool('--hotp', '--counter=99', '--digits=8'),
        key,
        length: '8',
        state: '90',
      }),
    ).toBe(100);
    expect(await forgiving(otp).HOTP_Verify({ otp: 969429, key, length: 8 })).toBe(false);
  });

  it('returns step and drift of a TOTP token, and refuses the code at a later state', async () => {
    const otp1 = oathtool('--totp', '-s45s', now());
    const step = Math.floor(stage.fixture.clock.now() / 45_000);
    const state = await otp.TOTP_Verify({ otp: otp1, key, length: 6, period: 45 });
    expect(state).toBe(`${step}:0`);
    expect(await otp.TOTP_Verify({ otp: otp1, key, length: 6, period: 45, state: String(state) })).toBe(
      false,
    );
    expect(await otp.TOTP_Verify({ otp: otp1, key, length: 6 })).toBe(false);
  });

  it.each([32, 64])('uses the given algorithm: %i bytes', async (length) => {
    const long = Buffer.alloc(length, 'x');
    const made = (...args: string[]) =>
      execFileSync('oathtool', [...args, '-'], { input: long.toString('hex'), encoding: 'utf8' }).trim();
    const token = { key: long.toString('base64'), length: 6 };
    const [byTime, byCounter] = [made('--totp=sha1', now()), made('--hotp')];
    expect(await otp.TOTP_Verify({ ...token, otp: byTime })).toBe(false);
    expect(await otp.TOTP_Verify({ ...token, otp: byTime, algorithm: 'SHA1' })).toMatch(/^\d+:0$/);
    expect(await otp.HOTP_Verify({ ...token, otp: byCounter })).toBe(false);
    expect(await otp.HOTP_Verify({ ...token, otp: byCounter, algorithm: 'SHA1' })).toBe(1);
  });

  it('refuses a malformed state', async () => {
    const refusals = await Promise.all([
      refusalOf(otp.HOTP_Verify({ otp: '969429', key, length: 6, state: '1:1' })),
      refusalOf(otp.TOTP_Verify({ otp: '969429', key, length: 6, state: 'x' })),
      refusalOf(otp.TOTP_Verify({ otp: '969429', key, length: 5 })),
    ]);
    expect(refusals.map(({ reason }) => reason)).toEqual(Array(3).fill('invalid_params'));
  });
});
