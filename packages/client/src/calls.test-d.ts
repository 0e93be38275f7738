/** Types of calls that compile, and calls that do not. The compiler checks the file; nothing runs. */
import type { DryRunResult, ManagerCalls } from '@watchword/core';
import { describe, expectTypeOf, it } from 'vitest';
import type {
  DryRunManager,
  Manager,
  MethodFunctions,
  PlannedCall,
  PlannedFunctions,
  Settled,
} from './calls.ts';
import type { CallError } from './errors.ts';
import { safe } from './safe.ts';

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

  it('has the same parameters in a dry run, and another result', async () => {
    const dryRun = {} as DryRunManager;
    expectTypeOf(dryRun.Remove_LDAP_Object({ dn })).resolves.toEqualTypeOf<DryRunResult>();
    expectTypeOf(dryRun.Otp.Block_Start({ dn })).resolves.toEqualTypeOf<DryRunResult>();
    const batch = dryRun.batch((m) => [m.Otp.Block_Start({ dn }), m.Remove_LDAP_Object({ dn })]);
    expectTypeOf(batch).resolves.toEqualTypeOf<[DryRunResult, DryRunResult]>();
    // @ts-expect-error a method needs its parameters
    dryRun.Remove_LDAP_Object({});
  });

  it('succeeds with 1 or true', () => {
    expectTypeOf(manager.Remove_LDAP_Object({ dn })).resolves.toEqualTypeOf<1 | true | false>();
  });

  it('takes attributes as texts and lists', () => {
    manager.Set_User_Attrs({ dn, attrs: { mail: ['a@example.org'], sn: 'Liddell' }, values: true });
    // @ts-expect-error a date is no attribute value
    manager.Set_User_Attrs({ dn, attrs: { mail: new Date() } });
  });

  it('takes what the interface names, and nothing that servers forgive', () => {
    manager.Otp.HOTP_Register({ dn, key: 'MTIzNDU2Nzg5MDEyMzQ1Njc4OTA=', counter: 1, id: 2 });
    // @ts-expect-error a text for a number
    manager.Otp.HOTP_Register({ dn, key: 'x', counter: '1' });
    // @ts-expect-error a number for a text: it would lose the zeros in front
    manager.Otp.HOTP_Verify({ otp: 12345, key: 'x', length: 6 });
    // @ts-expect-error a text for a boolean
    manager.Count_Domain_Users({ domain: 'Default', active: 'True' });
    // @ts-expect-error a number for a boolean
    manager.Count_Domain_Users({ domain: 'Default', active: 1 });
    // @ts-expect-error a list keyed by index
    manager.Get_User_Attrs({ dn, attrs: { 0: 'mail' } });
    // @ts-expect-error a number for the value of an attribute
    manager.Set_User_Attrs({ dn, attrs: { uidnumber: 1001 } });
    // @ts-expect-error values keyed by index
    manager.Set_User_Attrs({ dn, attrs: { mail: { 0: 'a@example.org' } } });
    // @ts-expect-error null for a parameter that is left out
    manager.Count_Domain_Users({ domain: 'Default', active: null });
    // @ts-expect-error data is base64
    manager.Set_User_Data({ dn, data: { 'Otp.TokenType': true } });
  });

  it('knows the settings, and the words of those that have some', () => {
    manager.Set_User_Settings({
      dn,
      settings: { 'Otp.LoginMode': 'LDAPOTP', 'Otp.MaxTries': '4', 'Otp.SecureMail': true },
    });
    manager.Set_User_Settings({ dn, settings: { 'Otp.EnableLogin': 'No', 'Otp.ValidFrom': null } });
    manager.Get_User_Settings({ dn, settings: ['Otp.LoginMode', 'Sso.SessionTimeout', 'SshKey.KeyExpire'] });
    type Settings = Parameters<Manager['Set_User_Settings']>[0]['settings'];
    expectTypeOf<Settings['Otp.LoginMode']>().toEqualTypeOf<
      'LDAP' | 'OTP' | 'LDAPOTP' | 'LDAPU2F' | 'LDAPMFA' | null | undefined
    >();
    expectTypeOf<Settings['Otp.ReplyData']>().toEqualTypeOf<string | null | undefined>();
    expectTypeOf<Settings['Otp.PushLogin']>().toEqualTypeOf<boolean | 'Yes' | 'No' | null | undefined>();
    // @ts-expect-error misspelt
    manager.Set_User_Settings({ dn, settings: { 'Otp.Loginmode': 'LDAP' } });
    // @ts-expect-error of no application
    manager.Set_User_Settings({ dn, settings: { LoginMode: 'LDAP' } });
    // @ts-expect-error no word of this setting
    manager.Set_User_Settings({ dn, settings: { 'Otp.LoginMode': 'PASSWORD' } });
    // @ts-expect-error a word of a version to come
    manager.Set_User_Settings({ dn, settings: { 'Otp.OTPType': 'VOICE' } });
    // @ts-expect-error a number for a text
    manager.Set_User_Settings({ dn, settings: { 'Otp.MaxTries': 4 } });
    // @ts-expect-error misspelt
    manager.Get_User_Settings({ dn, settings: ['Otp.Loginmode'] });
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
    expectTypeOf<keyof MethodFunctions<ManagerCalls>>().toEqualTypeOf<keyof ManagerCalls>();
  });
});

describe('a method of an application', () => {
  interface Table {
    readonly Otp: {
      readonly HOTP_Register: (params: { readonly dn: string; readonly counter?: number }) => Promise<1>;
    };
  }

  it('stands under its name', () => {
    expectTypeOf<MethodFunctions<Table>['Otp']['HOTP_Register']>().parameter(0).toEqualTypeOf<{
      readonly dn: string;
      readonly counter?: number;
    }>();
    expectTypeOf<MethodFunctions<Table>['Otp']['HOTP_Register']>().returns.resolves.toEqualTypeOf<1>();
    expectTypeOf<PlannedFunctions<Table>['Otp']['HOTP_Register']>().returns.toEqualTypeOf<PlannedCall<1>>();
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

describe('a safe call', () => {
  it('has its result or its error', async () => {
    const found = await safe(manager.Get_User_DN(alice));
    expectTypeOf(found).toEqualTypeOf<Settled<string>>();
    if (found.ok) expectTypeOf(found.value).toEqualTypeOf<string>();
    else expectTypeOf(found.error).toEqualTypeOf<CallError>();
    // @ts-expect-error nobody has looked whether there is one
    found.value;
    const both = safe(manager.batch((m) => [m.Get_User_DN(alice), m.Count_Activated_Users()]));
    expectTypeOf(both).resolves.toEqualTypeOf<Settled<[string, number | false]>>();
  });
});
