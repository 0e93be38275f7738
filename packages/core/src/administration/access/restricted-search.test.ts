/** Searches within rights: their bases, and the attributes that they answer. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Dn } from '../../foundation/text/dn.ts';
import { and, equal, matchAll, present } from '../../foundation/text/filter.ts';
import type { SearchRequest } from '../../ports/directory/directory.ts';
import { Names } from '../../table/dialect.ts';
import { type Fixture, openFixture } from '../../testing/bed/fixture.ts';
import { type Clause, PermissionCheck } from './permission-check.ts';
import { grantOf, type PermissionSettings, restrictionOf, secrecyOf } from './permissions.ts';
import { childrenRestricted, searchRestricted } from './restricted-search.ts';

const base = 'dc=example,dc=org';
const people = `ou=people,${base}`;
const desk = `ou=desk,${people}`;
const room = `ou=room,${desk}`;
const [ann, ben, cam] = [`uid=ann,${desk}`, `uid=ben,${desk}`, `uid=cam,${room}`];
const schema = { password_attributes: ['userPassword'], member_of_attributes: [] };

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
  const add = (dn: string, attributes: Record<string, string[]>) =>
    fixture.directory.service.add(Dn.parse(dn), new Map(Object.entries(attributes)));
  for (const dn of [desk, room]) await add(dn, { objectclass: ['organizationalUnit'] });
  for (const dn of [ann, ben, cam])
    await add(dn, { objectclass: ['inetOrgPerson'], cn: ['X'], sn: ['X'], mobile: ['42'] });
});
afterAll(() => fixture.close());

type Row = readonly [subtrees: readonly string[], settings?: Partial<PermissionSettings>];

const plain: PermissionSettings = { methods: ['*'], read: ['*'], write: [], create: [] };
const subtreesOf = (names: readonly string[]) => names.map((dn) => Dn.parse(dn));

function restrictedTo(grants: readonly Row[], limits: readonly Row[] = []) {
  const clausesOf = (rows: readonly Row[], make: typeof grantOf): Clause[] =>
    rows.map(([subtrees, settings]) => ({
      subtrees: subtreesOf(subtrees),
      permissions: make({ ...plain, ...settings }, new Names(), schema),
    }));
  const check = new PermissionCheck({
    grants: clausesOf(grants, grantOf),
    limits: clausesOf(limits, restrictionOf),
    method: 'Search_LDAP_Objects',
  });
  return { check, isSecret: secrecyOf(schema), isSuperior: async () => false };
}

type Asked = Partial<Omit<SearchRequest, 'base'>>;

/** The names that are found, or the reason why not. */
async function found(dn: string, restriction: ReturnType<typeof restrictedTo>, asked: Asked = {}) {
  const request = { base: Dn.parse(dn), scope: 'sub', filter: matchAll, ...asked } as const;
  try {
    const entries = await searchRestricted(fixture.directory.service, request, restriction);
    return entries.map((entry) => entry.dn);
  } catch (error) {
    return Object(error).reason;
  }
}

describe('a search', () => {
  it('finds no entry twice where the subtrees of roles overlap', async () => {
    const restriction = restrictedTo([[[desk, room]], [[desk, ann]]]);
    expect(await found(people, restriction)).toEqual([desk, room, ann, ben, cam]);
  });

  it('finds nothing elsewhere than below its base', async () => {
    expect(await found(desk, restrictedTo([[[ann, fixture.users.bob.dn]]]))).toEqual([ann]);
  });

  it('finds the subtrees that are children of a base out of reach, and nothing below these', async () => {
    const restriction = restrictedTo([[[ann, ben, room]]]);
    expect(await found(desk, restriction, { scope: 'one' })).toEqual([ann, ben, room]);
    expect(await found(people, restriction, { scope: 'one' })).toEqual([]);
  });

  it.each([
    ['base', [ann]],
    ['base', [`uid=bob,${people}`]],
    ['one', [`uid=bob,${people}`]],
    ['sub', [`uid=bob,${people}`]],
  ] as const)('is refused with scope %s at a base out of reach by %j', async (scope, subtrees) => {
    for (const filter of [matchAll, and()])
      expect(await found(desk, restrictedTo([[subtrees]]), { scope, filter })).toBe('permission_denied');
  });

  it('looks for nothing at a base where the attribute may not be read', async () => {
    const restriction = restrictedTo([[[people], { read: ['cn'] }], [[desk]]]);
    const filter = present('mobile');
    expect(await found(people, restriction, { filter })).toEqual([ann, ben, cam]);
    const below = restrictedTo([[[desk], { read: ['cn'] }], [[ann]]]);
    expect(await found(desk, below, { filter, scope: 'one' })).toEqual([ann]);
    expect(await found(desk, below, { filter, scope: 'base' })).toEqual([]);
    expect(await found(people, restriction, { filter: equal('cn', 'bob') })).toEqual([fixture.users.bob.dn]);
  });

  it('leaves out what an option set keeps from the method, whatever the filter asks', async () => {
    const restriction = restrictedTo([[[desk]]], [[[room], { methods: ['Get_*'] }]]);
    for (const filter of [matchAll, and()])
      expect(await found(desk, restriction, { filter })).toEqual([desk, ann, ben]);
  });

  it('is refused for an attribute that may be read nowhere', async () => {
    const restriction = restrictedTo([[[desk], { read: ['cn'] }]]);
    expect(await found(desk, restriction, { attributes: ['mobile'] })).toBe('permission_denied');
    expect(await found(desk, restriction, { filter: present('mobile') })).toBe('permission_denied');
    expect(await found(desk, restriction, { attributes: ['cn', '*', '+'], scope: 'base' })).toEqual([desk]);
  });

  it('takes a limit for all subtrees together', async () => {
    const restriction = restrictedTo([[[ann, ben, room]]]);
    expect(await found(people, restriction, { limit: 4 })).toEqual([ann, ben, room, cam]);
    expect(await found(people, restriction, { limit: 3 })).toBe('too_large');
    expect(await found(people, restriction, { limit: 3, partial: true })).toEqual([ann, ben, room]);
    // One subtree alone has more.
    expect(await found(people, restrictedTo([[[room]]]), { limit: 1 })).toBe('too_large');
  });

  it('finds nothing in a subtree that is not there, and tells of a base that is not', async () => {
    const gone = `ou=gone,${desk}`;
    expect(await found(people, restrictedTo([[[gone, ann]]]))).toEqual([ann]);
    expect(await found(gone, restrictedTo([[[gone]]]))).toBe('not_found');
  });
});

describe('a list of children', () => {
  const list = async (dn: string, restriction: ReturnType<typeof restrictedTo>, after?: string) => {
    const request = { base: Dn.parse(dn), filter: matchAll, limit: 2, after };
    const { entries, next } = await childrenRestricted(fixture.directory.service, request, restriction);
    return { names: entries.map((entry) => entry.dn), next };
  };

  it('has pages where the base is in reach', async () => {
    const restriction = restrictedTo([[[desk]]], [[[room], { methods: ['Get_*'] }]]);
    const first = await list(desk, restriction);
    const second = await list(desk, restriction, first.next);
    expect(first.next).toBeDefined();
    expect([...first.names, ...second.names].toSorted()).toEqual([ann, ben]);
  });

  it('has one page of the subtrees right below a base out of reach, and no other', async () => {
    const restriction = restrictedTo([[[ann, ben, room]]]);
    expect(await list(desk, restriction)).toEqual({ names: [ann, ben, room], next: undefined });
    await expect(list(desk, restriction, 'x')).rejects.toMatchObject({ reason: 'invalid_params' });
  });
});
