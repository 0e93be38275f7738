/**
 * Reads of entries, their classes and texts. Errors of the port get the words of the interface, and the DN as the caller wrote it.
 */
import type { Schema } from '../../config/config.ts';
import { isReason, ServiceError } from '../../foundation/errors/errors.ts';
import { TextCache } from '../../foundation/runtime/bounded-cache.ts';
import type { Dn } from '../../foundation/text/dn.ts';
import type { AttributeValue } from '../../foundation/text/value.ts';
import type { Directory, Entry } from '../../ports/directory/directory.ts';

/** Reads an entry. @throws ServiceError `not_found`: `LDAP object '<dn>' does not exist` */
export async function readExisting(
  directory: Directory,
  dn: Dn,
  attributes?: readonly string[],
): Promise<Entry> {
  const entry = await onEntry('read', dn, () => directory.read(dn, attributes));
  if (!entry) throw missingObject(dn);
  return entry;
}

/** Reports a missing entry before any other error. */
export async function onExisting<T>(directory: Directory, dn: Dn, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (isReason(error, 'invalid_params')) await readExisting(directory, dn, ['1.1']);
    throw error;
  }
}

/** Makes the error `Could not <verb> LDAP object`. */
export type Verb = 'create' | 'read' | 'update' | 'rename' | 'move' | 'remove' | 'activate' | 'deactivate';

export const missingObject = (dn: Dn): ServiceError =>
  new ServiceError('not_found', { detail: `LDAP object '${dn}' does not exist` });

/** Makes the error in the words of `Check_User_Active` in the field. */
export const unreadableObject = (dn: Dn): ServiceError =>
  new ServiceError('not_found', { detail: `Could not read LDAP object '${dn}' (No such object)` });

export const missingContainer = (dn: Dn): ServiceError =>
  new ServiceError('not_found', { detail: `LDAP container '${dn}' does not exist` });

export const existingObject = (dn: Dn, cause: unknown): ServiceError =>
  new ServiceError('already_exists', { detail: `LDAP object '${dn}' already exist`, cause });

/** Runs an operation on an entry; its errors name the entry. */
export async function onEntry<T>(verb: Verb, dn: Dn, operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    throw error instanceof ServiceError ? explain(error, verb, dn) : error;
  }
}

function explain(error: ServiceError, verb: Verb, dn: Dn): ServiceError {
  const { reason, detail } = error;
  switch (reason) {
    case 'not_found':
      return verb === 'create' ? refusal(error, verb, dn, 'No such object') : missingObject(dn);
    case 'already_exists':
      return existingObject(dn, error);
    case 'invalid_dn':
      return refusal(error, 'read', dn, 'invalid DN');
    case 'permission_denied':
    case 'password_refused':
    case 'schema_refused':
    case 'license_refused':
    case 'value_exists':
    case 'value_missing':
      return refusal(error, verb, dn, detail);
    default:
      return error;
  }
}

function refusal(error: ServiceError, verb: Verb, dn: Dn, words: string | undefined): ServiceError {
  const why = words === undefined ? '' : ` (${words})`;
  return new ServiceError(error.reason, {
    detail: `Could not ${verb} LDAP object '${dn}'${why}`,
    cause: error,
  });
}

/** Returns the text values of an attribute. */
export function texts(entry: Entry, attribute: string): readonly string[] {
  const values = entry.attributes.get(
    lowered.get(attribute) ?? lowered.keep(attribute, attribute.toLowerCase()),
  );
  if (!values) return noTexts;
  return isAllText(values) ? values : values.filter((value) => typeof value === 'string');
}

/** Names in lower case, cached: each login uses those of the configuration. */
const lowered = new TextCache<string>(256);

const noTexts: readonly string[] = [];

function isAllText(values: readonly AttributeValue[]): values is readonly string[] {
  for (const value of values) if (typeof value !== 'string') return false;
  return true;
}

/** Returns whether an entry has one of some classes, in any case. */
export function hasClass(entry: Entry, classes: readonly string[]): boolean {
  const has = entry.attributes.get('objectclass');
  if (!has) return false;
  // Nearly always in the same case.
  for (const name of classes) if (has.includes(name)) return true;
  const wanted = classes.map((name) => name.toLowerCase());
  return has.some((name) => typeof name === 'string' && wanted.includes(name.toLowerCase()));
}

/**
 * Attributes for {@link isUser}. Directories other than Active Directory ignore the unknown one.
 */
export const kindAttributes = ['objectClass', 'sAMAccountType'] as const;

/** Subclasses of `user` on Active Directory: computers, and so managed service accounts. */
export const computerClasses = ['computer', 'msDS-ManagedServiceAccount', 'msDS-GroupManagedServiceAccount'];

/** SAM_TRUST_ACCOUNT, [MS-SAMR] §2.2.1.9: the account of another domain, which has the class of users only. */
export const trustAccount = '805306370';

/** @param entry read with {@link kindAttributes} */
export function isUser(entry: Entry, { user_classes }: Pick<Schema, 'user_classes'>): boolean {
  return hasClass(entry, user_classes) && !isMachine(entry);
}

/** Returns whether an entry is the account of a computer, a managed service or a trusted domain. @param entry read with {@link kindAttributes} */
export const isMachine = (entry: Entry): boolean =>
  hasClass(entry, computerClasses) || entry.attributes.get('samaccounttype')?.[0] === trustAccount;

/** Returns the UUID or GUID of an entry as text; undefined if it was not read. */
export function identifierOf({ attributes }: Entry, attribute: string): string | undefined {
  const id = attributes.get(attribute)?.[0];
  return typeof id === 'string' ? id.toLowerCase() : id && Buffer.from(id).toString('hex');
}

/** Returns the UUID or GUID of an entry that was read with it. */
export function idOf(entry: Entry, { dn, identifier }: { dn: Dn; identifier: string }): string {
  const id = identifierOf(entry, identifier);
  if (id === undefined) {
    throw new ServiceError('permission_denied', {
      detail: `Could not read ${identifier} of LDAP object '${dn}'`,
    });
  }
  return id;
}

/** Returns the class that activates an entry; undefined if it is no user and no group. @param entry read with {@link kindAttributes} */
export function licenceClassOf(entry: Entry, schema: Schema): string | undefined {
  if (isUser(entry, schema)) return schema.account_class;
  return hasClass(entry, schema.group_classes) ? schema.group_account_class : undefined;
}
