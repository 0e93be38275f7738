/** Filters: examples of the RFCs, properties, hostile text. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { processorTime } from '../../testing/bed/measures/processor-time.ts';
import { isReason } from '../errors/errors.ts';
import { and, equal, type Filter, matchAll, not, or, present } from './filter.ts';
import { formatFilter, parseFilter } from './filter-text.ts';
import { bytesOf } from './value.ts';

const refused = expect.objectContaining({ reason: 'invalid_params' });

describe('examples of the RFCs', () => {
  it.each<[string, Filter]>([
    ['(cn=Babs Jensen)', equal('cn', 'Babs Jensen')],
    ['(!(cn=Tim Howes))', not(equal('cn', 'Tim Howes'))],
    [
      '(&(objectClass=Person)(|(sn=Jensen)(cn=Babs J*)))',
      and(
        equal('objectClass', 'Person'),
        or(equal('sn', 'Jensen'), { kind: 'substrings', attribute: 'cn', initial: 'Babs J', any: [] }),
      ),
    ],
    ['(o=univ*of*mich*)', { kind: 'substrings', attribute: 'o', initial: 'univ', any: ['of', 'mich'] }],
    ['(seeAlso=)', equal('seeAlso', '')],
    [
      '(cn:caseExactMatch:=Fred Flintstone)',
      {
        kind: 'extensible',
        attribute: 'cn',
        rule: 'caseExactMatch',
        value: 'Fred Flintstone',
        dnAttributes: false,
      },
    ],
    [
      '(cn:=Betty Rubble)',
      { kind: 'extensible', attribute: 'cn', value: 'Betty Rubble', dnAttributes: false },
    ],
    [
      '(sn:dn:2.4.6.8.10:=Barney Rubble)',
      { kind: 'extensible', attribute: 'sn', rule: '2.4.6.8.10', value: 'Barney Rubble', dnAttributes: true },
    ],
    [
      '(o:dn:=Ace Industry)',
      { kind: 'extensible', attribute: 'o', value: 'Ace Industry', dnAttributes: true },
    ],
    [
      '(:1.2.3:=Wilma Flintstone)',
      { kind: 'extensible', rule: '1.2.3', value: 'Wilma Flintstone', dnAttributes: false },
    ],
    ['(:DN:2.4.6.8.10:=Dino)', { kind: 'extensible', rule: '2.4.6.8.10', value: 'Dino', dnAttributes: true }],
    [
      '(o=Parens R Us \\28for all your parenthetical needs\\29)',
      equal('o', 'Parens R Us (for all your parenthetical needs)'),
    ],
    ['(cn=*\\2A*)', { kind: 'substrings', attribute: 'cn', any: ['*'] }],
    ['(filename=C:\\5cMyFile)', equal('filename', 'C:\\MyFile')],
    ['(bin=\\00\\00\\00\\04)', equal('bin', '\u0000\u0000\u0000\u0004')],
    ['(sn=Lu\\c4\\8di\\c4\\87)', equal('sn', 'Lučić')],
    ['(1.3.6.1.4.1.1466.0=\\04\\02\\48\\69)', equal('1.3.6.1.4.1.1466.0', '\u0004\u0002Hi')],
    // RFC 4526 §2
    ['(&)', and()],
    ['(|)', or()],
    ['(objectClass=*)', present('objectClass')],
  ])('are read: %s', (text, expected) => {
    expect(parseFilter(text)).toEqual(expected);
    expect(parseFilter(formatFilter(expected))).toEqual(expected);
  });

  it('are read with white space between the parts, and without outer parentheses', () => {
    expect(parseFilter(' ( & (a=b)\n (! (c=d) ) ) ')).toEqual(and(equal('a', 'b'), not(equal('c', 'd'))));
    expect(parseFilter('uid=alice')).toEqual(equal('uid', 'alice'));
    expect(parseFilter('uid>=a')).toEqual({ kind: 'greaterOrEqual', attribute: 'uid', value: 'a' });
    expect(parseFilter('(cn;lang-en~=x)')).toEqual({ kind: 'approx', attribute: 'cn;lang-en', value: 'x' });
    expect(formatFilter(matchAll)).toBe('(objectclass=*)');
  });
});

const attribute = fc.constantFrom('cn', 'uid', 'cn;lang-en', '2.5.4.3', 'x-y');
const textual = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.string({ unit: fc.constantFrom(...'()*\\&|!=:~<>\u0000 \n2a'), maxLength: 10 }),
);
const octets = fc.uint8Array({ maxLength: 6 }).map((bytes) => Uint8Array.of(0xff, ...bytes));
const value = fc.oneof(textual, octets);
const piece = value.filter((v) => v.length > 0);
const item: fc.Arbitrary<Filter> = fc.oneof(
  fc.record({ kind: fc.constant('present' as const), attribute }),
  fc.record({
    kind: fc.constantFrom('equality', 'greaterOrEqual', 'lessOrEqual', 'approx'),
    attribute,
    value,
  }),
  fc.record(
    {
      kind: fc.constant('substrings' as const),
      attribute,
      any: fc.array(piece, { minLength: 1, maxLength: 3 }),
      initial: piece,
      final: piece,
    },
    { requiredKeys: ['kind', 'attribute', 'any'] },
  ),
  fc.record(
    {
      kind: fc.constant('extensible' as const),
      attribute,
      rule: attribute.filter((a) => !a.includes(';')),
      value,
      dnAttributes: fc.boolean(),
    },
    { requiredKeys: ['kind', 'attribute', 'value', 'dnAttributes'] },
  ),
);
const { filter } = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { depthSize: 'small' },
    item,
    fc.record({ kind: fc.constantFrom('and', 'or'), filters: fc.array(tie('filter'), { maxLength: 4 }) }),
    fc.record({ kind: fc.constant('not' as const), filter: tie('filter') }),
  ),
}));

/** A filter as plain data, each value as its bytes: text and the same text in bytes are one value. */
function plain(of: unknown): unknown {
  if (Array.isArray(of)) return of.map(plain);
  if (of instanceof Uint8Array) return [...of];
  if (typeof of !== 'object' || of === null) return of;
  const literal = new Set(['kind', 'attribute', 'rule']);
  return Object.fromEntries(
    Object.entries(of).map(([key, v]) => [
      key,
      typeof v === 'string' && !literal.has(key) ? [...bytesOf(v)] : plain(v),
    ]),
  );
}

