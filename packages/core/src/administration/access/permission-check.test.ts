/** Rights for one method: what roles grant at an entry, less what option sets leave there. */
import { describe, expect, it } from 'vitest';
import { Dn } from '../../foundation/text/dn.ts';
import { readServiceConfig, ServiceError } from '../../index.ts';
import { Names } from '../../table/dialect.ts';
import { type Clause, denied, isLet, PermissionCheck } from './permission-check.ts';
import { grantOf, type PermissionSettings, restrictionOf } from './permissions.ts';

const base = 'dc=example,dc=org';
const people = `ou=people,${base}`;
const desk = `ou=desk,${people}`;
const shelf = `ou=shelf,${desk}`;
const { schema } = readServiceConfig({ domains: { Default: { base } } });
const none: PermissionSettings = { methods: ['*'], read: [], write: [], create: [] };

const clause = (
  of: typeof grantOf,
  subtree: string | undefined,
  row: Partial<PermissionSettings>,
): Clause => ({
  subtrees: subtree === undefined ? undefined : [Dn.parse(subtree)],
  permissions: of({ ...none, ...row }, new Names(), schema),
});
const grant = (subtree?: string, row = {}) => clause(grantOf, subtree, row);
const limit = (subtree?: string, row = {}) => clause(restrictionOf, subtree, row);
const rightsOf = (grants: readonly Clause[], limits: readonly Clause[] = []) =>
  new PermissionCheck({ grants, limits, method: 'Set_User_Attrs' });

it.each([
  [true, [grant(desk), grant()], []],
  [false, [grant(desk)], []],
  [false, [grant()], [limit(desk)]],
])('are unlimited: %s', (is, grants, limits) => {
  expect(rightsOf(grants, limits).isUnlimited).toBe(is);
});

it('hold in the subtrees of all grants, or everywhere', () => {
  const both = rightsOf([grant(desk), grant(base)]).subtrees;
  expect(both?.map((dn) => dn.format())).toEqual([desk, base]);
  expect(rightsOf([grant(desk), grant()]).subtrees).toBeUndefined();
});

describe('at an entry', () => {
  const check = rightsOf(
    [grant(desk, { write: ['mail'], create: ['device'] }), grant(people, { write: ['sn'], read: ['cn'] })],
    [
      limit(desk, { methods: ['Set_*'], write: ['mail'], create: ['device'] }),
      limit(shelf, { methods: ['Get_*'], write: ['mail'] }),
    ],
  );
  it.each([
    ['a grant', desk, 'mail', true],
    ['no grant there', people, 'mail', false],
    ['a grant of another role', people, 'sn', true],
    ['a grant that an option set takes away', desk, 'sn', false],
    ['a grant, and the option set has not the method', shelf, 'mail', false],
    ['no grant anywhere', base, 'sn', false],
  ])('let write by %s', (_, above, attribute, is) => {
    expect(check.writes(Dn.parse(`uid=eve,${above}`), attribute)).toBe(is);
  });

  it('hold, are limited, and are asserted', () => {
    const places = [base, people, desk, shelf].map((dn) => Dn.parse(dn));
    expect(places.map((dn) => check.holds(dn))).toEqual([false, true, true, false]);
    expect(places.map((dn) => check.isLimited(dn))).toEqual([false, false, true, true]);
    const asserted = places.map((dn) => {
      try {
        check.assertHolds(dn);
        return true;
      } catch {
        return false;
      }
    });
    expect(asserted).toEqual([false, true, true, false]);
    expect(places.map((dn) => check.creates(dn, 'device'))).toEqual([false, false, true, false]);
    expect(places.map((dn) => check.reads(dn, 'cn'))).toEqual([false, true, false, false]);
  });
});

it('let something be read anywhere when one grant does', () => {
  const check = rightsOf([grant(desk, { read: ['cn'] }), grant(people, { read: ['mail'] })]);
  expect(['cn', 'mail', 'sn'].map((name) => check.readsAnywhere(name))).toEqual([true, true, false]);
});

it.each([
  ['a grant', grant(desk, { write: ['mail'] }), limit(base), true],
  ['no grant', grant(desk), limit(base), false],
  [
    'a grant that is left everywhere',
    grant(desk, { write: ['mail'] }),
    limit(undefined, { write: ['*'] }),
    true,
  ],
  ['a grant that is left nowhere', grant(desk, { write: ['mail'] }), limit(), false],
  [
    'a grant whose method is left nowhere',
    grant(desk, { write: ['mail'] }),
    limit(undefined, { methods: ['Get_*'], write: ['*'] }),
    false,
  ],
])('let something be done somewhere by %s', (_, granted, limited, is) => {
  expect(rightsOf([granted], [limited]).somewhere(({ writes }) => writes('mail'))).toBe(is);
});

it('are let or refused, and fail as what they ask fails', async () => {
  expect(await isLet(Promise.resolve())).toBe(true);
  expect(await isLet(Promise.reject(denied('no')))).toBe(false);
  await expect(isLet(Promise.reject(new ServiceError('unavailable')))).rejects.toThrow(ServiceError);
});
