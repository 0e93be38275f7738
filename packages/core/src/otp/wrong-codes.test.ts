import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fixture, openFixture } from '../testing/fixture.ts';
import { beginGuess, forgetWrongCodes, isClosedAlone } from './wrong-codes.ts';

let fixture: Fixture;
let node: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
  node = await fixture.another();
});
afterAll(async () => {
  await node.close();
  await fixture.close();
});

const stores = () => [fixture.ports.store, node.ports.store] as const;
const begin = (key: string, behind: boolean, at = 0) =>
  beginGuess(key, behind, stores()[at % 2] ?? stores()[0]);
async function fail(times: number, key: string, behind: boolean): Promise<number> {
  let reached = 0;
  for (let time = 0; time < times; time += 1) reached = (await (await begin(key, behind))?.fail()) ?? -1;
  return reached;
}

describe.each([
  ['alone', false],
  ['behind a right password', true],
])('guesses %s', (way, behind) => {
  it('that begin at the same time on two nodes are never more than are left', async () => {
    const key = `at once ${way}`;
    expect(await fail(95, key, behind)).toBe(95);
    const begun = await Promise.all(Array.from({ length: 30 }, (_, n) => begin(key, behind, n)));
    const open = begun.filter((guess) => guess !== undefined);
    expect(open).toHaveLength(5);
    const reached = await Promise.all(open.map((guess) => guess.fail()));
    expect(reached.toSorted()).toEqual([100, 96, 97, 98, 99]);
    expect(await begin(key, behind)).toBeUndefined();
  });

  it('that were right after all take nothing away', async () => {
    const key = `spared ${way}`;
    await fail(99, key, behind);
    for (let time = 0; time < 5; time += 1) await (await begin(key, behind))?.spare();
    expect(await fail(1, key, behind)).toBe(100);
  });

  it('are forgotten all together', async () => {
    const key = `forgotten ${way}`;
    await fail(100, key, behind);
    await forgetWrongCodes(key, fixture.ports.store);
    expect(await fail(1, key, behind)).toBe(1);
  });
});

it('those behind a password count for those alone, not the reverse', async () => {
  await fail(100, 'both', true);
  expect(await isClosedAlone('both', fixture.ports.store)).toBe(true);
  await fail(100, 'one', false);
  expect(await fail(1, 'one', true)).toBe(1);
});
