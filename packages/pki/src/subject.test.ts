/** Names that two readers could read differently (RFC 5280 §4.1.2.4): none of them is anybody's. */
import {
  Set as AsnSet,
  type BaseBlock,
  BmpString,
  Constructed,
  IA5String,
  ObjectIdentifier,
  PrintableString,
  Sequence,
  TeletexString,
  UniversalString,
  Utf8String,
} from 'asn1js';
import { RelativeDistinguishedNames } from 'pkijs';
import { expect, it } from 'vitest';
import { readSubject } from './subject.ts';

const commonName = '2.5.4.3';
const pair = (value: BaseBlock) =>
  new Sequence({ value: [new ObjectIdentifier({ value: commonName }), value] });

/** A subject with a common name in each part. */
function read(...parts: readonly AsnSet[]) {
  return readSubject(RelativeDistinguishedNames.fromBER(new Sequence({ value: [...parts] }).toBER()));
}
const part = (...values: readonly BaseBlock[]) => new AsnSet({ value: values.map(pair) });
const utf8 = (value: string) => new Utf8String({ value });
const bytes = (...octets: readonly number[]) => new Utf8String({ valueHex: Uint8Array.from(octets).buffer });

it.each<[string, BaseBlock]>([
  ['alice', utf8('alice')],
  ['Zoë Ключ 名', utf8('Zoë Ключ 名')],
  ['alice', new PrintableString({ value: 'alice' })],
  ['alice@example.org', new IA5String({ value: 'alice@example.org' })],
])('reads %s', (text, value) => {
  expect(read(part(value))).toEqual([{ type: commonName, value: text }]);
});

it.each<[string, BaseBlock]>([
  ['a NUL, where a reader in C stops', utf8('alice\0.example.org')],
  ['a line break, which forges one in a log', utf8('alice\ndone')],
  ['a change of direction, which shows it backwards', utf8('\u202Eecila')],
  ['a mark of direction', utf8('alice\u200F')],
  ['nothing', utf8('')],
  ['no UTF-8', bytes(0x61, 0xff)],
  ['a letter written too long', bytes(0xc1, 0xa1)],
  ['half of a pair', bytes(0xed, 0xa0, 0x80)],
  ['UTF-8 in IA5String', new IA5String({ valueHex: Uint8Array.of(0xc3, 0xa9).buffer })],
  ['TeletexString', new TeletexString({ value: 'alice' })],
  ['BMPString', new BmpString({ value: 'alice' })],
  ['UniversalString', new UniversalString({ value: 'alice' })],
  ['pieces', new Constructed({ idBlock: { tagClass: 1, tagNumber: 12 }, value: [utf8('alice')] })],
])('reads nobody in %s', (_, value) => {
  expect(read(part(value))).toBeUndefined();
});

it('reads nobody in a part of two values, or of none', () => {
  expect(read(part(utf8('alice'), utf8('bob')))).toBeUndefined();
  expect(read(part(utf8('alice')), part())).toBeUndefined();
});
