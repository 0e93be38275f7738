import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Ground, openGround } from '../testing/bed/limits-ground.ts';
import { UserRecords } from './user-records.ts';

const who = { user: 'user:alice', family: 'web' } as const;
let ground: Ground;
let written: number;
beforeEach(async () => {
  written = 0;
  ground = await openGround({
    watch: (store) => ({
      ...store,
      update: (key, change) => {
        written += 1;
        return store.update(key, change);
      },
    }),
  });
});
afterEach(() => ground.close());

it('writes a state anew once it was read and a clock ahead had written it', async () => {
  const users = new UserRecords(ground.store, ground.clock, undefined);
  ground.clock.advance(5000);
  const start = ground.clock.now();
  await users.change(who, (state) => ({ state: { ...state, block: { start, length: 60_000 } } }));
  await users.read(who);
  expect(written).toBe(1);
  ground.clock.advance(-5000);
  const now = ground.clock.now();
  for (let n = 0; n < 2; n += 1)
    expect((await users.read(who)).block).toEqual({ start: now, length: 60_000 });
  expect(written).toBe(2);
  ground.clock.advance(5000);
  expect((await users.read(who)).block).toEqual({ start: now, length: 60_000 });
});
