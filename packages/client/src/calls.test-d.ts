/** What compiles and what does not. Everything here is checked by the compiler; nothing runs. */
import type { ManagerCalls } from '@watchword/core';
import { describe, expectTypeOf, it } from 'vitest';
import type { Manager, PlannedCall, Planning, Sending, Settled } from './calls.ts';

declare const manager: Manager;
const alice = { username: 'alice', domain: 'Default' };
const dn = 'uid=alice,dc=example,dc=org';

describe('a method', () => {
  it('has the parameters and the result of its row', () => {
    expectTypeOf(manager.Get_User_DN(alice)).resolves.toEqualTypeOf<string>();
    expectTypeOf(manager.Get_User_Attrs({ dn })).resolves.toEqualTypeOf<Record<string, readonly string[]>>();
    expectTypeOf(manager.Get_User_Attrs({ dn, attrs: ['mail'] })).resolves.toEqualTypeOf<
      Record<string, readonly string[]>
    >();
    expectTypeOf(manager.Get_User_Groups({ dn, domain: 'Default' })).resolves.toEqualTypeOf<
      readonly string[]
    >();
    expectTypeOf(manager.Check_LDAP_Object({ dn })).resolves.toEqualTypeOf<boolean>();
  });

  it('succeeds with 1 or true', () => {
    expectTypeOf(manager.Remove_LDAP_Object({ dn })).resolves.toEqualTypeOf<1 | true | false>();
  });

  it('takes attributes as texts, numbers, lists and lists keyed by index', () => {
    manager.Set_User_Attrs({ dn, attrs: { mail: ['a@example.org'], uidnumber: 1001, sn: 'Liddell' } });
    manager.Set_User_Attrs({ dn, attrs: { member: { 0: dn, 1: dn } }, values: true });
    // @ts-expect-error a date is no attribute value
    manager.Set_User_Attrs({ dn, attrs: { mail: new Date() } });
  });

  it('needs its required parameters', () => {
    // @ts-expect-error domain is missing
    manager.Get_User_DN({ username: 'alice' });
    // @ts-expect-error no parameters
    manager.Get_User_DN();
  });

  it('may go without its optional ones', () => {
    manager.Server_Status();
    manager.Server_Status({ servers: true });
    manager.Count_Activated_Users();
    manager.Search_LDAP_Objects({ basedn: dn, scope: 'one' });
    // @ts-expect-error no such scope
    manager.Search_LDAP_Objects({ basedn: dn, scope: 'two' });
  });

  it('has no others, and no other types', () => {
    // @ts-expect-error no such parameter
    manager.Get_User_DN({ ...alice, realm: 'x' });
    // @ts-expect-error a DN is a text
    manager.Check_LDAP_Object({ dn: 1 });
  });

  it('takes the options of a call behind its parameters', () => {
    manager.Get_User_DN(alice, { timeout: 100, signal: new AbortController().signal });
    manager.Count_Activated_Users(undefined, { timeout: 100 });
    // @ts-expect-error no such option
    manager.Get_User_DN(alice, { retries: 3 });
  });

  it('exists', () => {
    // @ts-expect-error misspelt
    manager.Get_User_Dn(alice);
    // @ts-expect-error no such method
    manager.Nonsense();
    // @ts-expect-error no such application
    manager.Nonsense.HOTP_Register({ dn });
    // @ts-expect-error no such method of this application
    manager.Otp.Nonsense({ dn });
  });

  it('is that of the core, whatever the table will hold', () => {
    expectTypeOf<keyof Sending<ManagerCalls>>().toEqualTypeOf<keyof ManagerCalls>();
  });
});

describe('a method of an application', () => {
  interface Table {
    readonly Otp: {
      readonly HOTP_Register: (params: { readonly dn: string; readonly counter?: number }) => Promise<1>;
    };
  }

  it('stands under its name', () => {
    expectTypeOf<Sending<Table>['Otp']['HOTP_Register']>().parameter(0).toEqualTypeOf<{
      readonly dn: string;
      readonly counter?: number;
    }>();
    expectTypeOf<Sending<Table>['Otp']['HOTP_Register']>().returns.resolves.toEqualTypeOf<1>();
    expectTypeOf<Planning<Table>['Otp']['HOTP_Register']>().returns.toEqualTypeOf<PlannedCall<1>>();
  });
});

describe('a batch', () => {
  it('keeps the types of its calls in order', () => {
    const results = manager.batch((m) => [m.Get_User_DN(alice), m.Count_Activated_Users()]);
    expectTypeOf(results).resolves.toEqualTypeOf<[string, number | false]>();
  });

  it('gives a list for a list', () => {
    const names = ['alice', 'bob'];
    const results = manager.batch((m) =>
      names.map((username) => m.Get_User_DN({ username, domain: 'Default' })),
    );
    expectTypeOf(results).resolves.toEqualTypeOf<string[]>();
  });

  it('tells how each call ended', () => {
    const settled = manager.batchSettled((m) => [m.Get_User_DN(alice), m.Check_LDAP_Object({ dn })]);
    expectTypeOf(settled).resolves.toEqualTypeOf<[Settled<string>, Settled<boolean>]>();
  });

  it('takes no wrong call and nothing that is sent already', () => {
    // @ts-expect-error domain is missing
    manager.batch((m) => [m.Get_User_DN({ username: 'alice' })]);
    // @ts-expect-error sent, not planned
    manager.batch(() => [manager.Get_User_DN(alice)]);
  });
});
