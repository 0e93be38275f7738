/** The reach of an administrator: which of its roles count at a door, and which option sets restrict it. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RoleInterface } from '../../config/config.ts';
import { Dn } from '../../foundation/text/dn.ts';
import { type Fixture, openFixture } from '../../testing/bed/fixture.ts';

const base = 'dc=example,dc=org';
const people = `ou=people,${base}`;
const desk = `ou=desk,${people}`;
const bob = `uid=bob,${people}`;
const alice = `uid=alice,${people}`;

let fixture: Fixture;
beforeAll(async () => {
  const set = { restricts: ['entries' as const], write: [] };
  const role = { members: [bob], methods: ['*'], write: ['mail'] };
  fixture = await openFixture({
    config: {
      roles: {
        desk: { ...role, subtrees: [desk], interfaces: ['Manager'] },
        portal: { ...role, members: [bob, alice], subtrees: [base], interfaces: ['Portal'] },
      },
      option_sets: {
        around: { ...set, subtree: people, write: ['*'] },
        within: { ...set, subtree: `ou=shelf,${desk}` },
        own: { ...set, subtree: bob },
        far: { ...set, subtree: `ou=groups,${base}` },
        everywhere: { ...set, subtree: bob, restricts: ['administrators'], write: ['mail'] },
      },
    },
  });
});
afterAll(() => fixture.close());

const reachAt = async (door: RoleInterface, dn = bob) => {
  const reach = await fixture.core.roles.reach(Dn.parse(dn), door);
  if (!reach) throw new Error('no administrator');
  return reach;
};

it('counts the roles that open the door', async () => {
  const [manager, portal] = [await reachAt('Manager'), await reachAt('Portal')];
  expect([manager, portal].map(({ roles }) => roles.map(({ name }) => name))).toEqual([['desk'], ['portal']]);
  const writes = [manager, portal].map((reach) =>
    reach.rights('Set_User_Attrs').writes(Dn.parse(alice), 'mail'),
  );
  expect(writes).toEqual([false, true]);
  expect(await fixture.core.roles.reach(Dn.parse(alice), 'Manager')).toBeUndefined();
});

it('is restricted by the option sets of entries that it meets, and of its own entry', async () => {
  expect((await reachAt('Manager')).optionSets).toEqual(['around', 'within', 'everywhere']);
  expect((await reachAt('Manager', fixture.admin.dn)).optionSets).toEqual(['around', 'within', 'own', 'far']);
});

it('is restricted at other entries by no option set of entries that holds its own', async () => {
  const rights = (await reachAt('Manager')).rights('Set_User_Attrs');
  expect(rights.writes(Dn.parse(`uid=carol,${desk}`), 'mail')).toBe(true);
});
