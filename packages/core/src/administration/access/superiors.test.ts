/** Administrators who may do more than another one, and are changed by nobody who may do less. */
import { describe, expect, it } from 'vitest';
import { Dn } from '../../foundation/text/dn.ts';
import { allPermissions } from './permissions.ts';
import type { Role } from './role.ts';
import { isSuperior, isTenant, type Mandate } from './superiors.ts';

const desk = Dn.parse('ou=desk,dc=example,dc=org');
const self = desk.child(Dn.parse('uid=self').rdn);
const place = desk.child(Dn.parse('uid=other').rdn);
const away = Dn.parse('uid=other,dc=example,dc=org');

const role = (name: string, members: readonly Dn[] = [], tenant?: true): Role => ({
  ...{ name, members, interfaces: [], subtrees: [], permissions: allPermissions },
  row: {
    ...{ members: [], methods: [], subtrees: [], read: [], write: [], create: [], interfaces: [] },
    ...(tenant && { tenant }),
  },
});
const superAdmin = (voucher = away): Mandate => ({ voucher, roles: [] });
const member = (...roles: readonly Role[]): Mandate => ({ voucher: undefined, roles });

it.each([
  [true, 'a super administrator, than a member', superAdmin(), member(role('a'))],
  [true, 'a member of a further role', member(role('a'), role('b')), member(role('a'))],
  [false, 'a member of the same role', member(role('a')), member(role('a'), role('b'))],
  [false, 'a member, than a super administrator', member(role('a')), superAdmin()],
  [false, 'another super administrator', superAdmin(), superAdmin()],
])('may do more: %s (%s)', (is, _, other, mandate) => {
  const than = { dn: self, mandate, optionSets: [] };
  expect(isSuperior(place, other, { than, mayBeGroup: false })).toBe(is);
  expect(isSuperior(place, other, { than, mayBeGroup: true })).toBe(is);
});

describe('whom an option set restricts', () => {
  const optionSet = (isEverywhere: boolean) => ({
    ...{ name: 'calm', subtree: desk, isEverywhere, permissions: allPermissions },
    restricts: { entries: false, administrators: true },
  });
  it.each<[boolean, string, Dn, Mandate, { mayBeGroup?: boolean; isEverywhere?: boolean }]>([
    [false, 'in the subtree', place, superAdmin(), {}],
    [true, 'outside of it', away, superAdmin(), {}],
    [true, 'in it, perhaps a group', place, superAdmin(), { mayBeGroup: true }],
    [true, 'in it, named as a super administrator', place, superAdmin(place), {}],
    [true, 'in it, named as a member', place, member(role('a', [away, place])), {}],
    [false, 'in it, a member by another name', place, member(role('a', [away])), {}],
    [false, 'itself', self, superAdmin(), { mayBeGroup: true }],
    [
      false,
      'perhaps a group, and it holds for all',
      place,
      superAdmin(),
      { mayBeGroup: true, isEverywhere: true },
    ],
  ])('is below another: %s (%s)', (is, _, dn, other, { mayBeGroup = false, isEverywhere = false }) => {
    const than = { dn: self, mandate: superAdmin(), optionSets: [optionSet(isEverywhere)] };
    expect(isSuperior(dn, other, { than, mayBeGroup })).toBe(is);
  });
});

it('is a tenant by one of its roles', () => {
  expect(isTenant(member(role('a'), role('b', [], true)))).toBe(true);
  expect(isTenant(member(role('a')))).toBe(false);
});
