/** Get_Event_Logs: who reads what happened, and what it says. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Dn } from '../../foundation/text/dn.ts';
import { type Fixture, openFixture, type Person } from '../../testing/bed/fixture.ts';

const people = 'ou=people,dc=example,dc=org';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture({
    config: {
      names: { Otp: 'Theirs' },
      roles: {
        readers: { members: [`uid=bob,${people}`], methods: ['Get_*'], subtrees: [`uid=alice,${people}`] },
      },
    },
  });
  const { alice } = fixture.users;
  const activation = { operation: 'add', attribute: 'objectClass', values: ['webadmaccount'] } as const;
  await fixture.directory.service.modify(Dn.parse(alice.dn), [activation]);
  await fixture.call('Set_User_Attrs', { dn: alice.dn, attrs: { mail: 'alice@example.org' } });
  await fixture.service.web.otp.normalLogin({
    username: 'alice',
    ldapPassword: 'wrong',
    source: '198.51.100.7',
  });
});
afterAll(() => fixture.close());

const read = async (params: object, as?: Person) => {
  const { result, error } = await fixture.call('Get_Event_Logs', params, as && { as });
  return error ? error.reason : result;
};

describe('the event log', () => {
  it('tells what was done with an entry, by whom, from where and when', async () => {
    const { alice, bob } = fixture.users;
    const events = await read({ application: 'manager', dn: alice.dn.toUpperCase() });
    expect(events).toEqual([
      {
        time: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
        session: expect.stringMatching(/^[0-9A-Z]{8}$/),
        client: '192.0.2.1:40000',
        application: 'Manager',
        source: '',
        host: fixture.core.host,
        dn: alice.dn,
        text: expect.stringContaining('Set_User_Attrs'),
        meaning: { kind: 'call', outcome: 'done', what: 'Set_User_Attrs' },
      },
    ]);
    for (const application of ['Otp', 'Theirs', 'theirs'])
      expect(await read({ application })).toMatchObject([{ source: '198.51.100.7', dn: alice.dn }]);
    expect(await read({ application: 'Otp', dn: bob.dn })).toEqual([]);
  });

  it('is for those who see the entry', async () => {
    const { alice, bob } = fixture.users;
    expect(await read({ application: 'Otp', dn: alice.dn }, bob)).toHaveLength(1);
    expect(await read({ application: 'Otp', dn: fixture.admin.dn }, bob)).toBe('permission_denied');
    expect(await read({ application: 'Otp' }, bob)).toBe('permission_denied');
  });

  it('tells of entries that have gone', async () => {
    expect(await read({ application: 'Otp', dn: `uid=nobody,${people}` })).toEqual([]);
  });

  it.each([{ application: 'Else' }, { application: 'Otp', max: 0 }, { application: 'Otp', max: 10_001 }, {}])(
    'refuses %j',
    async (params) => {
      expect(await read(params)).toBe('invalid_params');
    },
  );
});
