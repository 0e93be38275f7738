/** Distinguished names: examples of the RFCs, properties, hostile text. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { processorTime } from '../../testing/bed/measures/processor-time.ts';
import { Dn, foldValue, type Rdn, sameRdn } from './dn.ts';

/** Parses a text to type and value of each AVA, RDN by RDN. */
function parts(text: string): (readonly [string, unknown])[][] {
  return Dn.parse(text).rdns.map((rdn) => rdn.map(({ type, value }) => [type, value] as const));
}

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.string({ unit: fc.constantFrom(...' #"+,;<=>\\ab\u0000\n\t é😀'), maxLength: 12 }),
);
const bytes = fc.uint8Array({ minLength: 1, maxLength: 8 }).map((octets) => Uint8Array.of(0xff, ...octets));
const type = fc.constantFrom('cn', 'UID', 'ou', '2.5.4.97', 'x-some-type');
const rdn: fc.Arbitrary<Rdn> = fc.uniqueArray(
  fc.record({ type, value: fc.oneof({ weight: 9, arbitrary: text }, { weight: 1, arbitrary: bytes }) }),
  { minLength: 1, maxLength: 3, selector: (ava) => ava.type },
);
const name = fc.array(rdn, { minLength: 1, maxLength: 4 }).map(named);

function named(rdns: readonly Rdn[]): Dn {
  return rdns.reduceRight((above, next) => above.child(next), Dn.root);
}

const plain = (value: unknown): unknown => (value instanceof Uint8Array ? [...value] : value);
const plainRdns = (dn: Dn): unknown => dn.rdns.map((r) => r.map((ava) => [ava.type, plain(ava.value)]));

describe('examples of the RFCs', () => {
  it.each([
    ['UID=jsmith,DC=example,DC=net', [[['UID', 'jsmith']], [['DC', 'example']], [['DC', 'net']]]],
    [
      'OU=Sales+CN=J.  Smith,DC=example,DC=net',
      [
        [
          ['OU', 'Sales'],
          ['CN', 'J.  Smith'],
        ],
        [['DC', 'example']],
        [['DC', 'net']],
      ],
    ],
    [
      'CN=James \\"Jim\\" Smith\\, III,DC=example,DC=net',
      [[['CN', 'James "Jim" Smith, III']], [['DC', 'example']], [['DC', 'net']]],
    ],
    [
      'CN=Before\\0dAfter,DC=example,DC=net',
      [[['CN', 'Before\rAfter']], [['DC', 'example']], [['DC', 'net']]],
    ],
    ['1.3.6.1.4.1.1466.0=#04024869', [[['1.3.6.1.4.1.1466.0', 'Hi']]]],
    ['CN=Lu\\C4\\8Di\\C4\\87', [[['CN', 'Lučić']]]],
  ])('reads RFC 4514 §4: %s', (given, expected) => {
    expect(parts(given)).toEqual(expected);
  });

  it.each([
    ['CN=Steve Kille,O=Isode Limited,C=GB', 3],
    ['CN=L. Eagle,O=Sue\\, Grabbit and Runn,C=GB', 3],
    ['1.3.6.1.4.1.1466.0=#04024869,O=Test,C=GB', 3],
    ['SN=Lu\\C4\\8Di\\C4\\87', 1],
    // §4, the forms of LDAPv2
    ['CN = "Sue, Grabbit and Runn" ; O=Isode', 2],
    ['OID.2.5.4.3=x,oid.2.5.4.10=y', 2],
    ['CN=a , O=b', 2],
  ])('reads RFC 2253 §5: %s', (given, count) => {
    expect(Dn.parse(given).rdns).toHaveLength(count);
  });
});

