/** Writes the embedded directory as LDIF that slapadd(8) loads into OpenLDAP, and `importLdif` into another. */

import { type AttributeValue, formatRecord } from '@watchword/core/foundation';
import { EntryView } from '../entries/entry-view.ts';
import type { Foundation } from '../entries/view.ts';
import { findAttribute } from '../schema/schema.ts';
import { needsBinaryTransfer } from '../schema/syntaxes.ts';
import { Snapshot } from '../storage/snapshot.ts';

export interface ExportOptions {
  /**
   * With `memberOf` and the `pwd…` attributes, which slapd knows when its modules memberof and ppolicy are
   * loaded. slapadd does not compute memberOf. Default true.
   */
  readonly overlays?: boolean;
}

/**
 * All entries as they are at this moment, with their operational attributes, in order of creation but none
 * before the one above it; a record at a time. Like slapcat, without a version line: slapadd does not know it.
 * @throws ServiceError `unavailable` if the environment is closed meanwhile
 */
export async function* exportLdif(
  { environment, tables, base }: Foundation,
  { overlays = true }: ExportOptions = {},
): AsyncGenerator<string> {
  using reading = environment.read();
  const snapshot = new Snapshot(tables, base, reading.transaction);
  for (const view of parentsFirst(snapshot)) {
    yield noteOn(view) + formatRecord(view.name, valuesOf(view, overlays));
    reading.assertOpen();
    if (reading.isPauseDue) await reading.pause();
  }
}

/** An entry that was moved may be older than the one it stands below now. */
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

/** What whoever loads it into OpenLDAP has to know, as a comment (RFC 2849). */
function noteOn({ stored: { attributes } }: EntryView): string {
  const structural = String(attributes.get('structuralobjectclass')?.[0]);
  const isBeside = structural !== 'posixGroup' && attributes.get('objectclass')?.includes('posixGroup');
  return isBeside ? `# posixGroup beside ${structural}: slapd wants it as AUXILIARY (RFC 2307bis)\n` : '';
}

/** OpenLDAP's groups must have a member, and take the zero-length DN, which names nobody, as `refint_nothing`. */
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
