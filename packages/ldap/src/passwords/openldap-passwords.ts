/**
 * Passwords on OpenLDAP and similar servers. An add or modify would store `userPassword` in clear and without the policy, so passwords in
 * clear are set by the password modify operation, RFC 3062.
 */

import { type Attributes, type Dn, ServiceError } from '@watchword/core/foundation';
import type { Change } from '@watchword/core/ports';
import { Control } from 'ldapts';
import type { Reply } from '../connection/connection.ts';
import { addEntry, modifyEntry, removeEntry, setPassword } from '../operations.ts';
import {
  expectPasswordSet,
  expectSuccess,
  noOperation,
  noSuchAttribute,
  objectClassViolation,
  success,
  unavailableExtension,
  undefinedType,
} from '../results.ts';
import { splitAttributes, splitChanges } from './passwords.ts';
import type { VendorContext, VendorPasswords } from './vendor-passwords.ts';

/** OpenLDAP's No-Op control: the server checks a change without making it. */
const noOp = '1.3.6.1.4.1.4203.666.5.2';

/** A value that matches no password, for classes that require `userPassword` before it is set. */
const placeholder = '{CRYPT}*';

export function openldapPasswords(context: VendorContext): VendorPasswords {
  return {
    add: (dn, attributes) => add(context, dn, attributes),
    modify: (dn, changes) => modify(context, dn, changes),
    set: (dn, password, mustChange) =>
      mustChange ? setForOnce(context, dn, password) : set(context, dn, { password, changes: [] }),
    assertSettable: (dn) => assertSettable(context, dn),
    change: async (dn, { old, wanted }) => {
      expectPasswordSet(await setPassword(context.pool, dn, { password: wanted, old }));
    },
  };
}

/**
 * Sets a password for one login, by `pwdReset` of draft-behera-ldap-password-policy §5.3.7. Setting a password removes the flag, so the flag is
 * set afterwards; that it can be set is checked before.
 */
async function setForOnce(context: VendorContext, dn: Dn, password: string): Promise<void> {
  await expectResettable(context, dn);
  await set(context, dn, { password, changes: [] });
  try {
    await flagReset(context, dn).catch(() => flagReset(context, dn));
  } catch (cause) {
    throw new ServiceError('unavailable', {
      detail: 'the new password is set, but not that it must be changed at the next login: try again',
      cause,
    });
  }
}

async function flagReset({ pool, dialect }: VendorContext, dn: Dn): Promise<void> {
  const changes: readonly Change[] = [{ operation: 'replace', attribute: 'pwdReset', values: ['TRUE'] }];
  expectSuccess(await modifyEntry(pool, dn, { changes, dialect }));
}

async function expectResettable(context: VendorContext, dn: Dn): Promise<void> {
  const reply = await deleteAbsent(context, dn, { attribute: 'pwdReset', value: 'FALSE' });
  if (reply.code === undefinedType) {
    throw new ServiceError('schema_refused', {
      detail:
        'this directory keeps no mark that a password must be changed at the next login; OpenLDAP does with its ppolicy overlay',
    });
  }
  if (reply.code !== noSuchAttribute) expectSuccess(reply);
}

/** Checks rights by a delete: for an add, the policy would be checked before the rights. */
async function assertSettable(context: VendorContext, dn: Dn): Promise<void> {
  const absent = { attribute: 'userPassword', value: 'no such value: may this password be set?' };
  const reply = await deleteAbsent(context, dn, absent);
  if (reply.code !== noSuchAttribute) expectSuccess(reply);
}

/** Tries to delete a value that never exists: other errors come first, and nothing is changed. */
function deleteAbsent(
  { pool, dialect }: VendorContext,
  dn: Dn,
  { attribute, value }: { readonly attribute: string; readonly value: string },
): Promise<Reply> {
  const changes: readonly Change[] = [{ operation: 'delete', attribute, values: [value] }];
  return modifyEntry(pool, dn, { changes, dialect });
}

async function add(context: VendorContext, dn: Dn, attributes: Attributes): Promise<void> {
  const { rest, password } = splitAttributes(attributes);
  const { pool, dialect } = context;
  const reply = await addEntry(pool, dn, { attributes: rest, dialect });
  if (password === undefined) return void expectSuccess(reply);
  if (reply.code === objectClassViolation) await addWithPlaceholder(context, dn, rest);
  else expectSuccess(reply);
  await setFirstPassword(context, dn, password);
}

async function addWithPlaceholder({ pool, dialect }: VendorContext, dn: Dn, rest: Attributes): Promise<void> {
  const attributes = new Map([...rest, ['userpassword', [placeholder]]]);
  expectSuccess(await addEntry(pool, dn, { attributes, dialect }));
}

/** Sets the password of a new entry, and removes the entry if the password is refused. */
async function setFirstPassword({ pool, log }: VendorContext, dn: Dn, password: string): Promise<void> {
  try {
    expectPasswordSet(await setPassword(pool, dn, { password }));
  } catch (error) {
    await removeEntry(pool, dn)
      .then(expectSuccess)
      .catch((cause: unknown) =>
        log.error('an entry without its password could not be removed', { dn: dn.toString(), error: cause }),
      );
    throw error;
  }
}

async function modify(context: VendorContext, dn: Dn, changes: readonly Change[]): Promise<void> {
  const { rest, password } = splitChanges(changes);
  if (password !== undefined) return set(context, dn, { password, changes: rest });
  expectSuccess(await modifyEntry(context.pool, dn, { changes, dialect: context.dialect }));
}

/** Sets a password with other changes, which need a request of their own. They are checked with No-Op before the password is set. */
async function set(
  context: VendorContext,
  dn: Dn,
  { password, changes }: { password: string; changes: readonly Change[] },
): Promise<void> {
  const { pool, dialect } = context;
  if (changes.length > 0) await tryChanges(context, dn, changes);
  expectPasswordSet(await setPassword(pool, dn, { password }));
  if (changes.length > 0) expectSuccess(await modifyEntry(pool, dn, { changes, dialect }));
}

async function tryChanges(
  { pool, dialect }: VendorContext,
  dn: Dn,
  changes: readonly Change[],
): Promise<void> {
  const controls = [new Control(noOp, { critical: true })];
  const reply = await modifyEntry(pool, dn, { changes, dialect, controls });
  const fine = [success, noOperation, unavailableExtension];
  if (!fine.includes(reply.code)) expectSuccess(reply);
}
