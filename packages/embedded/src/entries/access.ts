/**
 * Access rules: the service and the writers (users, or members of groups) may do everything; all others read everything except passwords.
 * Checked on each operation, so a revoked right ends at once.
 */
import { Dn, isPasswordAttribute, ServiceError } from '@watchword/core/foundation';
import { equalityKey } from '../indexes/index-keys.ts';
import { equalityOf } from '../schema/matching-rules.ts';
import { findAttribute } from '../schema/schema.ts';
import type { Snapshot, StoredEntry } from '../storage/snapshot.ts';
import type { MayRead } from './entry-view.ts';

export interface Access {
  /** DN of the bound identity. */
  readonly identity: Dn;
  /** True for the service's own view, whose identity need not be an entry. */
  readonly trusted: boolean;
  /** Users, and groups whose members may write. */
  readonly writers: readonly Dn[];
}

export function mayWrite(snapshot: Snapshot, { identity, trusted, writers }: Access): boolean {
  if (trusted) return true;
  if (snapshot.find(identity) === undefined) return false;
  if (writers.some((writer) => writer.equals(identity))) return true;
  const groups = groupsOf(snapshot, identity);
  return writers.some((writer) => groups.has(snapshot.find(writer) ?? 0));
}

/** Returns the numbers of the groups of an identity: by its name, login name and number, and through groups in groups. */
function groupsOf(snapshot: Snapshot, identity: Dn): ReadonlySet<number> {
  const groups = new Set<number>([...snapshot.groupsOf(identity.key), ...posixGroupsOf(snapshot, identity)]);
  // Iterates over groups that are added meanwhile, too.
  for (const group of groups)
    for (const outer of snapshot.groupsOf(Dn.parse(snapshot.nameOfId(group)).key)) groups.add(outer);
  return groups;
}

function posixGroupsOf(snapshot: Snapshot, identity: Dn): readonly number[] {
  const entry = snapshot.entry(snapshot.find(identity) ?? 0);
  const keysOf = (from: string, to: string) =>
    (entry?.attributes.get(from) ?? []).flatMap((value) => {
      const attribute = findAttribute(to);
      const normalized = attribute && equalityOf(attribute).normalize(value);
      return normalized === undefined ? [] : [equalityKey(to, normalized)];
    });
  const found = snapshot.idsOfAll([...keysOf('uid', 'memberuid'), ...keysOf('gidnumber', 'gidnumber')]);
  return [...found].filter((id) => isPosixGroup(snapshot.entry(id)));
}

/** Returns whether an entry is a POSIX group: users have a gidNumber, too. */
const isPosixGroup = (entry: StoredEntry | undefined): boolean =>
  (entry?.attributes.get('objectclass') ?? []).some((name) => String(name).toLowerCase() === 'posixgroup');

/** @throws ServiceError `permission_denied` */
export function assertMayWrite(snapshot: Snapshot, access: Access): void {
  if (!mayWrite(snapshot, access)) throw new ServiceError('permission_denied');
}

export function readableBy(snapshot: Snapshot, access: Access): MayRead {
  return mayWrite(snapshot, access) ? () => true : (key) => !isPasswordAttribute(key);
}
