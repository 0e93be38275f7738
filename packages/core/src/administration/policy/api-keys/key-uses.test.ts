import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ServiceError } from '../../../foundation/errors/errors.ts';
import { type Fixture, openFixture } from '../../../testing/bed/fixture.ts';
import { KeyUses, readKeyUses, removeKeyUse } from './key-uses.ts';

let fixture: Fixture;
beforeEach(async () => {
  fixture = await openFixture();
});
afterEach(() => fixture.close());

const hour = Date.UTC(2026, 10, 20, 12);
const inForce = async () => Object.fromEntries(await readKeyUses(fixture.ports));

/** Counts the writes of a node. */
function nodeOf() {
  let writes = 0;
  const update: typeof fixture.ports.store.update = (key, change) => {
    writes += 1;
    return fixture.ports.store.update(key, change);
  };
  return { uses: new KeyUses({ ...fixture.ports, store: { update } }), writes: () => writes };
}

it('writes the first use of an hour, and none of the others', async () => {
  const { uses, writes } = nodeOf();
  uses.start();
  uses.note('7', '192.0.2.7');
  expect(writes()).toBe(0);
  fixture.clock.advance(5_000);
  await expect.poll(inForce).toEqual({ 7: { hour, address: '192.0.2.7' } });
  uses.note('7', '192.0.2.8');
  fixture.clock.advance(3_600_000);
  await nextTurn();
  expect(writes()).toBe(1);
  uses.note('7', '192.0.2.9');
  await uses.close();
  expect(await inForce()).toEqual({ 7: { hour: hour + 3_600_000, address: '192.0.2.9' } });
  expect(writes()).toBe(2);
});

it('keeps the use of another node in the same hour', async () => {
  for (const address of ['192.0.2.7', '192.0.2.8']) {
    const { uses } = nodeOf();
    uses.note('7', address);
    await uses.close();
  }
  expect(await inForce()).toEqual({ 7: { hour, address: '192.0.2.7' } });
});

it('logs a write that fails, and writes the next use', async () => {
  let isDown = true;
  const update: typeof fixture.ports.store.update = (key, change) =>
    isDown ? Promise.reject(new ServiceError('unavailable')) : fixture.ports.store.update(key, change);
  const uses = new KeyUses({ ...fixture.ports, store: { update } });
  uses.start();
  uses.note('7', '192.0.2.7');
  fixture.clock.advance(5_000);
  await expect
    .poll(() => fixture.log.lines.map(({ message }) => message))
    .toContain('the last use of an API key was not written');
  isDown = false;
  uses.note('7', '192.0.2.8');
  await uses.close();
  expect(await inForce()).toEqual({ 7: { hour, address: '192.0.2.8' } });
});

it('removes the last use of a key, and keeps those of others', async () => {
  const { uses } = nodeOf();
  for (const id of ['7', '71']) uses.note(id, '192.0.2.7');
  await uses.close();
  await removeKeyUse('7', fixture.ports);
  expect(Object.keys(await inForce())).toEqual(['71']);
});
