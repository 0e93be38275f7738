/** `Get_QRCode` as a caller sees it: parameters, refusals, and that the audit keeps the secret. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readQrCode } from '../../testing/bed/engines/qr-reader.ts';
import { type Fixture, openFixture } from '../../testing/bed/fixture.ts';
import { utilityMethods } from './methods.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture.close());

const uri = 'otpauth://totp/Alice?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

async function draw(params: Readonly<Record<string, unknown>>): Promise<Buffer> {
  const { result } = await fixture.call('Get_QRCode', { uri, ...params });
  return Buffer.from(String(result), 'base64');
}

/** Width and height of a GIF: the logical screen descriptor. */
const sideOf = (gif: Buffer): readonly number[] => [gif.readUInt16LE(6), gif.readUInt16LE(8)];

describe('Get_QRCode', () => {
  it('draws a GIF of 5 pixels to a module with a quiet zone of 4 when nothing else is said', async () => {
    const gif = await draw({});
    expect(gif.subarray(0, 6).toString('latin1')).toBe('GIF87a');
    // 60 characters fit version 4 at level M (62): 33 modules
    expect(sideOf(gif)).toEqual([(33 + 8) * 5, (33 + 8) * 5]);
    expect(await readQrCode(gif)).toBe(uri);
  });

  it('takes numbers as texts and words in any case, as the examples of the field write them', async () => {
    const gif = await draw({ format: 'gif', margin: '1', size: '3' });
    expect(sideOf(gif)).toEqual([(33 + 2) * 3, (33 + 2) * 3]);
    expect((await draw({ format: 'Png' })).subarray(1, 4).toString('latin1')).toBe('PNG');
  });

  it.each([
    [{}, 'Missing parameter uri'],
    [{ uri: '' }, 'Parameter uri is empty'],
    [{ uri: ['a'] }, 'Parameter uri not String'],
    [{ uri: 'a\ud800' }, 'Parameter uri not String'],
    [{ uri: 'a', size: 0 }, 'Parameter size is not from 1 to 10'],
    [{ uri: 'a', size: 11 }, 'Parameter size is not from 1 to 10'],
    [{ uri: 'a', size: 1.5 }, 'Parameter size not Integer'],
    [{ uri: 'a', margin: 6 }, 'Parameter margin is not from 0 to 5'],
    [{ uri: 'a', margin: -1 }, 'Parameter margin not Integer'],
    [{ uri: 'a', format: 'BMP' }, 'Parameter format is none of GIF, PNG, JPG, SVG, TXT'],
  ])('%j is refused: %s', async (params, data) => {
    const { error } = await fixture.call('Get_QRCode', params);
    expect(error).toMatchObject({ code: -32602, reason: 'invalid_params', data });
  });

  it('draws texts of any alphabet', async () => {
    const text = 'WIFI:S:Café Zoë;P:漢字 🔑;;';
    expect(await readQrCode(await draw({ uri: text, format: 'PNG' }))).toBe(text);
  });

  it('holds 2953 bytes and no more', async () => {
    expect(
      (await fixture.call('Get_QRCode', { uri: 'a'.repeat(2953), format: 'TXT' })).error,
    ).toBeUndefined();
    for (const uri of ['a'.repeat(2954), `${'é'.repeat(1476)}a`]) {
      const { error } = await fixture.call('Get_QRCode', { uri });
      const data = 'Parameter uri takes 2954 bytes, and a QR code holds 2953';
      expect(error).toMatchObject({ reason: 'too_large', data });
    }
  });

  it('would tell the audit nothing of the URI, which holds the secret of a token', () => {
    expect(utilityMethods.Get_QRCode.params.uri.audit(uri)).toBe('***');
  });
});
