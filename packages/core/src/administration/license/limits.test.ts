/** Nobody is activated beyond the licence, whichever way it is tried, on both engines. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ManagerCalls } from '../../doors/manager/methods.ts';
import { formatTimestamp } from '../../foundation/text/timestamp.ts';
import { licenseFor, newLicense } from '../../testing/bed/signed-license.ts';
import { engines, openStage, refusalOf, type Stage } from '../../testing/bed/stage.ts';
import { ActiveClasses } from './active-classes.ts';

/** As `schema/watchword.schema` names it. */
const accountOid = '1.2.840.113556.1.8000.2554.37597.56975.50427.19440.43567.11308.23436.42525.2.1';
const full = (users: number) => `the licence allows ${users} activated users, and there are ${users}`;

it('gives no place to a computer of Active Directory, which has the class of users', () => {
  const classes = new ActiveClasses({ user_classes: ['user'], account_class: 'webadmAccount' });
  expect(classes.mayBeActive(['top', 'user', 'webadmaccount'])).toBe(true);
  for (const computer of ['computer', 'msds-groupmanagedserviceaccount'])
    expect(classes.mayBeActive(['top', 'user', computer, 'webadmaccount'])).toBe(false);
});

describe.each(engines)('a licence for some users, on %s', (engine) => {
  let stage: Stage;
  let container: string;
  beforeAll(async () => {
    stage = await openStage(engine);
    container = await stage.container();
  });
  afterAll(() => stage.close());

  let people = 0;
  const person = (classes: readonly string[] = []): Promise<string> => {
    people += 1;
    return stage.person(container, `person${people}`, { objectclass: ['inetOrgPerson', ...classes] });
  };
  const active = (): Promise<number | false> => stage.manager.Count_Activated_Users();
  /** The Manager under a licence for as many as are active, and some more. */
  const withPlaces = async (places: number): Promise<ManagerCalls> => {
    stage.fixture.clock.advance(60_000); // what nodes without a licence do is seen a minute later
    const license = licenseFor(Number(await active()) + places);
    return stage.enter({ ports: () => ({ license }) });
  };
  const refused = async (call: Promise<unknown>, verb: string, dn: string) =>
    expect(await refusalOf(call)).toEqual({
      reason: 'license_refused',
      detail: `Could not ${verb} LDAP object '${dn}' (${full(Number(await active()))})`,
    });

  it('lets as many be activated, and no more', async () => {
    const manager = await withPlaces(1);
    const [first, second] = [await person(), await person()];
    expect(await manager.Activate_LDAP_Object({ dn: first })).toBe(1);
    await refused(manager.Activate_LDAP_Object({ dn: second }), 'activate', second);
    expect(await manager.Check_User_Active({ dn: second })).toBe(false);
    expect(await manager.Activate_LDAP_Object({ dn: first })).toBe(false);
  });

  it('has a place free as soon as somebody is deactivated, or removed', async () => {
    const manager = await withPlaces(1);
    const [first, second, third] = [await person(), await person(), await person()];
    await manager.Activate_LDAP_Object({ dn: first });
    await refused(manager.Activate_LDAP_Object({ dn: second }), 'activate', second);
    await manager.Deactivate_LDAP_Object({ dn: first });
    await manager.Activate_LDAP_Object({ dn: second });
    await refused(manager.Activate_LDAP_Object({ dn: third }), 'activate', third);
    await manager.Remove_LDAP_Object({ dn: second });
    await manager.Activate_LDAP_Object({ dn: third });
  });

  it.each(['webadmAccount', 'WEBADMACCOUNT', accountOid])(
    'limits every way to give the class %s',
    async (name) => {
      const manager = await withPlaces(0);
      const dn = await person();
      const classes = ['inetOrgPerson', name];
      for (const attribute of ['objectclass', 'objectClass', '2.5.4.0', 'OBJECTCLASS']) {
        const set = (attrs: Record<string, string | string[]>, values?: boolean) =>
          manager.Set_User_Attrs({ dn, attrs, ...(values !== undefined && { values }) });
        await refused(set({ [attribute]: name }, true), 'update', dn);
        await refused(set({ [attribute]: classes }), 'update', dn);
        const created = `uid=new,${container}`;
        const attrs = { [attribute]: classes, cn: 'new', sn: 'new' };
        await refused(manager.Create_LDAP_Object({ dn: created, attrs }), 'create', created);
        const named = `objectClass=${name}+uid=new,${container}`;
        const others = { [attribute]: 'inetOrgPerson', cn: 'new', sn: 'new' };
        await refused(manager.Create_LDAP_Object({ dn: named, attrs: others }), 'create', named);
      }
      expect(await manager.Check_User_Active({ dn })).toBe(false);
    },
  );

  it('limits a name that gives the class', async () => {
    const manager = await withPlaces(0);
    const dn = `objectClass=uidObject+uid=named,${container}`;
    const attrs = { objectclass: ['inetOrgPerson', 'uidObject'], cn: 'named', sn: 'named' };
    await stage.manager.Create_LDAP_Object({ dn, attrs });
    await refused(manager.Rename_LDAP_Object({ dn, name: 'webadmAccount' }), 'rename', dn);
    expect(await stage.manager.Rename_LDAP_Object({ dn, name: 'webadmAccount' })).toBe(1);
    await stage.manager.Remove_LDAP_Object({ dn: `objectClass=webadmAccount+uid=named,${container}` });
  });

  it('counts who has the class and becomes a user later', async () => {
    const manager = await withPlaces(0);
    const dn = `cn=thing,${container}`;
    await manager.Create_LDAP_Object({
      dn,
      attrs: { objectclass: ['device', 'webadmAccount'], cn: 'thing' },
    });
    const account = { objectclass: 'posixAccount', uid: 'thing', uidnumber: '1', gidnumber: '1' };
    const attrs = { ...account, homedirectory: '/' };
    await refused(manager.Set_User_Attrs({ dn, attrs, values: true }), 'update', dn);
    await stage.manager.Remove_LDAP_Object({ dn });
  });

  it('leaves those alone who are active already, and what is no user', async () => {
    const dn = await person(['webadmAccount']);
    const manager = await withPlaces(0);
    await manager.Set_User_Attrs({ dn, attrs: { mail: 'a@example.org' } });
    const classes = ['inetOrgPerson', 'webadmAccount', 'posixAccount'];
    const posix = { uidnumber: '1', gidnumber: '1', homedirectory: '/' };
    await manager.Set_User_Attrs({ dn, attrs: { objectclass: classes, ...posix } });
    await manager.Set_User_Settings({ dn, settings: { 'Otp.LoginMode': 'OTP' } });
    await manager.Rename_LDAP_Object({ dn, name: `renamed${people}` });
    const group = `cn=group${people},${container}`;
    await manager.Create_LDAP_Object({ dn: group, attrs: { objectclass: 'groupOfNames', member: dn } });
    expect(await manager.Activate_LDAP_Object({ dn: group })).toBe(1);
    const plain = `uid=plain${people},${container}`;
    const attrs = { objectclass: 'inetOrgPerson', cn: 'plain', sn: 'plain' };
    expect(await manager.Create_LDAP_Object({ dn: plain, attrs })).toBe(1);
  });

  it('says first that somebody is missing', async () => {
    const manager = await withPlaces(0);
    const dn = `uid=nobody,${container}`;
    const missing = { reason: 'not_found', detail: `LDAP object '${dn}' does not exist` };
    expect(await refusalOf(manager.Activate_LDAP_Object({ dn }))).toEqual(missing);
    const attrs = { objectclass: 'webadmAccount' };
    expect(await refusalOf(manager.Set_User_Attrs({ dn, attrs, values: true }))).toEqual(missing);
  });

  it('counts who is moved into a domain, one or a whole branch', async () => {
    const [inside, outside] = [await stage.container(), await stage.container()];
    const domains = { Default: { base: inside } };
    const enter = (users: number) =>
      stage.enter({ config: { domains }, ports: () => ({ license: licenseFor(users) }) });
    const [branch, resident] = [await stage.container(outside), await stage.person(inside, 'resident')];
    await stage.person(branch, 'first');
    const second = await stage.person(branch, 'second');
    const strict = await enter(2);
    expect(await strict.Count_Activated_Users()).toBe(1);
    const move = (manager: ManagerCalls, dn: string, container: string) =>
      manager.Move_LDAP_Object({ dn, container });
    const detail = `Could not move LDAP object '${branch}' (the licence allows 2 activated users, and there are 1)`;
    expect(await refusalOf(move(strict, branch, inside))).toEqual({ reason: 'license_refused', detail });
    await move(strict, second, inside);
    expect(await strict.Count_Activated_Users()).toBe(2);
    expect((await refusalOf(move(strict, branch, inside))).reason).toBe('license_refused');
    await move(strict, resident, await stage.container(inside));
    await move(await enter(3), branch, inside);
    expect(await strict.Count_Activated_Users()).toBe(3);
  });

  it('lets one of twenty have the last place, on two nodes', async () => {
    const nodes = [await withPlaces(1), await withPlaces(1)];
    const before = Number(await active());
    const crowd = await Promise.all(Array.from({ length: 20 }, () => person()));
    const outcomes = await Promise.allSettled(
      crowd.map((dn, index) => nodes[index % 2]?.Activate_LDAP_Object({ dn })),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ reason: 'license_refused' });
    expect(await active()).toBe(before + 1);
  });

  it('gives twenty of twenty their places, and the same user one', async () => {
    const manager = await withPlaces(21);
    const crowd = await Promise.all(Array.from({ length: 20 }, () => person()));
    expect(new Set(await Promise.all(crowd.map((dn) => manager.Activate_LDAP_Object({ dn }))))).toEqual(
      new Set([1]),
    );
    const dn = await person();
    const twice = await Promise.all([1, 2].map(() => manager.Activate_LDAP_Object({ dn })));
    expect(twice.sort()).toEqual([1, false]);
  });

  it.each([
    [{ valid_to: '2026-11-20 11:59:59' }, 'the licence expired on 2026-11-20 11:59:59 UTC'],
    [{ valid_from: '2026-12-01 00:00:00' }, 'the licence is not valid before 2026-12-01 00:00:00 UTC'],
  ])('activates nobody when it is not valid: %j', async (times, why) => {
    const activeOne = await person(['webadmAccount']);
    const dn = await person();
    for (const products of [{}, { Otp: { maximum_users: 1_000_000 } }]) {
      const manager = await stage.enter({ ports: () => ({ license: newLicense({ ...times, products }) }) });
      expect(await refusalOf(manager.Activate_LDAP_Object({ dn }))).toEqual({
        reason: 'license_refused',
        detail: `Could not activate LDAP object '${dn}' (${why})`,
      });
      expect(await manager.Activate_LDAP_Object({ dn: activeOne })).toBe(false);
      await manager.Set_User_Attrs({
        dn: activeOne,
        attrs: { objectclass: ['inetOrgPerson', 'webadmAccount'] },
      });
    }
  });

  it('is valid to its last second', async () => {
    const { clock } = stage.fixture;
    const second = formatTimestamp(clock.now());
    const license = newLicense({ valid_from: second, valid_to: second });
    const manager = await stage.enter({ ports: () => ({ license }) });
    clock.advance(999);
    expect(await manager.Activate_LDAP_Object({ dn: await person() })).toBe(1);
    clock.advance(1);
    const late = manager.Activate_LDAP_Object({ dn: await person() });
    expect((await refusalOf(late)).reason).toBe('license_refused');
  });
});

it('refuses nothing where there is no class to activate users with, and tells of too many', async () => {
  const stage = await openStage('OpenLDAP', { accountSchema: false });
  const dn = await stage.person(await stage.container(), 'plain', { objectclass: 'inetOrgPerson' });
  const manager = await stage.enter({ ports: () => ({ license: licenseFor(0) }) });
  expect(await manager.Activate_LDAP_Object({ dn })).toBe(false);
  expect(await manager.Check_User_Active({ dn })).toBe(true);
  expect(await manager.Get_License_Details()).toMatchObject({
    token_pool: '1/0',
    error_message: expect.stringMatching(
      /^The licence allows 0 activated users, and there are 1: logins go on/,
    ),
  });
  await stage.close();
});