describe('spellings of one name', () => {
  it.each([
    ['CN=Steve,O=Isode', 'cn=steve,o=isode'],
    ['cn=Steve, o=Isode', 'cn=Steve,o=Isode'],
    ['cn=Steve;o=Isode', 'cn=Steve,o=Isode'],
    ['cn= Steve   Kille ,o=Isode', 'cn=steve kille,o=isode'],
    ['cn="a,b",o=x', 'cn=a\\,b,o=x'],
    ['cn=a\\2Cb,o=x', 'cn=a\\,b,o=x'],
    ['cn=a\\2cb,o=x', 'cn=a\\2Cb,o=x'],
    ['cn=#0C03612C62,o=x', 'cn=a\\,b,o=x'],
    ['cn=#1303612c62,o=x', 'cn=a\\,b,o=x'],
    ['cn=a+uid=b,o=x', 'uid=b+cn=a,o=x'],
    ['2.5.4.3=a', 'cn=a'],
    ['OID.2.5.4.3=a', 'commonName=a'],
    ['0.9.2342.19200300.100.1.1=a', 'userId=a'],
    ['cn=Éva', 'cn=E\\CC\\81va'],
    ['cn=\\20a', 'cn=a'],
  ])('are equal: %s and %s', (a, b) => {
    expect(Dn.parse(a).key).toBe(Dn.parse(b).key);
    expect(Dn.parse(a).equals(Dn.parse(b))).toBe(true);
  });

  it.each([
    ['cn=a\\,o=b', 'cn=a,o=b'],
    ['cn=a\\+uid=b', 'cn=a+uid=b'],
    ['cn=a,cn=b', 'cn=b,cn=a'],
    ['cn=\\#04024869', 'cn=#04024869'],
    ['cn=a\\09b', 'cn=a b'],
    ['cn=straße', 'cn=strasse'],
    ['cn=a\\00', 'cn=a'],
    ['homeDirectory=/home/A', 'homeDirectory=/home/a'],
    ['cn=', 'cn=\\00'],
  ])('differ: %s and %s', (a, b) => {
    expect(Dn.parse(a).equals(Dn.parse(b))).toBe(false);
  });

  it('keep the text that they were read from, and are written by RFC 4514 when they were made', () => {
    expect(`${Dn.parse('CN = "a,b" ; O=x')}`).toBe('CN = "a,b" ; O=x');
    expect(Dn.parse('CN = "a,b" ; O=x').format()).toBe('CN=a\\,b,O=x');
    expect(`${Dn.parse('CN = "a,b" ; O=x').parent}`).toBe('O=x');
    expect(JSON.stringify([Dn.parse('cn=a')])).toBe('["cn=a"]');
  });
});

describe('properties', () => {
  it('reads what it writes', () => {
    fc.assert(
      fc.property(name, (dn) => {
        const read = Dn.parse(dn.format());
        expect(plainRdns(read)).toEqual(plainRdns(dn));
        expect(read.key).toBe(dn.key);
      }),
    );
  });

  it('gives one key to all spellings: types in capitals, values in hex pairs, spaces, semicolons', () => {
    const spelled = (dn: Dn) =>
      dn.rdns
        .map((r) => r.map(({ type, value }) => `${type.toUpperCase()}= ${hex(value)} `).join('+'))
        .join(' ; ');
    const hex = (value: unknown) =>
      Array.from(Buffer.from(value as string), (byte) => `\\${byte.toString(16).padStart(2, '0')}`).join('');
    const textual = name.filter((dn) => dn.rdns.flat().every(({ value }) => typeof value === 'string'));
    fc.assert(
      fc.property(textual, (dn) => {
        expect(Dn.parse(spelled(dn)).key).toBe(dn.key);
      }),
    );
  });

  it('gives different keys to names that differ in a significant character', () => {
    const letter = fc.constantFrom(...'ab,+="\\#;<> \u0000é');
    const value = fc.string({ unit: letter, minLength: 1, maxLength: 6 }).filter((v) => foldValue(v) === v);
    const names = fc.array(value, { minLength: 1, maxLength: 3 });
    const dn = (values: readonly string[]) => named(values.map((v) => [{ type: 'cn', value: v }]));
    fc.assert(
      fc.property(names, names, (a, b) => {
        expect(dn(a).equals(dn(b))).toBe(JSON.stringify(a) === JSON.stringify(b));
      }),
    );
  });

  it('gives the same key with and without parsing', () => {
    const plainType = fc.constantFrom('cn', 'UID', 'Ou', 'dc', 'o', 'l', 'memberUid', 'commonName');
    const value = fc.oneof(
      fc.string({ unit: fc.constantFrom(...'aB-_.@ \'()/9K=,+\\#"é'), maxLength: 8 }),
      fc.string({ unit: fc.constantFrom(...'aZ0 '), maxLength: 300 }),
    );
    const piece = fc.tuple(plainType, value).map(([of, is]) => `${of}=${is}`);
    const written = fc.array(piece, { maxLength: 80 }).map((pieces) => pieces.join(','));
    fc.assert(
      fc.property(fc.oneof(written, fc.string()), (given) => {
        expect(Dn.keyOf(given)).toBe(Dn.tryParse(given)?.key);
      }),
      { numRuns: 2000 },
    );
  });

  it('finds a name within its ancestors only', () => {
    fc.assert(
      fc.property(name, name, (dn, other) => {
        for (let above: Dn | undefined = dn; above; above = above.parent)
          expect(dn.isWithin(above)).toBe(true);
        const tail = named(dn.rdns.slice(-other.rdns.length));
        expect(dn.isWithin(other)).toBe(dn.rdns.length >= other.rdns.length && tail.equals(other));
      }),
    );
  });

  it('replaces the base of a name', () => {
    fc.assert(
      fc.property(name, name, name, (below, from, to) => {
        const dn = named([...below.rdns, ...from.rdns]);
        expect(dn.rebase(from, to).equals(named([...below.rdns, ...to.rdns]))).toBe(true);
        expect(dn.rebase(from, to).rebase(to, from).equals(dn)).toBe(true);
      }),
    );
  });

  it('takes no part of a value for a boundary', () => {
    const victim = Dn.parse('cn=admins,dc=example');
    for (const value of ['x,cn=admins,dc=example', 'x+cn=admins,dc=example', 'x\\,cn=admins,dc=example']) {
      expect(named([[{ type: 'cn', value }]]).isWithin(victim)).toBe(false);
      expect(
        Dn.parse('dc=example')
          .child([{ type: 'cn', value }])
          .isWithin(victim),
      ).toBe(false);
    }
  });

  it('compares RDNs regardless of the order of their AVAs', () => {
    const [a, b] = [Dn.parse('cn=A+uid=b').rdn, Dn.parse('uid=B+cn=a').rdn];
    expect(sameRdn(a, b)).toBe(true);
    expect(sameRdn(a, Dn.parse('cn=a').rdn)).toBe(false);
  });
});

