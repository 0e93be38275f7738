/** Answers about administrative rights: how long they are believed, and what empties the cache. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { collectGarbage } from '../../../../node/src/machine/memory.ts';
import { presetSettings, settingLayers } from '../../directory/data/settings.ts';
import { ServiceError } from '../../foundation/errors/errors.ts';
import { Dn } from '../../foundation/text/dn.ts';
import { openFixture } from '../../testing/bed/fixture.ts';
import { TestClock } from '../../testing/test-clock.ts';
import { KnownAdministrators } from './known-administrators.ts';
import type { MadeRole } from './made/made-roles.ts';

const user = { dn: 'uid=alice,dc=example,dc=org', attributes: new Map() };

/** A cache in front of these answers, the last of which stays. */
function knowing(...answers: (boolean | ServiceError)[]) {
  const clock = new TestClock();
  let rows: readonly MadeRole[] = [];
  let asked = 0;
  const known = new KnownAdministrators({
    clock,
    madeRoles: { read: async () => rows },
    isAdministrator: async () => {
      const answer = answers[Math.min(asked, answers.length - 1)];
      asked += 1;
      if (answer instanceof ServiceError) throw answer;
      return answer === true;
    },
  });
  const change = () => {
    rows = [];
  };
  return { known, clock, change, is: () => known.isAdministrator(user), asked: () => asked };
}

describe('KnownAdministrators', () => {
  it.each([
    [true, 59_999],
    [false, 999],
  ])('believes %s for %i ms, and asks again then', async (answer, lasts) => {
    const { is, clock, asked } = knowing(answer);
    expect(await Promise.all([is(), is()])).toEqual([answer, answer]);
    clock.advance(lasts);
    expect(await is()).toBe(answer);
    expect(asked()).toBe(1);
    clock.advance(1);
    await is();
    expect(asked()).toBe(2);
  });

  it('believes no answer of a time that the clock has not reached again', async () => {
    const { known, is, clock, asked } = knowing(false);
    await known.isAdministrator({ ...user, dn: 'uid=bob,dc=example,dc=org' });
    clock.advance(500);
    await is();
    clock.advance(-400);
    await is();
    expect(asked()).toBe(3);
  });

  it('asks again after a failure, a change of the roles, and a cleared cache', async () => {
    const { known, is, change, asked } = knowing(new ServiceError('unavailable'), false, true);
    await expect(is()).rejects.toThrow(ServiceError);
    expect(await is()).toBe(false);
    change();
    expect(await is()).toBe(true);
    known.forget();
    expect(await is()).toBe(true);
    expect(asked()).toBe(4);
  });

  it('keeps no answer about a user in memory who does not come again', async () => {
    const clock = new TestClock();
    const answers: WeakRef<Promise<boolean>>[] = [];
    const isAdministrator = () => {
      const answer = Promise.resolve(false);
      answers.push(new WeakRef(answer));
      return answer;
    };
    const rows: readonly MadeRole[] = [];
    const known = new KnownAdministrators({ clock, madeRoles: { read: async () => rows }, isAdministrator });
    const ask = (name: string) => known.isAdministrator({ ...user, dn: `uid=${name},dc=example,dc=org` });
    await Promise.all(Array.from({ length: 50 }, (_, n) => ask(`user${n}`)));
    clock.advance(2_000);
    await ask('other');
    await nextTurn();
    collectGarbage();
    expect(answers.filter((answer) => answer.deref())).toHaveLength(1);
  });

  it('forgets at a write and at Clear_Caches', async () => {
    const fixture = await openFixture();
    const { administrators, server } = fixture.core;
    const alice = Dn.parse(fixture.users.alice.dn);
    const join = { operation: 'replace', attribute: 'mail', values: ['a@example.org'] } as const;
    const ask = async () => administrators.isAdministrator({ dn: alice.format(), attributes: new Map() });
    for (const empty of [() => server.service.modify(alice, [join]), async () => server.clearCaches()]) {
      await ask();
      fixture.directory.takeAsked();
      await ask();
      expect(fixture.directory.takeAsked()).toEqual([]);
      await empty();
      fixture.directory.takeAsked();
      await ask();
      expect(fixture.directory.takeAsked()).toContain('service.search');
    }
    await fixture.close();
  });
});

it('a member of a group that is named, and no group by its class, is an administrator', async () => {
  const group = 'cn=odd,ou=groups,dc=example,dc=org';
  const fixture = await openFixture();
  const attrs = { objectclass: 'groupOfNames', member: fixture.users.alice.dn };
  expect(await fixture.call('Create_LDAP_Object', { dn: group, attrs })).not.toHaveProperty('error');
  const node = await fixture.another({
    config: { super_admins: [group], schema: { group_classes: ['groupOfUniqueNames'] } },
  });
  const is = (dn: string) => node.core.administrators.isAdministrator({ dn, attributes: new Map() });
  expect([await is(fixture.users.alice.dn), await is(fixture.users.bob.dn)]).toEqual([true, false]);
  await node.close();
  await fixture.close();
});

describe('settings of groups that lower the login', () => {
  it.each([
    [false, 1],
    [true, 0],
    [new ServiceError('unavailable'), 0],
  ])('count for a user when the answer about its rights is %s: %i', async (answer, count) => {
    const fixture = await openFixture();
    const { core, base } = fixture;
    const group = Dn.parse(`cn=lower,ou=groups,${base}`);
    const { dn: alice } = fixture.users.alice;
    const { call } = fixture;
    const attrs = { objectclass: ['groupOfNames', 'webadmGroup'], cn: 'lower', member: alice };
    expect(await call('Create_LDAP_Object', { dn: group.format(), attrs })).not.toHaveProperty('error');
    const settings = { 'Otp.LoginMode': 'LDAP' };
    expect(await call('Set_User_Settings', { dn: group.format(), settings })).not.toHaveProperty('error');
    const administrators = knowing(answer).known;
    const user = await core.server.service.read(Dn.parse(alice));
    const view = { ...core, presets: presetSettings(core), administrators };
    const { layers } = await settingLayers(user ?? { dn: alice, attributes: new Map() }, view);
    expect(layers.filter((layer) => layer.has('Otp.LoginMode'))).toHaveLength(count);
    await fixture.close();
  });
});
