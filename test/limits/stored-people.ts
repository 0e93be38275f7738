/** Puts a person of the oracle into the directory: an entry, limits of its own, and what it logs in with. */
import { createHash } from 'node:crypto';
import type { Fixture } from '@watchword/core/testing/bed';
import { dnOf, done, give } from '../login/people.ts';
import type { Authenticator, Person } from './oracle/oracle-people.ts';

export async function storePerson(
  fixture: Fixture,
  { name, has, maxTries, blockTime }: Person,
  settings: object = {},
) {
  const dn = dnOf(fixture, name);
  const attrs = { objectclass: ['inetOrgPerson', 'webadmAccount'], cn: name, sn: name };
  await done(fixture, 'Create_LDAP_Object', { dn, attrs });
  const limits = { 'Otp.MaxTries': String(maxTries), 'Otp.BlockTime': String(blockTime) };
  await done(fixture, 'Set_User_Settings', { dn, settings: { ...limits, ...settings } });
  for (const one of has) await give(fixture, name, dataOf(one));
}

/** As they stand on the entry (docs/concepts/dialects-and-names.md#stored-data; a list as authenticators/lists.ts has it). */
function dataOf(one: Authenticator): Readonly<Record<string, string | Uint8Array>> {
  if (one.type === 'LIST')
    return {
      ListKey: one.secret,
      ListState: Uint8Array.of(one.digits, one.size, ...new Uint8Array(Math.ceil(one.size / 8))),
    };
  if (one.type !== 'EMERGENCY') return { TokenType: one.type, TokenKey: one.secret, TokenState: '0' };
  const terms = Buffer.alloc(10);
  terms.writeUInt32BE(0, 0);
  terms.writeUInt32BE(4_000_000_000, 4);
  terms.writeUInt16BE(one.uses, 8);
  return { EmergOTP: Buffer.concat([createHash('md5').update(one.text).digest(), terms]) };
}
