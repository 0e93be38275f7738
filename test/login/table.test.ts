/** Codes and messages of logins: every row of the tables over every door, on both directories. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { directories } from './directories.ts';
import { rowsOver } from './people.ts';
import { factorRows } from './rows/factors.ts';
import { layerRows } from './rows/layers.ts';
import { policyRows } from './rows/policies.ts';
import { usual } from './rows/row.ts';
import { secretRows } from './rows/secrets.ts';
import { userRows } from './rows/users.ts';
import { wordRows } from './rows/words.ts';
import { doorNames, openWorld, type World } from './world.ts';

const rows = [...secretRows, ...userRows, ...factorRows, ...policyRows, ...layerRows, ...wordRows];

describe.each(Object.keys(directories) as (keyof typeof directories)[])('on %s', (directory) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(directory);
    // Many at once, so that they share the commits of the directory, and no more than may wait (docs/concepts/limits.md#wait-queue).
    for (let at = 0; at < rows.length; at += 30)
      await Promise.all(rows.slice(at, at + 30).map(({ title, has = usual }) => world.cast.find(title, has)));
  });
  afterAll(() => world.close());

  describe.each(doorNames)('over %s', (name) => {
    it.each(rowsOver(name, doorNames, rows))(
      '$title',
      async ({ title, has = usual, operation = 'normalLogin', ask, answer }) => {
        // The address has back the failures of the row before.
        world.ground.clock.advance(10_000);
        const user = await world.cast.find(title, has);
        const fields = { username: user.username, ...(await ask(user)) };
        expect(await world.door(name)(operation, fields)).toEqual(answer);
      },
    );
  });
});

it('the rows have titles of their own', () => {
  expect(new Set(rows.map(({ title }) => title)).size).toBe(rows.length);
});
