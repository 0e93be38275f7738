/** Answers of a dry run, by caller: over the embedded directory and slapd. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RowView } from '../../../applications/context/call.ts';
import { Dn } from '../../../foundation/text/dn.ts';
import { application } from '../../../table/application.ts';
import { method } from '../../../table/method.ts';
import { dn, success } from '../../../table/schema/index.ts';
import { type Asking, type Fixture, openFixture } from '../../../testing/bed/fixture.ts';
import { licenseFor } from '../../../testing/bed/signed-license.ts';
import { engines, openStage, refusalOf, type Stage } from '../../../testing/bed/stage.ts';

describe.each(engines)('a dry run on %s', (engine) => {
  let stage: Stage;
  let people: string;
  let ann: string;
  beforeAll(async () => {
    stage = await openStage(engine);
    people = await stage.container();
    ann = await stage.person(people, 'ann', { mail: 'ann@example.org', userpassword: 'Secret-1' });
  });
  afterAll(() => stage.close());
  const kept = (dn: string) => stage.ports.directory.service.read(Dn.parse(dn), ['*', 'userPassword']);

  it('tells the changes that would be made, and makes none', async () => {
    const { dryRun } = stage;
    const before = await kept(ann);
    const modify = (...changes: object[]) => ({
      dryRun: true,
      would: [{ operation: 'modify', dn: ann, changes }],
    });
    expect(await dryRun.Set_User_Attrs({ dn: ann, attrs: { mail: 'x@example.org' } })).toEqual(
      modify({ operation: 'replace', attribute: 'mail', values: ['x@example.org'] }),
    );
    expect(await dryRun.Remove_User_Attrs({ dn: ann, attrs: ['mail'] })).toEqual(
      modify({ operation: 'replace', attribute: 'mail', values: [] }),
    );
    const bea = `uid=bea,${people}`;
    const attrs = { objectclass: ['inetOrgPerson'], cn: 'Bea', sn: 'Born', userpassword: 'Secret-2' };
    const result = await dryRun.Create_LDAP_Object({ dn: bea, attrs });
    expect(result).toMatchObject({ would: [{ operation: 'add', dn: bea }] });
    expect(JSON.stringify(result)).not.toContain('Secret-2');
    expect(await dryRun.Rename_LDAP_Object({ dn: ann, name: 'anna' })).toEqual({
      ...{ dryRun: true, would: [{ operation: 'rename', dn: ann, changes: [], to: `uid=anna,${people}` }] },
    });
    expect(await dryRun.Remove_LDAP_Object({ dn: ann })).toMatchObject({
      would: [{ operation: 'remove' }],
    });
    expect(await dryRun.Set_User_Password({ dn: ann, password: 'Secret-3' })).toMatchObject({
      would: [{ operation: 'password', dn: ann, changes: [] }],
    });
    expect([await kept(ann), await kept(bea)]).toEqual([before, undefined]);
  });

  it('counts numbers and uses none up', async () => {
    const classes = { objectclass: ['inetOrgPerson', 'posixAccount'], homedirectory: '/', gidnumber: '1' };
    const attrs = { ...classes, cn: 'N', sn: 'N', uidnumber: '%AUTOINC%' };
    const dn = `uid=n,${people}`;
    const first = await stage.dryRun.Create_LDAP_Object({ dn, attrs });
    const next = await stage.dryRun.Create_LDAP_Object({ dn, attrs });
    expect(first).toEqual(next);
    expect(first.would).toContainEqual({ operation: 'store', family: 'autoinc', change: 'set' });
    expect(JSON.stringify(first.would)).toMatch(/"uidnumber","values":\["\d+"\]/);
  });

  it('is refused as the call would be', async () => {
    const { manager, dryRun } = stage;
    const [nobody, nowhere] = [`uid=nobody,${people}`, `ou=nowhere,${people}`];
    const attrs = { objectclass: ['inetOrgPerson'], cn: 'A', sn: 'A' };
    for (const one of [manager, dryRun]) {
      const refused = [
        one.Set_User_Attrs({ dn: nobody, attrs: { mail: 'x' } }),
        one.Remove_LDAP_Object({ dn: nobody }),
        one.Move_LDAP_Object({ dn: ann, container: nowhere }),
        one.Create_LDAP_Object({ dn: ann, attrs }),
        one.Create_LDAP_Object({ dn: `uid=a,${nowhere}`, attrs }),
        one.Remove_LDAP_Object({ dn: people }),
        one.Otp.Token_Disable({ dn: ann }),
      ].map((call) => refusalOf(call));
      expect((await Promise.all(refused)).map(({ reason }) => reason)).toEqual([
        ...['not_found', 'not_found', 'not_found', 'already_exists', 'not_found', 'schema_refused'],
        'not_found',
      ]);
    }
  });
});

it('a dry run tells settings as an attribute where the directory has none for them, and where they are kept', async () => {
  const stage = await openStage('OpenLDAP', { accountSchema: false });
  const container = await stage.container();
  const dn = `uid=ann,${container}`;
  await stage.manager.Create_LDAP_Object({ dn, attrs: { objectclass: 'inetOrgPerson', cn: 'A', sn: 'A' } });
  const result = await stage.dryRun.Set_User_Settings({ dn, settings: { 'Otp.LoginMode': 'LDAP' } });
  expect(result.would).toMatchObject([
    { operation: 'store', family: 'entry-records', change: 'set' },
    { operation: 'modify', dn, changes: [{ operation: 'add', values: ['Otp.LoginMode=LDAP'] }] },
  ]);
  const records = [];
  for await (const page of stage.ports.entryRecords.all()) records.push(...page);
  expect(records).toEqual([]);
  await stage.close();
});

describe('a dry run', () => {
  const base = 'dc=example,dc=org';
  const people = `ou=people,${base}`;
  const alice = `uid=alice,${people}`;
  const touched: string[] = [];
  const row = {
    summary: '',
    on: 'dn',
    params: { dn: dn() },
    result: success(),
    permission: 'write',
  } as const;
  const touch = method({ ...row, run: (params) => void touched.push(params.dn.format()) });
  const own = application({
    ...{
      name: 'Own',
      service: 'own',
      settings: {},
      publicData: [],
      operations: {},
      methods: { Touch: touch },
    },
  });
  let fixture: Fixture;
  beforeEach(async () => {
    fixture = await openFixture({ applications: { Own: own } });
  });
  afterEach(() => fixture.close());

  async function dry(name: string, params: unknown, asking: Asking = {}): Promise<unknown> {
    const { result, error } = await fixture.call(name, params, { ...asking, isDryRun: true });
    return error ? { reason: error.reason } : result;
  }
  const mail = (to: string) => ({ dn: alice, attrs: { mail: to } });

  it('goes on, in a batch, from what the calls before would have done', async () => {
    const dave = `uid=dave,${people}`;
    const attrs = { objectclass: ['inetOrgPerson', 'webadmAccount'], cn: 'Dave', sn: 'D' };
    const key = Buffer.alloc(20, 1).toString('base64');
    const calls = [
      ['Create_LDAP_Object', { dn: dave, attrs }],
      ['Set_User_Attrs', { dn: dave, attrs: { mail: 'dave@example.org' } }],
      ['Otp.HOTP_Register', { dn: dave, key }],
      ['Otp.Token_Disable', { dn: dave }],
      ['Rename_LDAP_Object', { dn: dave, name: 'david' }],
      ['Set_User_Attrs', { dn: dave, attrs: { mail: 'x' } }],
      ['Otp.Token_Enable', { dn: `uid=david,${people}` }],
      ['Remove_LDAP_Object', { dn: `uid=david,${people}` }],
      ['Remove_LDAP_Object', { dn: `uid=david,${people}` }],
    ] as const;
    const body = calls.map(([name, params], id) => ({ jsonrpc: '2.0', id, method: name, params }));
    const all = (isDryRun: boolean) => fixture.answer({ body, isDryRun });
    const dryRuns = (await all(true)).body;
    const made = (await all(false)).body;
    if (!Array.isArray(dryRuns) || !Array.isArray(made)) throw new Error('no batch');
    const outcomes = (answers: readonly object[]) =>
      answers.map((one) => ('error' in one ? one.error : 'done'));
    expect(outcomes(dryRuns)).toEqual(outcomes(made));
    expect(outcomes(made).filter((one) => one !== 'done')).toHaveLength(2);
    expect(dryRuns[4]).toMatchObject({ result: { would: [{ operation: 'rename', dn: dave }] } });
  });

  it('does not run a method that somebody has added, unless its application says that it may', async () => {
    expect(await dry('Own.Touch', { dn: alice })).toEqual({ dryRun: true, would: null });
    expect(await dry('Own.Touch', {})).toEqual({ reason: 'invalid_params' });
    expect(touched).toEqual([]);
    const node = await fixture.another({ applications: { Own: { ...own, supportsDryRun: true } } });
    const { result } = await node.call('Own.Touch', { dn: alice }, { isDryRun: true });
    expect([result, touched]).toEqual([{ dryRun: true, would: [] }, [alice]]);
    await node.close();
  });

  it('judges no password and no code: nobody would count who guesses', async () => {
    await fixture.call('Activate_LDAP_Object', { dn: alice });
    const key = Buffer.from('12345678901234567890').toString('base64');
    await fixture.call('Otp.HOTP_Register', { dn: alice, key });
    const codes = { right: ['755224', '287082'], wrong: ['000000', '000001'] };
    for (const [otp1, otp2] of Object.values(codes))
      expect(await dry('Otp.HOTP_Resync_Sequence', { dn: alice, otp1, otp2 })).toEqual({
        ...{ dryRun: true, would: null },
      });
    for (const password of [fixture.users.alice.password, 'wrong']) {
      expect(await dry('Check_User_Password', { dn: alice, password })).toEqual({
        dryRun: true,
        would: null,
      });
      expect(
        await dry('SelfDesk.Change_Password', { dn: alice, old: password, password: 'New-Pa55-7' }),
      ).toEqual({ dryRun: true, would: null });
    }
    const stranger = { as: { ...fixture.admin, password: 'x' } };
    expect(await dry('Set_User_Attrs', mail('x'), stranger)).toEqual({ reason: 'credentials_refused' });
  });

  it('is refused, and on record, where the caller may not', async () => {
    const bob = { as: fixture.users.bob };
    const desk = { name: 'desk', members: [fixture.users.bob.dn], methods: ['*'], subtrees: [people] };
    await fixture.call('Set_Role', { ...desk, read: ['mail'], write: ['mail'] });
    expect(await dry('Set_User_Attrs', mail('b@example.org'), bob)).toMatchObject({
      would: [{ changes: [{ attribute: 'mail', values: ['b@example.org'] }] }],
    });
    for (const [name, params] of [
      ['Set_User_Attrs', { dn: alice, attrs: { sn: 'B' } }],
      ['Otp.Block_Start', { dn: fixture.admin.dn }],
      ['Set_User_Attrs', { dn: `cn=administrators,ou=groups,${base}`, attrs: { mail: 'x' } }],
      ['Set_Role', desk],
    ] as const) {
      const before = fixture.countEvents(name);
      const real = await fixture.call(name, params, bob);
      expect(await dry(name, params, bob)).toEqual({ reason: real.error?.reason });
      expect([real.error?.reason, fixture.countEvents(name) - before]).toEqual(['permission_denied', 2]);
    }
  });

  it('tells no more of what the service would write than the caller may read', async () => {
    const replace = (value: string) => [{ operation: 'replace' as const, attribute: 'sn', values: [value] }];
    const run = async (params: { readonly dn: Dn }, call: RowView) => {
      await call.server.service.modify(params.dn, replace('Unseen'));
      await call.server.service.modify(Dn.parse(fixture.admin.dn), replace('Unseen'));
      await call.directory.modify(params.dn, [{ operation: 'replace', attribute: 'mail', values: ['seen'] }]);
    };
    const Own = { ...own, supportsDryRun: true, methods: { Sneak: method({ ...row, run }) } } as const;
    const node = await fixture.another({ applications: { Own } });
    const desk = { name: 'desk', members: [fixture.users.bob.dn], methods: ['*'], subtrees: [alice] };
    await node.call('Set_Role', { ...desk, read: ['uid'], write: ['mail'] });
    const { result } = await node.call('Own.Sneak', { dn: alice }, { as: fixture.users.bob, isDryRun: true });
    const hidden = { operation: 'replace', attribute: 'sn', values: ['***'] };
    expect(result).toEqual({
      dryRun: true,
      would: [
        { operation: 'modify', dn: alice, changes: [hidden] },
        { operation: 'modify', dn: '***', changes: [] },
        { operation: 'modify', dn: alice, changes: [{ ...hidden, attribute: 'mail', values: ['seen'] }] },
      ],
    });
    await node.close();
  });

  it('judges the places of a licence, and takes none', async () => {
    const node = await fixture.another({ ports: () => ({ license: licenseFor(1) }) });
    const activate = async (uid: string, isDryRun: boolean) => {
      const { result, error } = await node.call(
        'Activate_LDAP_Object',
        { dn: `uid=${uid},${people}` },
        { isDryRun },
      );
      return error?.reason ?? result;
    };
    expect(await activate('alice', true)).toMatchObject({
      would: [{ operation: 'store', family: 'license' }, { operation: 'modify' }],
    });
    expect(await activate('bob', true)).toMatchObject({ dryRun: true });
    expect(await activate('alice', false)).toBe(1);
    expect(await activate('bob', true)).toBe('license_refused');
    await node.close();
  });

  it('is known in process', async () => {
    await fixture.call('Activate_LDAP_Object', { dn: alice });
    const login = await fixture.service.manager.login(fixture.admin);
    expect(await login.dryRun.Otp.Block_Start({ dn: alice })).toMatchObject({
      ...{ dryRun: true, would: Array(2).fill({ operation: 'store', family: 'limits', change: 'set' }) },
    });
    expect(await login.manager.Otp.Block_Check({ dn: alice })).toMatchObject({ blocked: false });
    await login.close();
  });
});
