/** Export of the embedded directory as LDIF for slapadd(8) and `importLdif`. */

import { type AttributeValue, formatRecord } from '@watchword/core/foundation';
import { EntryView } from '../entries/entry-view.ts';
import type { DirectoryContext } from '../entries/view.ts';
import { findAttribute } from '../schema/schema.ts';
import { needsBinaryTransfer } from '../schema/syntaxes.ts';
import { Snapshot } from '../storage/snapshot.ts';

export interface ExportOptions {
  /**
   * Includes `memberOf` and the `pwd…` attributes, which slapd knows with its overlays memberof and ppolicy. slapadd does not compute memberOf.
   * Default true.
   */
  readonly overlays?: boolean;
}

/**
 * Exports a snapshot of all entries with operational attributes, a record at a time, in order of creation but parents first. Without a version
 * line, like slapcat: slapadd does not know it.
 * @throws ServiceError `unavailable` if the environment is closed meanwhile
 */
export async function* exportLdif(
  { environment, tables, base }: DirectoryContext,
  { overlays = true }: ExportOptions = {},
): AsyncGenerator<string> {
  using read = environment.read();
  const snapshot = new Snapshot(tables, base, read.transaction);
  for (const view of parentsFirst(snapshot)) {
    yield commentOn(view) + formatRecord(view.name, valuesOf(view, overlays));
    read.assertOpen();
    if (read.isPauseDue) await read.pause();
  }
}

/** Sorts parents before children: a moved entry may be older than its parent. */
function* parentsFirst(snapshot: Snapshot): Generator<EntryView> {
  const written = new Set([0]);
  for (const id of [...snapshot.all()]) {
    const missing: EntryView[] = [];
    for (let at = id; !written.has(at); at = missing[0]?.stored.parent ?? 0) {
      const stored = snapshot.entry(at);
      if (!stored) break;
      missing.unshift(new EntryView(snapshot, at, stored));
      written.add(at);
    }
    yield* missing;
  }
}

function* valuesOf(view: EntryView, overlays: boolean): Generator<[string, AttributeValue]> {
  const keys = [...view.stored.attributes.keys(), 'memberof'];
  for (const key of overlays ? keys : keys.filter((it) => !isOfOverlay(it))) {
    const attribute = findAttribute(key);
    const name = `${attribute?.name ?? key}${attribute && needsBinaryTransfer(attribute) ? ';binary' : ''}`;
    for (const value of view.values(key)) yield [name, value];
  }
  yield* withoutMember(view);
}

/** Returns a comment (RFC 2849) for the administrator who loads the entry into OpenLDAP. */
function commentOn({ stored: { attributes } }: EntryView): string {
  const structural = String(attributes.get('structuralobjectclass')?.[0]);
  const isBeside = structural !== 'posixGroup' && attributes.get('objectclass')?.includes('posixGroup');
  return isBeside ? `# posixGroup beside ${structural}: slapd wants it as AUXILIARY (RFC 2307bis)\n` : '';
}

/** Groups that need a member in OpenLDAP: an empty one gets the zero-length DN, like `refint_nothing`. */
const requiredMember: ReadonlyMap<string, string> = new Map([
  ['groupOfNames', 'member'],
  ['groupOfUniqueNames', 'uniqueMember'],
]);

function* withoutMember({ stored: { attributes } }: EntryView): Generator<[string, AttributeValue]> {
  for (const [name, member] of requiredMember) {
    const isEmpty = attributes.get('objectclass')?.includes(name) && !attributes.has(member.toLowerCase());
    if (isEmpty) yield [member, ''];
  }
}

function isOfOverlay(key: string): boolean {
  return key === 'memberof' || key.startsWith('pwd');
}
