/** A dry run: every method of the table, and nothing is another thing afterwards. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundled } from '../../applications.ts';
import { Names } from '../../table/dialect.ts';
import { type Fixture, openFixture } from '../../testing/fixture.ts';
import { Dn } from '../../text/dn.ts';
import { everything } from '../../text/filter.ts';
import { Answers } from '../answers.ts';
import { MethodTable } from '../methods.ts';

const base = 'dc=example,dc=org';
const people = `ou=people,${base}`;
const alice = `uid=alice,${people}`;

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
  await fixture.call('Activate_LDAP_Object', { dn: alice });
});
afterAll(() => fixture.close());

/** As the super administrator, or a member of a role. */
async function dry(method: string, params: unknown, who = fixture.admin): Promise<unknown> {
  const administrator = Dn.parse(who.dn);
  const bound = await fixture.ports.directory.bind(administrator, who.password);
  const reach = await fixture.core.roles.reach(administrator, 'Manager');
  if (!bound.granted || !reach) throw new Error('no administrator');
  const answers = new Answers(fixture.core);
  const caller = { administrator, directory: bound.directory, reach, isDryRun: true };
  try {
    return await answers.dispatcher.invoke(method, params, answers.call(caller, { id: 'A', client: '-' }));
  } finally {
    await bound.directory.close();
  }
}

/** All that lasts: entries with what the directory keeps of them, the store, the records, the events. */
async function everythingThere(): Promise<string> {
  const entries = await fixture.ports.directory.service.search({
    ...{ base: Dn.parse(base), scope: 'sub', filter: everything, attributes: ['*', '+'] },
  });
  const told = entries.map(({ dn, attributes }) => [
    dn,
    [...attributes].map(([name, all]) => [name, all.map(String)]),
  ]);
  const kept = fixture.kept();
  const pages: unknown[] = [];
  for (const part of [kept.values(), kept.events(), kept.certificates(), kept.revocations()])
    for await (const page of part) pages.push(page);
  for await (const page of kept.entryRecords()) pages.push([...page]);
  return JSON.stringify([told, pages]);
}

it('would see a change', async () => {
  const before = await everythingThere();
  await fixture.ports.store.put('anything:at-all', new Uint8Array([1]), 100);
  expect(await everythingThere()).not.toBe(before);
});

describe('every method with its example', () => {
  it.each(new MethodTable(bundled, new Names()).all)('$ours changes nothing', async ({ ours, method }) => {
    const before = await everythingThere();
    const answer = await dry(ours, method.example ?? {}).catch((error) => ({ reason: error.reason }));
    expect(await everythingThere()).toBe(before);
    const isAnswer = (one: object) => 'dryRun' in one && 'would' in one;
    expect([
      typeof answer === 'object' && answer !== null && (isAnswer(answer) || 'reason' in answer),
      answer,
    ]).toEqual([true, answer]);
  });
});

describe('what it tells', () => {
  it('is the changes that would be made', async () => {
    const modify = (changes: object[]) => ({
      dryRun: true,
      would: [{ operation: 'modify', dn: alice, changes }],
    });
    expect(await dry('Set_User_Attrs', { dn: alice, attrs: { mail: 'x@example.org' } })).toEqual(
      modify([{ operation: 'replace', attribute: 'mail', values: ['x@example.org'] }]),
    );
    const dave = `uid=dave,${people}`;
    expect(
      await dry('Create_LDAP_Object', {
        dn: dave,
        attrs: { objectclass: ['inetOrgPerson'], cn: 'Dave', sn: 'Dorn', userpassword: 'secret-1' },
      }),
    ).toMatchObject({ would: [{ operation: 'add', dn: dave }] });
    expect(await dry('Rename_LDAP_Object', { dn: alice, name: 'alicia' })).toMatchObject({
      would: [{ operation: 'rename', dn: alice, to: `uid=alicia,${people}` }],
    });
    expect(await dry('Set_User_Password', { dn: alice, password: 'Secret-2' })).toEqual({
      ...{ dryRun: true, would: [{ operation: 'password', dn: alice, changes: [] }] },
    });
  });

  it('says no secret', async () => {
    const attrs = { userpassword: 'Secret-3' };
    expect(JSON.stringify(await dry('Set_User_Attrs', { dn: alice, attrs }))).not.toContain('Secret-3');
  });

  it('is nothing of what is kept elsewhere, or needs a number', async () => {
    expect(await dry('Otp.Block_Start', { dn: alice })).toEqual({ dryRun: true, would: null });
    const attrs = {
      objectclass: ['inetOrgPerson', 'posixAccount'],
      cn: 'N',
      sn: 'N',
      uidnumber: '%AUTOINC%',
    };
    expect(await dry('Create_LDAP_Object', { dn: `uid=n,${people}`, attrs })).toEqual({
      dryRun: true,
      would: null,
    });
  });

  it('is refused as the call would be', async () => {
    await expect(
      dry('Set_User_Attrs', { dn: `uid=none,${people}`, attrs: { mail: 'x' } }),
    ).rejects.toMatchObject({
      reason: 'not_found',
    });
    await expect(dry('Move_LDAP_Object', { dn: alice, container: `ou=none,${base}` })).rejects.toMatchObject({
      reason: 'not_found',
    });
    await expect(dry('Set_User_Attrs', { dn: alice })).rejects.toMatchObject({ reason: 'invalid_params' });
    const role = {
      name: 'desk',
      members: [fixture.users.bob.dn],
      methods: ['*'],
      subtrees: [people],
      write: ['mail'],
    };
    await fixture.call('Set_Role', role);
    const asBob = (attrs: object) => dry('Set_User_Attrs', { dn: alice, attrs }, fixture.users.bob);
    expect(await asBob({ mail: 'b@example.org' })).toMatchObject({ dryRun: true });
    await expect(asBob({ sn: 'B' })).rejects.toMatchObject({ reason: 'permission_denied' });
    await expect(dry('Otp.Block_Start', { dn: fixture.admin.dn }, fixture.users.bob)).rejects.toMatchObject({
      reason: 'permission_denied',
    });
  });
});
