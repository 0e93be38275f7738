import { expect, it } from 'vitest';
import { Dn } from '../../foundation/text/dn.ts';
import { assertStillAdmitted } from './still-admitted.ts';

const administrator = Dn.parse('uid=ada,dc=example,dc=org');
const parts = (isSuperAdmin: boolean | undefined, manager_clients: readonly string[] = []) => ({
  config: { manager_clients: [...manager_clients] },
  hosts: { addresses: async () => [] },
  roles: { rights: async () => (isSuperAdmin === undefined ? undefined : { isSuperAdmin }) },
});

it.each([
  ['is no administrator', parts(undefined), /super_admins would not include you/],
  ['is no super administrator', parts(false), /super_admins would not include you/],
  ['calls from an address that is not listed', parts(true, ['10.0.0.0/8']), /manager_clients would not/],
])('refuses a configuration under which its author %s', async (_, next, why) => {
  await expect(assertStillAdmitted({ administrator, address: '192.0.2.1' }, next)).rejects.toThrow(why);
});

it('accepts a configuration under which its author may change it again', async () => {
  const next = parts(true, ['192.0.2.0/24']);
  await expect(assertStillAdmitted({ administrator, address: '192.0.2.1' }, next)).resolves.toBeUndefined();
  // A call in process comes from no address.
  await expect(
    assertStillAdmitted({ administrator, address: undefined }, parts(true, ['10.0.0.0/8'])),
  ).resolves.toBeUndefined();
});
