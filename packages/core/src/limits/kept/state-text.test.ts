/** The text of a state: what is read by hand is what JSON says. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { plainKnown } from './state-text.ts';

const place = 'a1b2c3d4'.repeat(4);
const other = '0123456789abcdef'.repeat(2);
const state = { known: [{ place, day: 20_000 }], grounds: {}, wrongPasswords: 0 };

it.each([
  ['no place', { ...state, known: [] }],
  ['a place', state],
  ['a day of six digits', { ...state, known: [{ place, day: 999_999 }] }],
  ['two places', { ...state, known: [...state.known, { place: other, day: 1 }] }],
  ['sixteen places', { ...state, known: Array.from({ length: 16 }, (_, day) => ({ place, day: day + 1 })) }],
])('reads %s', (_, written) => {
  expect(plainKnown(JSON.stringify(written))).toEqual(written.known);
});

it.each<[string, unknown]>([
  ['wrong passwords', { ...state, wrongPasswords: 1 }],
  ['a ground', { ...state, grounds: { strangers: { row: { failures: 1, level: 0, at: 5 } } } }],
  ['a budget', { ...state, budget: { start: 1, used: 1 } }],
  ['a block', { ...state, block: { start: 1, length: null } }],
  ['another order', { grounds: {}, known: [], wrongPasswords: 0 }],
  ['a place of another kind', { ...state, known: [{ place: `administrator:${place}`, day: 1 }] }],
  ['a short place', { ...state, known: [{ place: 'abc', day: 1 }] }],
  ['a long place', { ...state, known: [{ place: `${place}a`, day: 1 }] }],
  ['a day of seven digits', { ...state, known: [{ place, day: 1_000_000 }] }],
  ['a place of other letters', { ...state, known: [{ place: `g${place.slice(1)}`, day: 1 }] }],
  ['a place to unescape', { ...state, known: [{ place: `"${place.slice(1)}`, day: 1 }] }],
  ['a day before 1970', { ...state, known: [{ place, day: -1 }] }],
  ['the first day', { ...state, known: [{ place, day: 0 }] }],
  ['a part of a day', { ...state, known: [{ place, day: 1.5 }] }],
  ['a day far away', { ...state, known: [{ place, day: 1e21 }] }],
  ['more about a place', { ...state, known: [{ place, day: 1, x: 1 }] }],
])('leaves %s to JSON', (_, written) => {
  expect(plainKnown(JSON.stringify(written))).toBeUndefined();
});

it('leaves a day without digits to JSON', () => {
  expect(plainKnown(JSON.stringify(state).replace('20000', ''))).toBeUndefined();
});

it('reads nothing that JSON would read otherwise, whatever was changed in it', () => {
  const written = JSON.stringify({ ...state, known: [...state.known, { place: other, day: 20_001 }] });
  const changed = fc
    .tuple(
      fc.nat(written.length),
      fc.nat(3),
      fc.constantFrom('', ',', '}', '{', '"', '0', '1', ' ', ']', '\\'),
    )
    .map(([at, gone, more]) => written.slice(0, at) + more + written.slice(at + gone));
  fc.assert(
    fc.property(changed, (text) => {
      const known = plainKnown(text);
      return known === undefined || text === JSON.stringify({ ...state, known });
    }),
    { numRuns: 5000 },
  );
});