describe('properties', () => {
  it('reads what it writes, bytes intact', () => {
    fc.assert(
      fc.property(filter, (f) => {
        expect(plain(parseFilter(formatFilter(f)))).toEqual(plain(f));
      }),
    );
  });

  it('never lets a value become syntax', () => {
    fc.assert(
      fc.property(textual, (v) => {
        expect(parseFilter(formatFilter(equal('uid', v)))).toEqual(equal('uid', v));
      }),
    );
  });
});

/** The text is a filter, or is refused as one should be. */
function readsOrRefuses(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch (error) {
    return isReason(error, 'invalid_params');
  }
}

describe('hostile text', () => {
  const nested = (depth: number) => `${'(!'.repeat(depth)}(a=b)${')'.repeat(depth)}`;

  it.each([
    ['nothing', ''],
    ['no operator', '(cn)'],
    ['a parenthesis too few', '(cn=a'],
    ['a parenthesis too many', '(cn=a))'],
    ['two filters', '(a=b)(c=d)'],
    ['a bare filter with a parenthesis', 'uid=*)(uid=*'],
    ['a backslash without digits', '(cn=a\\)'],
    ['a backslash with one digit', '(cn=\\2)'],
    ['digits that are none', '(cn=\\zz)'],
    ['two asterisks', '(cn=a**b)'],
    ['an asterisk in a comparison', '(cn>=a*)'],
    ['no attribute', '(=x)'],
    ['an attribute that is none', '(c n=x)'],
    ['an attribute with a control character', '(cn\u0000=x)'],
    ['an extensible match of nothing', '(:=x)'],
    ['an empty rule', '(cn::=x)'],
    ['two rules', '(cn:a:b:=x)'],
    ['dn twice', '(cn:dn:dn:dn:=x)'],
    ['an operator in the wrong place', '(:cn=x)'],
    ['a not of two', '(!(a=b)(c=d))'],
    ['a not of none', '(!)'],
    ['half a surrogate pair', '(cn=\ud83d)'],
    ['33 levels', nested(33)],
    ['1024 parts and one around them', `(|${'(a=b)'.repeat(1024)})`],
    ['16 385 characters', `(cn=${'x'.repeat(16_380)})`],
  ])('is refused: %s', (_, text) => {
    expect(() => parseFilter(text)).toThrow(refused);
  });

  it('gets an error that explains an empty filter', () => {
    expect(() => parseFilter(' ')).toThrow('no LDAP filter (it is empty; left out, it matches all)');
  });

  it('is read up to the limits', () => {
    expect(formatFilter(parseFilter(nested(32)))).toBe(nested(32));
    expect(parseFilter(`(|${'(a=b)'.repeat(1023)})`)).toMatchObject({ kind: 'or' });
    expect(parseFilter(`(cn=${'x'.repeat(16_379)})`)).toMatchObject({ kind: 'equality' });
  });

  it.each([
    ['spaces before no operator', `(a${' '.repeat(16_000)})`],
    ['spaces and an operator', `(a${' '.repeat(16_000)}=b)`],
    ['colons', `(${':'.repeat(16_000)})`],
    ['colons and an operator', `(a${':dn'.repeat(5000)}:=b)`],
    ['asterisks', `(cn=${'a*'.repeat(8000)})`],
    ['backslashes', `(cn=${'\\'.repeat(16_000)})`],
    ['hex pairs', `(cn=${'\\ff'.repeat(5400)})`],
    ['open parentheses', '('.repeat(16_000)],
    ['open lists', '(&'.repeat(8000)],
    ['tildes', `(${'~'.repeat(16_000)}=x)`],
  ])('is refused in linear time: %s', async (_, text) => {
    const spent = await processorTime(() => {
      for (let time = 0; time < 20; time += 1)
        expect(() => formatFilter(parseFilter(text))).toSatisfy(readsOrRefuses);
    });
    expect(spent / 20).toBeLessThan(20);
  });

  it('is read as a filter or refused, without another error', () => {
    const part = fc.constantFrom(
      '(',
      ')',
      '&',
      '|',
      '!',
      '=',
      '*',
      ':',
      ':=',
      ':dn',
      '\\',
      '2a',
      'cn',
      'a',
      ' ',
      '~',
      '<',
      '\0',
      '\ud800',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 16 }), (texts) => {
        try {
          const read = parseFilter(texts.join(''));
          expect(parseFilter(formatFilter(read))).toEqual(read);
        } catch (error) {
          expect(error).toEqual(refused);
        }
      }),
      { numRuns: 5000 },
    );
  });
});
