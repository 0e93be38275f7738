/** Names that are one to OpenLDAP have one key, names that are two have two: asked of a real slapd. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { processorTime } from '../../testing/bed/measures/processor-time.ts';
import { openStage, type Stage } from '../../testing/bed/stage.ts';
import { Dn } from './dn.ts';
import { foldPiece, foldValue } from './rdn.ts';

/** Letters up to U+1FFFF that Unicode gives a lower case of one letter. */
const capitals = Array.from({ length: 0x1ffff }, (_, code) => String.fromCodePoint(code + 1)).filter(
  (letter) => /^[\p{Lu}\p{Lt}]$/u.test(letter) && letter !== lower(letter) && [...lower(letter)].length === 1,
);

function lower(letter: string): string {
  return letter.toLowerCase();
}

describe('keys of names', () => {
  let stage: Stage;
  let container: Dn;
  beforeAll(async () => {
    stage = await openStage('OpenLDAP');
    container = Dn.parse(await stage.container());
  });
  afterAll(() => stage.close());

  const named = (value: string) => container.child([{ type: 'cn', value }]);

  /** Whether slapd finds an entry that was added under one name under the other. */
  async function isOne(a: string, b: string): Promise<boolean> {
    const { service } = stage.ports.directory;
    await service.add(
      named(a),
      new Map([
        ['objectclass', ['person']],
        ['sn', ['x']],
      ]),
    );
    const found = await service.read(named(b), []);
    await service.remove(named(a));
    return found !== undefined;
  }

  it.each([
    ['a b', 'a  b'],
    [' a', 'a '],
    ['a\u00a0b', 'a b'],
    ['a\u2003\u3000b', 'a b'],
    ['ÀÉ', 'àé'],
    ['e\u0301', 'é'],
    ['ﬁ', 'fi'],
    ['Ａ', 'a'],
    ['Å', 'å'],
    ['OΣ', 'oσ'],
    ['ſ', 's'],
    ['𐐀', '𐐨'],
    ['#a', '#A'],
    ['a\\,B', 'A\\,b'],
  ])('are equal for %j and %j', async (a, b) => {
    expect(await isOne(a, b)).toBe(true);
    expect(named(a).equals(named(b))).toBe(true);
  });

  it.each([
    ['a\tb', 'a b'],
    ['a\nb', 'a b'],
    ['a\u2028b', 'a b'],
    ['a\u200bb', 'ab'],
    ['\ufeffa', 'a'],
    ['a\u0000', 'a'],
    ['straße', 'strasse'],
    ['STRAẞE', 'straße'],
    ['oς', 'oσ'],
    ['oΣ', 'oς'],
    ['İ', 'i\u0307'],
    ['ı', 'i'],
    ['™', 'tm'],
    ['Ⅰ', 'ⅰ'],
    ['Ⓐ', 'ⓐ'],
    ['á', 'a'],
  ])('differ for %j and %j', async (a, b) => {
    expect(await isOne(a, b)).toBe(false);
    expect(named(a).equals(named(b))).toBe(false);
  });

  it('lower the letters that slapd lowers, and no others', async () => {
    const wrong: string[] = [];
    for (const letter of capitals) {
      const [a, b] = [`x${letter}y`, `x${lower(letter)}y`];
      if (named(a).equals(named(b)) !== (await isOne(a, b)))
        wrong.push(letter.codePointAt(0)?.toString(16) ?? '');
    }
    expect(capitals.length).toBeGreaterThan(1000);
    expect(wrong).toEqual([]);
  });

  it('fold a part of a value as the whole', () => {
    for (const value of ['A  B', ' ÄΣ ', '™', '']) expect(foldPiece(value).trim()).toBe(foldValue(value));
    expect(foldPiece(' A')).toBe(' a');
  });

  it('fold a long value in linear time', async () => {
    const spent = await processorTime(() => foldValue(`${'é '.repeat(4000)}${' '.repeat(4000)}x`));
    expect(spent).toBeLessThan(50);
  });
});
