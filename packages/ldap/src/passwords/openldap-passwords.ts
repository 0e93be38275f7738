/**
 * Passwords on OpenLDAP and its like. `userPassword` in an add or modify would be stored in clear and past the
 * policy, so a password in clear is set by the operation made for it, RFC 3062.
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

/** OpenLDAP's No-Op control: answers what a change would come to, and does not make it. */
const noOp = '1.3.6.1.4.1.4203.666.5.2';

/** No password hashes to this; it only satisfies classes that require `userPassword` until the real one is set. */
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
 * A password for one login, by `pwdReset` of draft-behera-ldap-password-policy §5.3.7. The operation that sets a
 * password takes the mark away, so the mark comes after it; that it can come is asked before.
 */
async function setForOnce(context: VendorContext, dn: Dn, password: string): Promise<void> {
  await expectMarkable(context, dn);
  await set(context, dn, { password, changes: [] });
  try {
    await mark(context, dn).catch(() => mark(context, dn));
  } catch (cause) {
    throw new ServiceError('unavailable', {
      detail: 'the new password is set, but not that it must be changed at the next login: try again',
      cause,
    });
  }
}

async function mark({ pool, dialect }: VendorContext, dn: Dn): Promise<void> {
  const changes: readonly Change[] = [{ operation: 'replace', attribute: 'pwdReset', values: ['TRUE'] }];
  expectSuccess(await modifyEntry(pool, dn, { changes, dialect }));
}

async function expectMarkable(context: VendorContext, dn: Dn): Promise<void> {
  const reply = await deleteAbsent(context, dn, { attribute: 'pwdReset', value: 'FALSE' });
  if (reply.code === undefinedType) {
    throw new ServiceError('schema_refused', {
      detail:
        'this directory keeps no mark that a password must be changed at the next login; OpenLDAP does with its ppolicy overlay',
    });
  }
  if (reply.code !== noSuchAttribute) expectSuccess(reply);
}

/** A policy judges what is added: it would refuse this before the rights are looked at. */
async function assertSettable(context: VendorContext, dn: Dn): Promise<void> {
  const absent = { attribute: 'userPassword', value: 'no such value: may this password be set?' };
  const reply = await deleteAbsent(context, dn, absent);
  if (reply.code !== noSuchAttribute) expectSuccess(reply);
}

/** Asks for a value to be deleted that is never there: what else is wrong is said, and nothing is changed. */
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

/** Takes the entry away again if its password is refused: nothing is left half done. */
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

/**
 * A password and other changes are two requests. The changes are tried without being made, then the password
 * is set, then they are made: what can be refused is refused before anything has happened.
 */
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