describe('hostile text', () => {
  it.each([
    ['no equals sign', 'nonsense'],
    ['no type', '=x'],
    ['a type that is none', 'c n=x'],
    ['an underscore', 'c_n=x'],
    ['an unbalanced quote', 'cn="abc'],
    ['text behind a quote', 'cn="abc"d'],
    ['a bare quote', 'cn=a"b'],
    ['a bare angle bracket', 'cn=a<b'],
    ['a NUL', 'cn=a\0b'],
    ['a backslash at the end', 'cn=a\\'],
    ['a backslash before a letter', 'cn=a\\zb'],
    ['half a hex pair', 'cn=a\\4'],
    ['hex digits that are no BER', 'cn=#0402'],
    ['BER that is no string', 'cn=#020101'],
    ['BER of no length', 'cn=#0480'],
    ['BER with more behind it', 'cn=#04014161'],
    ['an odd hex digit', 'cn=#040'],
    ['a comma at the end', 'cn=a,'],
    ['a comma in front', ',cn=a'],
    ['a plus at the end', 'cn=a+'],
    ['the same type twice', 'cn=a+CN=b'],
    ['the same type by another name', 'cn=a+2.5.4.3=b'],
    ['half a surrogate pair', 'cn=\ud800'],
    ['the other half', 'cn=\udc00,o=x'],
    ['8 KB of backslashes', `cn=${'\\'.repeat(8191)}`],
    ['10 000 RDNs', Array(10_000).fill('o=x').join(',')],
    ['100 RDNs', Array(100).fill('o=x').join(',')],
    ['nothing', ''],
    ['spaces', '   '],
  ])('is refused: %s', (_, given) => {
    expect(() => Dn.parse(given)).toThrow(expect.objectContaining({ reason: 'invalid_dn' }));
  });

  it('is repeated in the error up to a length', () => {
    expect(() => Dn.parse('nonsense')).toThrow("Could not read LDAP object 'nonsense' (invalid DN)");
    expect(() => Dn.parse('x'.repeat(1e6))).toThrow(
      expect.objectContaining({ detail: expect.stringMatching(/^.{1,300}$/) }),
    );
  });

  it.each([
    ['spaces', `cn=${' '.repeat(8180)}x`],
    ['spaces inside', `cn=x${' '.repeat(8180)}x`],
    ['escaped spaces', `cn=${'\\ '.repeat(4090)}`],
    ['hex pairs', `cn=${'\\e9'.repeat(2700)}`],
    ['quotes', `cn=${'"'.repeat(8180)}`],
    ['pluses', 'x=1+'.repeat(2000)],
    ['equals signs', '='.repeat(8192)],
    ['dots', `${'1.'.repeat(4090)}=x`],
    ['white space before a type', `${'\t'.repeat(8180)}!=x`],
    ['combining marks', `cn=${'e\u0301'.repeat(4000)}`],
  ])('is refused in linear time: %s', async (_, given) => {
    const spent = await processorTime(() => {
      for (let time = 0; time < 20; time += 1) Dn.tryParse(given)?.key.length;
    });
    expect(spent / 20).toBeLessThan(20);
  });

  it('is read as a DN or refused, without another error', () => {
    const piece = fc.constantFrom(
      'cn=',
      'a',
      ',',
      '+',
      '\\',
      '"',
      '#',
      '0',
      '41',
      ' ',
      ';',
      '=',
      '\ud800',
      '\0',
      '<',
      'oid.',
      '2.5.4.3',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const dn = Dn.tryParse(pieces.join(''));
        if (dn && dn !== Dn.root) expect(Dn.parse(dn.format()).key).toBe(dn.key);
        else expect(dn === undefined || dn.rdns.length === 0).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});
