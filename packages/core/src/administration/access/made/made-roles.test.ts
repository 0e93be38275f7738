/** Roles that are made at run time: who makes them, when they count, and that nothing is worse for one that is of no use. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ServiceConfigInput } from '../../../config/config.ts';
import { type Fixture, openFixture, type Person } from '../../../testing/bed/fixture.ts';
import { setRole } from './role-administration.ts';

const base = 'dc=example,dc=org';
const people = `ou=people,${base}`;
const groups = `ou=groups,${base}`;
const alice = `uid=alice,${people}`;
const bob = `uid=bob,${people}`;
const desk = {
  ...{ name: 'FrontDesk', members: [bob], subtrees: [people] },
  ...{ methods: ['Set_User_Attrs', 'Get_User_Attrs', 'Who_Am_I'], write: ['mail'] },
};

let fixture: Fixture;
const config: Partial<ServiceConfigInput> = {
  roles: { auditor: { members: [alice], methods: ['*'], subtrees: [base] } },
};
beforeEach(async () => {
  fixture = await openFixture({ config });
});
afterEach(() => fixture.close());

async function ask(method: string, params: object, as?: Person, node = fixture): Promise<unknown> {
  const { result, error } = await node.call(method, params, as && { as });
  if (error) throw new Error(String(error.data ?? error.message));
  return result;
}

const setMail = (mail: string, node = fixture) =>
  ask('Set_User_Attrs', { dn: bob, attrs: { mail } }, fixture.users.bob, node);

describe('a role that was made', () => {
  it('counts at the next request, on every node, and lets its members write', async () => {
    const other = await fixture.another({ config });
    await expect(setMail('a@example.org', other)).rejects.toThrow();
    expect(await ask('Set_Role', desk)).toBe(1);
    expect(await setMail('a@example.org')).toBe(1);
    expect(await setMail('b@example.org', other)).toBe(1);
    await expect(ask('Set_User_Attrs', { dn: bob, attrs: { sn: 'X' } }, fixture.users.bob)).rejects.toThrow(
      'you may not write sn there',
    );
    expect(await ask('Remove_Role', { name: 'frontDESK' }, undefined, other)).toBe(true);
    await expect(setMail('c@example.org')).rejects.toThrow();
    expect(await ask('Remove_Role', { name: 'FrontDesk' })).toBe(false);
    await other.close();
  });

  it('counts in a session that is open already', async () => {
    await ask('Set_Role', { ...desk, write: [] });
    const body = (mail: string) => ({
      ...{ jsonrpc: '2.0', id: 1, method: 'Set_User_Attrs' },
      params: { dn: bob, attrs: { mail } },
    });
    const node = await fixture.another({ config: { ...config, manager_session: 60 } });
    const first = await node.answer({ as: fixture.users.bob, body: body('a@example.org') });
    const cookie = /^SVCMANAG=([^;]+)/.exec(first.headers['set-cookie'] ?? '')?.[1];
    if (cookie === undefined) throw new Error('no session began');
    expect(JSON.stringify(first.body)).toContain('you may not write mail there');
    await ask('Set_Role', desk);
    const second = await node.answer({ as: null, cookie, body: body('a@example.org') });
    expect(JSON.stringify(second.body)).toContain('"result":1');
    await ask('Remove_Role', { name: desk.name });
    const third = await node.answer({ as: null, cookie, body: body('b@example.org') });
    expect(JSON.stringify(third.body)).not.toContain('"result"');
    await node.close();
  });

  it('is listed beside those of the configuration, told to its members, and in the audit', async () => {
    await ask('Set_Role', desk);
    const preset = { read: ['*'], interfaces: ['Manager'], create: [] };
    expect(await ask('List_Roles', {})).toEqual([
      {
        ...{ name: 'auditor', source: 'configuration', at: 'roles.auditor', members: [alice] },
        ...{ methods: ['*'], subtrees: [base], write: [], ...preset },
      },
      { ...desk, ...preset, source: 'portal', at: null },
    ]);
    const { name, members: _, ...result } = desk;
    expect(await ask('Who_Am_I', {}, fixture.users.bob)).toMatchObject({ roles: { [name]: result } });
    expect(fixture.countEvents(`Set_Role name="FrontDesk" members="${bob}"`)).toBe(1);
  });

  it('is asked for where somebody is no super administrator, once', async () => {
    let looks = 0;
    const ports = (usual: Fixture['ports']) => ({
      store: new Proxy(usual.store, {
        get: (store, name) => {
          const value = Reflect.get(store, name);
          if (typeof value !== 'function') return value;
          return (...given: unknown[]) => {
            if (name === 'get' && given[0] === 'made-roles:all') looks += 1;
            return Reflect.apply(value, store, given);
          };
        },
      }),
    });
    const node = await fixture.another({ config, ports });
    await ask('Get_User_Attrs', { dn: alice }, undefined, node);
    expect(looks).toBe(0);
    await ask('Get_User_Attrs', { dn: alice }, fixture.users.alice, node);
    expect(looks).toBe(1);
    await node.close();
  });
});

it('may be one of a tenant, which is listed and told', async () => {
  await ask('Set_Role', { ...desk, methods: ['Send_Mail', 'Who_Am_I'], tenant: true });
  expect(await ask('List_Roles', {})).toMatchObject([{ name: 'auditor' }, { tenant: true }]);
  expect(await ask('Who_Am_I', {}, fixture.users.bob)).toMatchObject({
    roles: { FrontDesk: { tenant: true } },
  });
  const mail = { to: 'a@example.org', subject: 's', body: 'b' };
  await expect(ask('Send_Mail', mail, fixture.users.bob)).rejects.toThrow(
    'Send email not allowed for tenants',
  );
});

describe('making a role', () => {
  it('is for super administrators whom no option set restricts', async () => {
    for (const [method, params] of [
      ['Set_Role', desk],
      ['Remove_Role', { name: desk.name }],
      ['List_Roles', {}],
    ] as const)
      await expect(ask(method, params, fixture.users.alice)).rejects.toThrow('only super administrators');
    const restricted = { subtree: people, restricts: ['administrators' as const], methods: ['*'] };
    const node = await fixture.another({ config: { ...config, option_sets: { calm: restricted } } });
    for (const [method, params] of [
      ['Set_Role', desk],
      ['Remove_Role', { name: desk.name }],
    ] as const)
      await expect(ask(method, params, undefined, node)).rejects.toThrow('an option set restricts you');
    await node.close();
  });

  it('does not touch what the configuration has', async () => {
    const stands = 'the role stands in the configuration, at roles.auditor';
    await expect(ask('Set_Role', { ...desk, name: 'Auditor' })).rejects.toThrow(stands);
    await expect(ask('Remove_Role', { name: 'AUDITOR' })).rejects.toThrow(stands);
  });

  it.each([
    [
      'a method that there is not',
      { methods: ['Grant_Everything'] },
      'methods[0] is neither a method nor a pattern that matches one',
    ],
    ['an interface that there is not', { interfaces: ['Backdoor'] }, 'interfaces[0]'],
    ['nobody', { members: [] }, 'members'],
    ['no subtree', { subtrees: [] }, 'subtrees'],
    ['what is no DN', { subtrees: ['nowhere'] }, 'subtrees[0]'],
    ['what is no name of an attribute', { write: ['mail)(uid'] }, 'write[0]'],
    ['a member who is not there', { members: [`uid=ghost,${people}`] }, 'there is no object'],
    ['a subtree that is not there', { subtrees: [`ou=ghost,${base}`] }, 'there is no object'],
    ['a name that is none', { name: '__proto__' }, ''],
    ['no name', { name: '' }, ''],
  ])('refuses %s, in the words of the configuration', async (_, wrong, words) => {
    await expect(ask('Set_Role', { ...desk, ...wrong })).rejects.toThrow(words);
    expect(await ask('List_Roles', {})).toHaveLength(1);
  });

  it('ends at a hundred', async () => {
    for (let n = 0; n < 100; n += 1) await ask('Set_Role', { ...desk, name: `r${n}` });
    await expect(ask('Set_Role', desk)).rejects.toThrow('100 roles');
    expect(await ask('Set_Role', { ...desk, name: 'R7' })).toBe(1);
  });
});

describe('a role of no use any more', () => {
  it('stops nobody: its subtree has gone, its method is not there, the configuration has its name, it cannot be read', async () => {
    const shelf = `ou=shelf,${base}`;
    await ask('Create_LDAP_Object', { dn: shelf, attrs: { objectclass: ['organizationalUnit'] } });
    await ask('Set_Role', { ...desk, subtrees: [shelf] });
    await ask('Remove_LDAP_Object', { dn: shelf });
    const kept = await fixture.ports.store.get('made-roles:all');
    const rows = JSON.parse(Buffer.from(kept ?? []).toString('utf8'));
    rows.push({ ...rows[0], name: 'auditor', members: [bob], subtrees: [groups] });
    rows.push({ ...rows[0], name: 'old', methods: ['No_Such_Method'] });
    rows.push({ ...rows[0], name: 'damaged', members: 'all' });
    await fixture.ports.store.put('made-roles:all', Buffer.from(JSON.stringify(rows)), 1000);
    const node = await fixture.another({ config });
    await expect(ask('Get_User_Attrs', { dn: alice }, fixture.users.bob, node)).rejects.toThrow(
      'out of your reach',
    );
    expect(await ask('Who_Am_I', {}, fixture.users.bob, node)).toMatchObject({
      roles: { FrontDesk: { subtrees: [shelf] }, old: {} },
    });
    expect(await ask('Get_User_Attrs', { dn: bob }, fixture.users.alice, node)).toMatchObject({
      uid: ['bob'],
    });
    for (const name of ['old', 'auditor'])
      expect(await ask('Remove_Role', { name }, undefined, node)).toBe(true);
    await fixture.ports.store.put('made-roles:all', Buffer.from('no list'), 1000);
    expect(await ask('Get_User_Attrs', { dn: bob }, fixture.users.alice, node)).toMatchObject({
      uid: ['bob'],
    });
    expect(await ask('Set_Role', desk, undefined, node)).toBe(1);
    await node.close();
  });
});

describe('the value that made roles are kept in', () => {
  const key = 'made-roles:all';
  const most = 262_144;

  it('is read again only when it has changed', async () => {
    await ask('Set_Role', desk);
    const { madeRoles } = fixture.core;
    const read = await madeRoles.read();
    expect(await madeRoles.read()).toBe(read);
    await ask('Set_Role', { ...desk, name: 'Second' });
    expect(await madeRoles.read()).toHaveLength(2);
  });

  it('gives its roles when something in it is no role', async () => {
    await ask('Set_Role', desk);
    const { store } = fixture.ports;
    const [row] = JSON.parse(Buffer.from((await store.get(key)) ?? []).toString('utf8'));
    const rows = [5, null, 'text', {}, { ...row, name: 7 }, row];
    await store.put(key, Buffer.from(JSON.stringify(rows)), 1000);
    expect((await fixture.core.madeRoles.read()).map(({ name }) => name)).toEqual([desk.name]);
    await store.put(key, Buffer.from('{}'), 1000);
    expect(await fixture.core.madeRoles.read()).toEqual([]);
  });

  it('has 256 KiB at most', async () => {
    await ask('Set_Role', desk);
    const { madeRoles } = fixture.core;
    const [made] = await madeRoles.read();
    if (!made) throw new Error('no role');
    const length = Buffer.byteLength(JSON.stringify([{ name: '', ...made.row }]));
    const named = (more: number) => madeRoles.set({ ...made, name: 'n'.repeat(most - length + more) });
    expect(await madeRoles.remove(desk.name)).toBe(true);
    await expect(named(1)).rejects.toMatchObject({ reason: 'too_large' });
    await named(0);
    expect(await madeRoles.read()).toHaveLength(1);
  });
});

it('fails as the judgement of a role fails, where that is no fault of the role', async () => {
  const broken = new TypeError('broken');
  const madeRoles = Object.assign(Object.create(fixture.core.madeRoles), {
    judge: () => {
      throw broken;
    },
  });
  const rights = { isSuperAdmin: true, isFree: true };
  const { config, directory } = fixture.core;
  await expect(setRole('made', desk, { config, directory, madeRoles, rights })).rejects.toBe(broken);
});
