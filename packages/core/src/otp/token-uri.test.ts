/** `otpauth://` URIs and codes of tokens that belong to nobody, through the Manager. */
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStage, refusalOf, type Stage } from '../testing/stage.ts';
import { toBase32 } from './base32.ts';
import { formatUri } from './uri.ts';

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

/** As the two sides of a URI are read by whoever follows RFC 3986 and no more. */
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
  it('of a TOTP token has the fields of the specification, in their order', async () => {
    const session = await otp.Mobile_Session({ timeout: '60' });
    expect(read(await otp.TOTP_URI({ ...label, session }))).toEqual({
      type: 'totp',
      name: 'Example',
      fields: [
        ['secret', 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'],
        ['algorithm', 'SHA1'],
        ['digits', '6'],
        ['issuer', 'Otp'],
        ['period', '30'],
        ['userid', 'alice'],
        ['domain', 'Default'],
        ['endpoint', 'https://localhost:8443/otp/mobile'],
        ['session', session],
        ['version', '1'],
      ],
    });
  });

  it('of a HOTP token has its counter', async () => {
    const uri = await otp.HOTP_URI({ ...label, digits: 8, state: 42 });
    expect(read(uri).fields.slice(2, 5)).toEqual([
      ['digits', '8'],
      ['issuer', 'Otp'],
      ['counter', '42'],
    ]);
    expect(uri).not.toContain('session=');
  });

  it.each([
    [20, 'SHA1'],
    [32, 'SHA256'],
    [64, 'SHA512'],
  ])('with a key of %i bytes says %s, and the secret in base32', async (length, algorithm) => {
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
  });

  it('says whatever it is given, in ASCII', () => {
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

  it('speaks the words and the addresses of the installation', async () => {
    const names = { Otp: 'ExampleOTP', otp: 'exampleotp' };
    const theirs = await stage.enter({ config: { names, ws_url: 'https://login.example.com' } });
    const uri = await theirs.Otp.TOTP_URI({ ...label, session: 'aB3dE5fG7hJ9kL1m' });
    expect(read(uri).fields).toContainEqual(['issuer', 'ExampleOTP']);
    expect(read(uri).fields).toContainEqual(['endpoint', 'https://login.example.com/exampleotp/mobile']);
  });

  it('is false where the contract says so', async () => {
    expect(await otp.HOTP_URI({ ...label, state: 'x' })).toBe(false);
    expect(await otp.HOTP_URI({ ...label, state: -1 })).toBe(false);
    expect(await otp.TOTP_URI({ ...label, period: 1 })).toBe(false);
    expect(await otp.TOTP_URI({ ...label, period: 0 })).toBe(false);
    expect(await otp.TOTP_URI({ ...label, tinyurl: true })).toBe(false);
    expect(await otp.TOTP_URI({ ...label, tinyurl: true, session: 'aB3dE5fG7hJ9kL1m' })).toBe(false);
  });

  it.each([
    { digits: 7 },
    { key: 'AAAA' },
    { name: 'x'.repeat(129) },
    { userid: 'x'.repeat(129) },
    { domain: 'x'.repeat(65) },
  ])('is refused: %o', async (wrong) => {
    expect(await refusalOf(otp.TOTP_URI({ ...label, ...wrong }))).toMatchObject({ reason: 'invalid_params' });
  });

  it('at its longest fits into a QR code', async () => {
    const most = { name: '漢'.repeat(128), userid: '漢'.repeat(128), domain: 'd'.repeat(64) };
    const long = Buffer.alloc(64, 1).toString('base64');
    const session = await otp.Mobile_Session({ timeout: 60 });
    const uri = await otp.TOTP_URI({ ...label, ...most, key: long, digits: 10, session });
    expect(String(uri).length).toBeLessThanOrEqual(2953);
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

  it('of a HOTP token brings the counter behind it', async () => {
    expect(await otp.HOTP_Verify({ otp: '969429', key, length: 6 })).toBe(4);
    expect(await otp.HOTP_Verify({ otp: '969429', key, length: 6, state: 4 })).toBe(false);
    expect(
      await otp.HOTP_Verify({
        otp: oathtool('--hotp', '--counter=99', '--digits=8'),
        key,
        length: '8',
        state: '90',
      }),
    ).toBe(100);
    expect(await otp.HOTP_Verify({ otp: 969429, key, length: 8 })).toBe(false);
  });

  it('of a TOTP token brings its step and drift, and is not good after it', async () => {
    const otp1 = oathtool('--totp', '-s45s', now());
    const step = Math.floor(stage.fixture.clock.now() / 45_000);
    const state = await otp.TOTP_Verify({ otp: otp1, key, length: 6, period: 45 });
    expect(state).toBe(`${step}:0`);
    expect(await otp.TOTP_Verify({ otp: otp1, key, length: 6, period: 45, state: String(state) })).toBe(
      false,
    );
    expect(await otp.TOTP_Verify({ otp: otp1, key, length: 6 })).toBe(false);
  });

  it('needs a state that is one', async () => {
    const refusals = await Promise.all([
      refusalOf(otp.HOTP_Verify({ otp: '969429', key, length: 6, state: '1:1' })),
      refusalOf(otp.TOTP_Verify({ otp: '969429', key, length: 6, state: 'x' })),
      refusalOf(otp.TOTP_Verify({ otp: '969429', key, length: 5 })),
    ]);
    expect(refusals.map(({ reason }) => reason)).toEqual(Array(3).fill('invalid_params'));
  });
});
