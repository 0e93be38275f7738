/** Many values to add or to remove, of which some are there already or are not: what it asks, and whom it keeps waiting. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { turnsDuring } from '../../testing/bed/measures/turn-times.ts';
import { engines, openStage, type Stage } from '../../testing/bed/stage.ts';

const numbers = (from: number, to: number, written: (n: number) => string): string[] =>
  Array.from({ length: to - from }, (_, n) => written(from + n));

describe.each(engines)('many values: %s', (engine) => {
  let stage: Stage;
  let dn: string;
  const mobile = (n: number) => `+4420${1_000_000 + n}`;
  const spaced = (n: number) => mobile(n).replace('+4420', '+44 20 ');
  const mobiles = async () => (await stage.manager.Get_User_Attrs({ dn, attrs: ['mobile'] })).mobile ?? [];
  beforeAll(async () => {
    stage = await openStage(engine);
    dn = await stage.person(await stage.container(), 'alice', { mobile: numbers(0, 500, mobile) });
  });
  afterAll(() => stage.close());

  it('are added when they are missing in any spelling', async () => {
    const added = [...numbers(490, 495, mobile), ...numbers(495, 505, spaced), ...numbers(505, 800, mobile)];
    await stage.manager.Set_User_Attrs({ dn, attrs: { mobile: added }, values: true });
    const there = (await mobiles()).map((value) => value.replaceAll(' ', ''));
    expect(there.sort()).toEqual(numbers(0, 800, mobile).sort());
  });

  it('are removed in any spelling, and missing ones are no error', async () => {
    const removed = [
      ...numbers(100, 400, mobile),
      mobile(7).replace('20', '20 '),
      ...numbers(800, 900, mobile),
    ];
    await stage.manager.Remove_User_Attrs({ dn, attrs: { mobile: removed }, values: true });
    const left = [...numbers(0, 7, mobile), ...numbers(8, 100, mobile), ...numbers(400, 800, mobile)];
    expect((await mobiles()).map((value) => value.replaceAll(' ', '')).sort()).toEqual(left.sort());
  });
});

describe('members of a large group', () => {
  const group = 'cn=large,ou=groups,dc=example,dc=org';
  const member = (n: number) => `uid=user${n},ou=people,dc=example,dc=org`;
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage('embedded');
    const attrs = { objectclass: 'groupOfNames', member: numbers(0, 5000, member) };
    await stage.manager.Create_LDAP_Object({ dn: group, attrs });
  });
  afterAll(() => stage.close());

  it.each([1, 10, 300])('cost a few searches: %i new ones beside an existing one', async (count) => {
    stage.takeAsked();
    const added = numbers(9000, 9000 + count, member);
    const attrs = { member: [member(0), ...added] };
    await stage.manager.Set_User_Attrs({ dn: group, attrs, values: true });
    const asked = stage.takeAsked();
    expect(asked.filter((name) => name === 'search').length).toBeLessThanOrEqual(Math.ceil(count / 200));
    expect(asked.filter((name) => name === 'modify')).toHaveLength(2);
    await stage.manager.Remove_User_Attrs({ dn: group, attrs: { member: added }, values: true });
  });

  it('yield between the searches', async () => {
    const added = [member(0), ...numbers(10_000, 12_000, member)];
    const change = { dn: group, attrs: { member: added }, values: true };
    const turns = await turnsDuring(() => stage.manager.Set_User_Attrs(change));
    expect(turns).toBeGreaterThanOrEqual(20);
  });
});
