/**
 * Errors of the directory in the words of the contract (manager.md §2): the port says what happened, here
 * it is said about which entry, with the DN as the caller wrote it.
 */
import { ServiceError } from '../../errors/errors.ts';
import type { Dn } from '../../text/dn.ts';

/** What `Could not <verb> LDAP object` says. */
export type Verb = 'create' | 'read' | 'update' | 'rename' | 'move' | 'remove' | 'activate' | 'deactivate';

export const missingObject = (dn: Dn): ServiceError =>
  new ServiceError('not_found', { detail: `LDAP object '${dn}' does not exist` });

/** The same in the words of Check_User_Active in the field (catalogue.md §6). */
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
