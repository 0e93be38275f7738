/** Permissions of a role and of an option set, attribute by attribute. */
import { describe, expect, it } from 'vitest';
import { Names } from '../../table/dialect.ts';
import { grantOf, type PermissionSettings, restrictionOf, secrecyOf } from './permissions.ts';

const schema = { password_attributes: ['userPassword', 'secretWord'], member_of_attributes: ['memberOf'] };
const settings = (row: Partial<PermissionSettings>): PermissionSettings => ({
  ...{ methods: [], read: [], write: [], create: [] },
  ...row,
});
const role = (row: Partial<PermissionSettings>) => grantOf(settings(row), new Names(), schema);
const optionSet = (row: Partial<PermissionSettings>) => restrictionOf(settings(row), new Names(), schema);

const secrets = ['userPassword', 'secretWord', 'sambaNTPassword', 'Otp.TokenKey'];
const oid = '1.3.6.1.4.1.99';

it('knows secrets by their names', () => {
  const isSecret = secrecyOf(schema);
  expect([...secrets, 'mail', oid].filter(isSecret)).toEqual(secrets);
});

describe('a role', () => {
  const asked = [...secrets, 'mail', oid, 'memberOf', 'memberURL', 'objectClass', 'entryUUID'];
  it.each<[Partial<PermissionSettings>, readonly string[], readonly string[]]>([
    [{}, ['objectClass', 'entryUUID'], []],
    [{ read: ['*'] }, ['mail', 'memberOf', 'memberURL', 'objectClass', 'entryUUID'], []],
    [{ read: ['userPassword', oid] }, ['userPassword', oid, 'objectClass', 'entryUUID'], []],
    [
      { write: ['*'] },
      ['mail', 'memberOf', 'memberURL', 'objectClass', 'entryUUID'],
      ['mail', 'objectClass', 'entryUUID'],
    ],
    [{ write: ['memberOf', 'MAIL'] }, ['mail', 'memberOf', 'objectClass', 'entryUUID'], ['mail']],
    [{ write: ['secretWord'] }, ['objectClass', 'entryUUID'], ['secretWord']],
  ])('%j reads %j and writes %j', (row, read, written) => {
    const permissions = role(row);
    expect(asked.filter((name) => permissions.reads(name))).toEqual(read);
    expect(asked.filter((name) => permissions.writes(name))).toEqual(written);
  });

  it('admits its methods, and makes its classes', () => {
    const { admits, creates } = role({ methods: ['Get_*', 'Who_Am_I'], create: ['device'] });
    expect(['Get_User_Attrs', 'Who_Am_I', 'Set_User_Attrs'].map(admits)).toEqual([true, true, false]);
    expect(['Device', 'person'].map(creates)).toEqual([true, false]);
    expect(['Device', oid].map(role({ create: ['*'] }).creates)).toEqual([true, true]);
  });
});

describe('an option set', () => {
  it('is no restriction by *', () => {
    const { reads, writes } = optionSet({ read: ['*'], write: ['*'] });
    expect([...secrets, oid, 'memberOf'].filter(reads)).toEqual([...secrets, oid, 'memberOf']);
    expect([...secrets, oid, 'memberOf'].filter(writes)).toEqual([...secrets, oid, 'memberOf']);
  });

  it('leaves to be read what it leaves to be written, but no password', () => {
    const { reads } = optionSet({ write: ['mail', 'userPassword'] });
    expect(['mail', 'userPassword', 'sn'].filter(reads)).toEqual(['mail']);
  });
});
