/** Activated users and groups (docs/concepts/dialects-and-names.md#schema-extension), which have settings and data, and count for a licence. */
import { ServiceError } from '../../foundation/errors/errors.ts';
import type { Dn } from '../../foundation/text/dn.ts';
import type { Entry } from '../../ports/directory/directory.ts';
import type { Dialect } from '../../table/dialect.ts';
import type { EntryView } from '../view.ts';
import {
  hasClass,
  isUser,
  kindAttributes,
  missingObject,
  onEntry,
  readExisting,
  unreadableObject,
} from './entry.ts';

/** Entries, and the dialect's answer for an inactive one. */
export interface ActivationView extends EntryView {
  readonly dialect: Pick<Dialect, 'refusesInactive' | 'reportsUnreadable'>;
}

/** Answers false for an inactive entry, or refuses it. @throws ServiceError `not_found` */
export async function assertMayBeInactive(dn: Dn, call: ActivationView): Promise<void> {
  const { accountSchema } = await call.server.capabilities(dn);
  if (accountSchema && call.dialect.refusesInactive) throw notActivated(dn);
}

const notActivated = (dn: Dn): ServiceError =>
  new ServiceError('not_found', { detail: `Object '${dn}' is not an activated user or group` });

/** Returns whether an entry is a user who counts against the licence. */
export async function isActive(dn: Dn, call: ActivationView): Promise<boolean> {
  const entry = await onEntry('read', dn, () => call.directory.read(dn, kindAttributes));
  if (!entry) throw call.dialect.reportsUnreadable ? unreadableObject(dn) : missingObject(dn);
  const { schema } = call.config;
  if (!isUser(entry, schema)) return false;
  return hasClass(entry, [schema.account_class]) || !(await call.server.capabilities(dn)).accountSchema;
}

/**
 * Reads an activated user or group, with its classes and `attributes`.
 * @throws ServiceError `not_found`: `Object '<dn>' is not an activated user or group`
 */
export async function readActive(dn: Dn, attributes: readonly string[], view: EntryView): Promise<Entry> {
  const entry = await readExisting(view.directory, dn, ['objectClass', ...attributes]);
  const { account_class, group_account_class } = view.config.schema;
  if (hasClass(entry, [account_class, group_account_class])) return entry;
  if (!(await view.server.capabilities(dn)).accountSchema) return entry;
  throw notActivated(dn);
}
