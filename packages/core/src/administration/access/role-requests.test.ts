/** Roles request by request: when one counts that was taken away, in process, and by whichever name of a method. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fixture, openFixture, type Person } from '../../testing/bed/fixture.ts';

const base = 'dc=example,dc=org';
const people = `ou=people,${base}`;
const desk = `ou=desk,${people}`;
const carol = `uid=carol,${desk}`;

let fixture: Fixture;
let bob: Person;
let admin: Person;
beforeAll(async () => {
  fixture = await openFixture();
  admin = fixture.admin;
  bob = fixture.users.bob;
  await make(desk, { objectclass: 'organizationalUnit' });
  await make(carol, { objectclass: 'inetOrgPerson', cn: 'Carol', sn: 'Cook' });
});
afterAll(() => fixture.close());

const call = async (method: string, params: object) => {
  const { result, error } = await fixture.call(method, params);
  return error ? error.reason : result;
};
const make = async (dn: string, attrs: object) => {
  expect(await call('Create_LDAP_Object', { dn, attrs })).toBe(1);
};

describe('a role', () => {
  const role = (methods: string[]) => ({
    helpdesk: { members: [`cn=desk,ou=groups,${base}`], methods, subtrees: [desk] },
  });
  const team = `cn=desk,ou=groups,${base}`;
  beforeAll(() => make(team, { objectclass: 'groupOfNames', member: [bob.dn, admin.dn] }));
  const leave = { dn: team, attrs: { member: [`uid=bob,${people}`] }, values: true };

  it('that is taken away in a session is gone at the next request, on every node', async () => {
    const config = { manager_session: 300, roles: role(['Check_*']) };
    const [here, there] = [await fixture.another({ config }), await fixture.another({ config })];
    const { headers } = await here.answer({ as: bob });
    const cookie = /SVCMANAG=([^;]+)/.exec(headers['set-cookie'] ?? '')?.[1] ?? '';
    const check = async (node: Fixture) =>
      (await node.call('Check_LDAP_Object', { dn: carol }, { as: null, cookie })).result;
    expect([await check(here), await check(there)]).toEqual([true, true]);
    expect(await call('Remove_User_Attrs', leave)).toBe(1);
    expect([await check(there), await check(here)]).toEqual([undefined, undefined]);
    expect(await call('Set_User_Attrs', leave)).toBe(1);
    await Promise.all([here.close(), there.close()]);
  });

  it('that a call of a batch takes away ends with the batch', async () => {
    const own = { members: [team], methods: ['*'], subtrees: [base], write: ['member'] };
    const node = await fixture.another({ config: { roles: { own } } });
    const calls = [
      ['Remove_User_Attrs', leave],
      ['Check_LDAP_Object', { dn: carol }],
    ].map(([method, params], id) => ({ jsonrpc: '2.0', id, method, params }));
    const { body } = await node.answer({ as: bob, body: calls });
    expect(body).toMatchObject([{ result: 1 }, { result: true }]);
    // Who is no administrator any more is answered as one with a wrong password (docs/concepts/callers-and-sources.md#administrators).
    const { error } = await node.call('Check_LDAP_Object', { dn: carol }, { as: bob });
    expect(error?.reason).toBe('credentials_refused');
    await call('Set_User_Attrs', leave);
    await node.close();
  });

  it('is judged in a dry run by what the calls before would have done', async () => {
    const below = `cn=phone,${carol}`;
    await make(below, { objectclass: 'device' });
    const own = { members: [bob.dn], methods: ['*'], subtrees: [desk], write: ['*'], create: ['*'] };
    const node = await fixture.another({ config: { roles: { own } } });
    const body = [
      ['Rename_LDAP_Object', { dn: carol, name: 'carla' }],
      ['Remove_LDAP_Object', { dn: below }],
      ['Rename_LDAP_Object', { dn: carol, name: 'carla' }],
    ].map(([method, params], id) => ({ jsonrpc: '2.0', id, method, params }));
    const { body: answers } = await node.answer({ body, as: bob, isDryRun: true });
    if (!Array.isArray(answers)) throw new Error('no batch');
    expect(answers.map(({ error }) => error?.reason)).toEqual(['permission_denied', undefined, undefined]);
    await node.close();
    expect(await call('Remove_LDAP_Object', { dn: below })).toBe(1);
  });

  it('is obeyed in process', async () => {
    const node = await fixture.another({ config: { roles: role(['Check_*']) } });
    const { manager, close } = await node.service.manager.login(bob);
    expect(await manager.Check_LDAP_Object({ dn: carol })).toBe(true);
    await expect(manager.Check_LDAP_Object({ dn: admin.dn })).rejects.toMatchObject({
      reason: 'permission_denied',
    });
    await expect(manager.Get_User_Attrs({ dn: carol })).rejects.toMatchObject({
      reason: 'permission_denied',
    });
    await close();
    await node.close();
  });

  it.each(['Tokens.Block_*', 'tokens.block_check', 'Otp.Block_*', '*Block_Check'])(
    'with the method %s has it by each of its names',
    async (pattern) => {
      const node = await fixture.another({ config: { names: { Otp: 'Tokens' }, roles: role([pattern]) } });
      for (const method of ['Otp.Block_Check', 'Tokens.Block_Check', 'TOKENS.BLOCK_CHECK']) {
        const { error } = await node.call(method, { dn: carol }, { as: bob });
        expect(error?.reason).not.toBe('permission_denied');
      }
      for (const method of ['Otp.List_State', 'Tokens.List_State', 'Check_LDAP_Object']) {
        const { error } = await node.call(method, { dn: carol }, { as: bob });
        expect(error?.reason).toBe('permission_denied');
      }
      await node.close();
    },
  );
});
