/** The keys that say who somebody is: the same on all nodes, and followed by new ones before anybody needs them. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Fixture, openFixture } from '../../../testing/bed/fixture.ts';
import { signingKeys } from './signing-keys.ts';
import { openIdState } from './state.ts';

const day = 86_400_000;

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture.close());

const view = () => ({ ...fixture.ports, store: fixture.ports.store, clock: fixture.clock });
const kids = async () => (await signingKeys(view())).keys.map(({ kid }) => kid);

it('nodes that begin at once have the same key', async () => {
  const all = await Promise.all(Array.from({ length: 4 }, () => signingKeys(view())));
  expect(new Set(all.map((one) => JSON.stringify(one))).size).toBe(1);
  expect(all[0]?.keys).toEqual([expect.objectContaining({ kty: 'RSA', alg: 'RS256', use: 'sig' })]);
});

it('a new key is shown a day before it signs, and the old one as long as anything is signed with it', async () => {
  const [first] = await kids();
  fixture.clock.advance(89 * day);
  expect(await kids()).toEqual([first]);
  fixture.clock.advance(day);
  const [signing, next, ...more] = await kids();
  expect([signing, more]).toEqual([first, []]);
  expect(next).not.toBe(first);
  fixture.clock.advance(day);
  expect(await kids()).toEqual([next, first]);
  fixture.clock.advance(89 * day);
  expect((await kids())[0]).toBe(next);
  fixture.clock.advance(2 * day);
  expect(await kids()).not.toContain(first);
});

it('what is kept of them is sealed', async () => {
  const kept = [];
  for await (const values of fixture.ports.store.family('openid-keys')) kept.push(...values);
  expect(kept).toHaveLength(1);
  expect(Buffer.from(kept[0]?.value ?? []).toString('latin1')).not.toContain('RSA');
});

it('a grant of a clock that was ahead is over', async () => {
  const state = openIdState(fixture.ports, fixture.clock);
  fixture.clock.advance(365 * day);
  await state.put('AccessToken', 'one', { scope: 'openid' }, 600);
  expect(await state.get('AccessToken', 'one')).toEqual({ scope: 'openid' });
  fixture.clock.advance(-365 * day);
  expect(await state.get('AccessToken', 'one')).toBeUndefined();
});
