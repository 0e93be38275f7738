/**
 * What the core asks of an entry: that it is there, its classes, its text. Errors of the directory are put into the words of
 * the interface: the port says what happened, here it is said about which entry, with the DN as the caller wrote it.
 */
import type { Schema } from '../../config/config.ts';
import { isReason, ServiceError } from '../../foundation/errors/errors.ts';
import { TextCache } from '../../foundation/runtime/bounded-cache.ts';
import type { Dn } from '../../foundation/text/dn.ts';
import type { AttributeValue } from '../../foundation/text/value.ts';
import type { Directory, Entry } from '../../ports/directory/directory.ts';

/** @throws ServiceError `not_found`: `LDAP object '<dn>' does not exist`. */
export async function readExisting(
  directory: Directory,
  dn: Dn,
  attributes?: readonly string[],
): Promise<Entry> {
  const entry = await onEntry('read', dn, () => directory.read(dn, attributes));
  if (!entry) throw missingObject(dn);
  return entry;
}

/** The order of checks: that the entry is missing is said before what else is wrong. */
export async function onExisting<T>(directory: Directory, dn: Dn, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (isReason(error, 'invalid_params')) await readExisting(directory, dn, ['1.1']);
    throw error;
  }
}

/** What `Could not <verb> LDAP object` says. */
export type Verb = 'create' | 'read' | 'update' | 'rename' | 'move' | 'remove' | 'activate' | 'deactivate';

export const missingObject = (dn: Dn): ServiceError =>
  new ServiceError('not_found', { detail: `LDAP object '${dn}' does not exist` });

/** The same in the words of Check_User_Active in the field. */
export const unreadableObject = (dn: Dn): ServiceError =>
  new ServiceError('not_found', { detail: `Could not read LDAP object '${dn}' (No such object)` });

export const missingContainer = (dn: Dn): ServiceError =>
  new ServiceError('not_found', { detail: `LDAP container '${dn}' does not exist` });

export const existingObject = (dn: Dn, cause: unknown): ServiceError =>
  new ServiceError('already_exists', { detail: `LDAP object '${dn}' already exist`, cause });

/** Runs one operation on an entry; what it throws names the entry. */
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

/** The values of one attribute that are text. */
export function texts(entry: Entry, attribute: string): readonly string[] {
  const values = entry.attributes.get(
    lowered.get(attribute) ?? lowered.keep(attribute, attribute.toLowerCase()),
  );
  if (!values) return noTexts;
  return isAllText(values) ? values : values.filter((value) => typeof value === 'string');
}

/** Names in lower case: those of the configuration come again with each login. */
const lowered = new TextCache<string>(256);

const noTexts: readonly string[] = [];

function isAllText(values: readonly AttributeValue[]): values is readonly string[] {
  for (const value of values) if (typeof value !== 'string') return false;
  return true;
}

/** An entry has one of these classes; names are compared without regard to case. */
export function hasClass(entry: Entry, classes: readonly string[]): boolean {
  const has = entry.attributes.get('objectclass');
  if (!has) return false;
  // As they are written, nearly always.
  for (const name of classes) if (has.includes(name)) return true;
  const wanted = classes.map((name) => name.toLowerCase());
  return has.some((name) => typeof name === 'string' && wanted.includes(name.toLowerCase()));
}

/**
 * What tells whether an entry is a user, {@link isUser}. Directories other than Active Directory have no such type, and pass it over.
 */
export const kindAttributes = ['objectClass', 'sAMAccountType'] as const;

/** Classes of Active Directory that have that of users above them: of computers, and so of managed service accounts. */
export const computerClasses = ['computer', 'msDS-ManagedServiceAccount', 'msDS-GroupManagedServiceAccount'];

/** SAM_TRUST_ACCOUNT, [MS-SAMR] §2.2.1.9: the account of another domain, which has the class of users only. */
export const trustAccount = '805306370';

/** @param entry read with {@link kindAttributes} */
export function isUser(entry: Entry, { user_classes }: Pick<Schema, 'user_classes'>): boolean {
  return hasClass(entry, user_classes) && !isMachine(entry);
}

/** The account of a computer, of a service on computers, or of another domain. @param entry read with {@link kindAttributes} */
export const isMachine = (entry: Entry): boolean =>
  hasClass(entry, computerClasses) || entry.attributes.get('samaccounttype')?.[0] === trustAccount;

/** The UUID or GUID of an entry, as text; undefined if it was not read. */
export function identifierOf({ attributes }: Entry, attribute: string): string | undefined {
  const id = attributes.get(attribute)?.[0];
  return typeof id === 'string' ? id.toLowerCase() : id && Buffer.from(id).toString('hex');
}

/** The UUID or GUID of an entry that was read with it, as data are bound to it. */
export function idOf(entry: Entry, { dn, identifier }: { dn: Dn; identifier: string }): string {
  const id = identifierOf(entry, identifier);
  if (id === undefined) {
    throw new ServiceError('permission_denied', {
      detail: `Could not read ${identifier} of LDAP object '${dn}'`,
    });
  }
  return id;
}

/** The class that activates an entry; undefined: it is neither a user nor a group. @param entry read with {@link kindAttributes} */
export function licenceClassOf(entry: Entry, schema: Schema): string | undefined {
  if (isUser(entry, schema)) return schema.account_class;
  return hasClass(entry, schema.group_classes) ? schema.group_account_class : undefined;
}
