/**
 * Activation: the licence class on a user or a group (docs/concepts/dialects-and-names.md#schema-extension). A directory without the schema
 * has no such class: every user is active there, and activation answers false.
 */

import { isReason, ServiceError } from '../../foundation/errors/errors.ts';
import type { Dn } from '../../foundation/text/dn.ts';
import type { Change, Entry } from '../../ports/directory/directory.ts';
import type { EntryView, SchemaWords } from '../view.ts';
import {
  type DormantRecord,
  type DormantView,
  dormantIn,
  dormantNames,
  forgetDormant,
  keepDormant,
  readWhole,
  recordOf,
} from './dormant.ts';
import { hasClass, kindAttributes, licenceClassOf, onEntry, readExisting } from './entry.ts';

/**
 * Adds the class, and restores the settings and data from before the deactivation.
 * @returns false if the entry is active
 * @throws ServiceError `not_found`; `schema_refused` if it is no user or group
 */
export async function activate(dn: Dn, call: DormantView): Promise<boolean> {
  const { entry, licence } = await licenceOf(dn, call);
  if (licence === undefined) return false;
  const record = await recordOf(entry, dn, call);
  const kept = Array.from(dormantIn(record, call), ([attribute, values]): Change => {
    return { operation: 'replace', attribute, values };
  });
  const isActive = hasClass(entry, [licence]);
  const isDone = isActive ? await mayRestore(dn, record, call) : await addClass(dn, { licence, kept }, call);
  if (isActive && isDone && kept.length > 0)
    await onEntry('activate', dn, () => call.directory.modify(dn, kept));
  if (isActive || isDone) await forgetDormant(record, call);
  return isDone;
}

/**
 * Returns whether kept settings and data may be restored to an active entry, after an interrupted activation or a direct write of the class:
 * not if the entry has new ones, because the kept ones may hold a lost token.
 */
async function mayRestore(dn: Dn, { text }: DormantRecord, call: DormantView): Promise<boolean> {
  if (text === undefined) return false;
  const whole = await readWhole(dn, call);
  return dormantNames(call).every((name) => (whole.attributes.get(name) ?? []).length === 0);
}

/** Adds the class, with the kept values. @returns false after a concurrent activation */
async function addClass(
  dn: Dn,
  { licence, kept }: { licence: string; kept: readonly Change[] },
  call: EntryView,
): Promise<boolean> {
  const modify = (changes: readonly Change[]) =>
    onEntry('activate', dn, () => call.directory.modify(dn, changes));
  const ofClass = (operation: 'add' | 'delete'): Change => {
    return { operation, attribute: 'objectClass', values: [licence] };
  };
  const { vendor } = await call.server.capabilities(dn);
  if (vendor !== 'active-directory') return modifyOnce(() => modify([ofClass('add'), ...kept]));
  // Samba judges attributes by the classes that the entry had before the modify.
  if (!(await modifyOnce(() => modify([ofClass('add')])))) return false;
  try {
    if (kept.length > 0) await modify(kept);
  } catch (error) {
    await modify([ofClass('delete')]);
    throw error;
  }
  return true;
}

/** Tries against concurrent changes. */
const tries = 20;

/**
 * Removes the class. Settings and data, which no other class allows, are first written to the records, for the next activation.
 * @returns false if the entry is not active
 */
export async function deactivate(dn: Dn, call: DormantView): Promise<boolean> {
  for (let left = tries; left > 0; left -= 1) {
    const { entry, licence } = await licenceOf(dn, call);
    if (licence === undefined || !hasClass(entry, [licence])) return false;
    // The record first: a concurrent deactivation leaves a record of its own.
    const record = await recordOf(entry, dn, call);
    const whole = await readWhole(dn, call);
    if (!hasClass(whole, [licence])) return false;
    if (!(await keepDormant(record, whole, call))) continue;
    const removed = dormantNames(call).map((name) => [name, whole.attributes.get(name) ?? []] as const);
    const changes = [
      ...removed.filter(([, values]) => values.length > 0),
      ['objectClass', [licence]] as const,
    ].map(([attribute, values]): Change => ({ operation: 'delete', attribute, values }));
    if (await modifyOnce(() => onEntry('deactivate', dn, () => call.directory.modify(dn, changes))))
      return true;
  }
  throw new ServiceError('unavailable', {
    detail: `LDAP object '${dn}' is being changed by others; try again`,
  });
}

/** Modifies an entry. @returns false after a concurrent change */
async function modifyOnce(modify: () => Promise<void>): Promise<boolean> {
  try {
    await modify();
    return true;
  } catch (error) {
    if (isReason(error, 'value_exists', 'value_missing')) return false;
    throw error;
  }
}

/** Reads an entry, and the class that activates its kind; undefined where the directory lacks the class. */
async function licenceOf(dn: Dn, call: EntryView): Promise<{ entry: Entry; licence: string | undefined }> {
  const { accountSchema, identifier } = await call.server.capabilities(dn);
  const entry = await readExisting(call.directory, dn, [...kindAttributes, identifier]);
  return { entry, licence: accountSchema ? licenceClass(entry, dn, call) : undefined };
}

function licenceClass(entry: Entry, dn: Dn, { config }: SchemaWords): string {
  const { account_class } = config.schema;
  // An entry that has the class and is no user, such as a computer, can still be deactivated.
  const licence =
    licenceClassOf(entry, config.schema) ?? (hasClass(entry, [account_class]) ? account_class : undefined);
  if (licence !== undefined) return licence;
  throw new ServiceError('schema_refused', { detail: `Object '${dn}' is not a user or group` });
}
