/**
 * Activation: the licence class on a user or a group (concepts.md §1). A directory without the schema has
 * none to add: everybody counts as active there, and activation answers false.
 */

import { ServiceError } from '../errors.ts';
import type { Call } from '../method.ts';
import type { Change, Entry } from './directory.ts';
import type { Dn } from './dn.ts';
import { onEntry } from './explain.ts';
import { hasClass, readExisting } from './user.ts';

/** False if it is active already. @throws ServiceError `not_found`; `schema_refused` if it is no user or group. */
export async function activate(dn: Dn, call: Call): Promise<boolean> {
  const { entry, licence } = await licenceOf(dn, call);
  if (licence === undefined || hasClass(entry, [licence])) return false;
  await change(call, 'activate', dn, [{ operation: 'add', attribute: 'objectClass', values: [licence] }]);
  return true;
}

/** Takes the class and, with it, what only the class allows: settings and data. False if it is not active. */
export async function deactivate(dn: Dn, call: Call): Promise<boolean> {
  const { entry, licence } = await licenceOf(dn, call);
  if (licence === undefined || !hasClass(entry, [licence])) return false;
  const { settings_attribute, data_attribute } = call.core.config.schema;
  await change(call, 'deactivate', dn, [
    { operation: 'replace', attribute: settings_attribute, values: [] },
    { operation: 'replace', attribute: data_attribute, values: [] },
    { operation: 'delete', attribute: 'objectClass', values: [licence] },
  ]);
  return true;
}

/** The entry counts against the licence. */
export async function isActive(dn: Dn, call: Call): Promise<boolean> {
  const { entry, licence } = await licenceOf(dn, call);
  return licence === undefined || hasClass(entry, [licence]);
}

/** @throws ServiceError `not_found`: `Object '<dn>' is not an activated user or group`. */
export async function requireActive(dn: Dn, call: Call): Promise<void> {
  const entry = await readExisting(call.directory, dn, ['objectClass']);
  const { account_class, group_account_class } = call.core.config.schema;
  const { accountSchema } = await call.core.directory.capabilities();
  if (!accountSchema || hasClass(entry, [account_class, group_account_class])) return;
  throw new ServiceError('not_found', { detail: `Object '${dn}' is not an activated user or group` });
}

async function licenceOf(dn: Dn, call: Call): Promise<{ entry: Entry; licence: string | undefined }> {
  const entry = await readExisting(call.directory, dn, ['objectClass']);
  const { accountSchema } = await call.core.directory.capabilities();
  return { entry, licence: accountSchema ? licenceClass(entry, dn, call) : undefined };
}

function licenceClass(entry: Entry, dn: Dn, { core }: Call): string {
  const { user_classes, group_classes, account_class, group_account_class } = core.config.schema;
  if (hasClass(entry, user_classes)) return account_class;
  if (hasClass(entry, group_classes)) return group_account_class;
  throw new ServiceError('schema_refused', { detail: `Object '${dn}' is not a user or group` });
}

async function change(
  call: Call,
  verb: 'activate' | 'deactivate',
  dn: Dn,
  changes: readonly Change[],
): Promise<void> {
  await onEntry(verb, dn, () => call.directory.modify(dn, changes));
}
