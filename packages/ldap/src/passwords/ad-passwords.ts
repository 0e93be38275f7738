/**
 * Passwords on Active Directory: `unicodePwd`, in quotes and UTF-16LE, over encrypted connections only ([MS-ADTS] §3.1.1.3.1.5). It is part of
 * the add or modify request.
 */

import {
  type Attributes,
  type AttributeValue,
  type Dn,
  isPasswordAttribute,
  isReason,
  ServiceError,
} from '@watchword/core/foundation';
import type { Change } from '@watchword/core/ports';
import { addEntry, modifyEntry } from '../operations.ts';
import { errorOf, expectPasswordSet, expectSuccess, success } from '../results.ts';
import { readOne } from '../searches.ts';
import { isHashed, textOf } from './passwords.ts';
import type { VendorContext, VendorPasswords } from './vendor-passwords.ts';

/** NORMAL_ACCOUNT, [MS-ADTS] §2.2.16: without it a new account is disabled. */
const normalAccount = '512';

export function adPasswords(context: VendorContext): VendorPasswords {
  return {
    add: (dn, attributes) => add(context, dn, attributes),
    modify: (dn, changes) => modify(context, dn, changes),
    set: async (dn, password, mustChange) => {
      if (mustChange) await expectExpiring(context, dn);
      await modify(context, dn, settingPassword(password, mustChange));
    },
    assertSettable: (dn) => assertSettable(context, dn),
    change: (dn, { old, wanted }) =>
      modify(context, dn, [
        { operation: 'delete', attribute: 'unicodePwd', values: [old] },
        { operation: 'add', attribute: 'unicodePwd', values: [wanted] },
      ]),
  };
}

async function add({ pool, dialect, encrypted }: VendorContext, dn: Dn, given: Attributes): Promise<void> {
  const password = [...given].filter(([name]) => isPasswordAttribute(name)).flatMap(([, values]) => values);
  if (password.length === 0)
    return void expectSuccess(await addEntry(pool, dn, { attributes: given, dialect }));
  expectEncrypted(encrypted);
  const rest = [...given].filter(([name]) => !isPasswordAttribute(name));
  const attributes = new Map([...rest, ['unicodepwd', password.map(quoted)] as const]);
  if (!attributes.has('useraccountcontrol')) attributes.set('useraccountcontrol', [normalAccount]);
  expectPasswordSet(await addEntry(pool, dn, { attributes, dialect }));
}

async function modify(
  { pool, dialect, encrypted }: VendorContext,
  dn: Dn,
  changes: readonly Change[],
): Promise<void> {
  const touches = changes.some(({ attribute }) => isPasswordAttribute(attribute));
  if (!touches) return void expectSuccess(await modifyEntry(pool, dn, { changes, dialect }));
  expectEncrypted(encrypted);
  expectPasswordSet(await modifyEntry(pool, dn, { changes: passwordChanges(changes), dialect }));
}

/** Tries to set a value without quotes, which is never accepted. Rights are checked before that. */
async function assertSettable({ pool, dialect, encrypted }: VendorContext, dn: Dn): Promise<void> {
  expectEncrypted(encrypted);
  const changes: readonly Change[] = [{ operation: 'replace', attribute: 'unicodePwd', values: ['?'] }];
  const reply = await modifyEntry(pool, dn, { changes, dialect });
  const error = reply.code === success ? undefined : errorOf(reply);
  if (error && !isReason(error, 'schema_refused', 'password_refused')) throw error;
}

/** Changes only what is needed: the right to reset passwords need not include others. */
function settingPassword(password: string, mustChange: boolean): readonly Change[] {
  const set: Change = { operation: 'replace', attribute: 'unicodePwd', values: [password] };
  // 0: the user has to change the password at the next login, [MS-ADA3] §2.175.
  return mustChange ? [set, { operation: 'replace', attribute: 'pwdLastSet', values: ['0'] }] : [set];
}

/** DONT_EXPIRE_PASSWORD, [MS-ADTS] §2.2.16: with it Active Directory never requires a change. */
const neverExpires = 0x10000;

async function expectExpiring({ pool, dialect }: VendorContext, dn: Dn): Promise<void> {
  const attributes = ['useraccountcontrol'];
  const entry = await pool.run('read', (connection) => readOne(connection, { dn, attributes, dialect }));
  const control = Number(entry?.attributes.get('useraccountcontrol')?.[0] ?? 0);
  if ((control & neverExpires) === 0) return;
  throw new ServiceError('schema_refused', {
    detail:
      'its password never expires, so Active Directory would not ask for another one: clear DONT_EXPIRE_PASSWORD (65536) in userAccountControl first',
  });
}

/**
 * Converts changes of passwords. A user's own change deletes the old value and adds the new one. An add alone is a reset, for which Active
 * Directory requires a replace.
 */
function passwordChanges(changes: readonly Change[]): readonly Change[] {
  const own = changes.some(
    ({ operation, attribute }) => operation === 'delete' && isPasswordAttribute(attribute),
  );
  return changes.map((change) => {
    if (!isPasswordAttribute(change.attribute)) return change;
    const operation = change.operation === 'add' && !own ? 'replace' : change.operation;
    return { operation, attribute: 'unicodePwd', values: change.values.map(quoted) };
  });
}

function quoted(value: AttributeValue): Uint8Array {
  if (isHashed(value)) {
    throw new ServiceError('password_refused', {
      detail: 'Active Directory takes no password that is hashed already',
    });
  }
  return Buffer.from(`"${textOf(value)}"`, 'utf16le');
}

function expectEncrypted(encrypted: boolean): void {
  if (encrypted) return;
  const detail =
    'Active Directory takes passwords over an encrypted connection only: use ldaps:// or start_tls';
  throw new ServiceError('permission_denied', { detail });
}
