/** Sorting of thousands of entries; the order itself is in the directory contract. */
import { expect, it } from 'vitest';
import { Dn } from '../../core/src/foundation/text/dn.ts';
import { matchAll } from '../../core/src/foundation/text/filter.ts';
import { turnsDuring } from '../../core/src/testing/bed/measures/turn-times.ts';
import { inCreationOrder } from './creation-order.ts';
import { dialects } from './dialect.ts';

const search = { base: Dn.parse('dc=example,dc=org'), scope: 'sub', filter: matchAll } as const;
const entry = (n: number) => ({
  dn: `uid=s${n},dc=example,dc=org`,
  attributes: new Map([['createtimestamp', [`${20_000_000_000_000 + n}Z`]]]),
});

it('sorts by timestamp, and yields to the event loop', async () => {
  const backwards = Array.from({ length: 10_000 }, (_, n) => entry(10_000 - n));
  let names: readonly string[] = [];
  const turns = await turnsDuring(async () => {
    names = (await inCreationOrder(backwards, search, dialects.openldap)).map(({ dn }) => dn);
  });
  expect(names.slice(0, 2)).toEqual([entry(1).dn, entry(2).dn]);
  expect(names.at(-1)).toBe(entry(10_000).dn);
  expect(turns).toBeGreaterThan(50);
});

it('is synchronous for a few entries', () => {
  expect(inCreationOrder([entry(2), entry(1)], search, dialects.openldap)).toMatchObject([
    { dn: entry(1).dn },
    { dn: entry(2).dn },
  ]);
});
