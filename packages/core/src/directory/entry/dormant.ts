/**
 * Settings and data of deactivated entries. No class of theirs allows them any more, so they are kept in the records,
 * in the form that metadata mode has, until the entry is activated again. Secrets are as encrypted there as before.
 */

import type { Dn } from '../../foundation/text/dn.ts';
import type { DirectoryServer, Entry } from '../../ports/directory/directory.ts';
import { type Random, randomWord } from '../../ports/random.ts';
import type { EntryRecords } from '../../ports/store/entry-records.ts';
import type { EntryView, SchemaWords } from '../view.ts';
import { idOf, readExisting, texts } from './entry.ts';
import { decodeKept, encodeKept, type Kept } from './kept-attributes.ts';

/** The record of an entry at some moment. */
export interface DormantRecord {
  /** The entry's identifier. */
  readonly id: string;
  readonly text: string | undefined;
}

/** What is read of an entry, and kept beside it. */
export interface DormantView extends EntryView {
  readonly server: Pick<DirectoryServer, 'capabilities' | 'service'>;
  readonly entryRecords: EntryRecords;
  readonly random: Random;
}

/** Names of the attributes that only the classes of activated entries allow. */
export const dormantNames = ({ config: { schema } }: SchemaWords): readonly string[] =>
  [schema.settings_attribute, schema.data_attribute].map((name) => name.toLowerCase());

/** Keeps them apart: of two deactivations with the same settings between, one must not take the other's away. */
const mark = 'deactivated';

/** @param entry read with its identifier */
export async function recordOf(entry: Entry, dn: Dn, call: DormantView): Promise<DormantRecord> {
  const { identifier } = await call.server.capabilities(dn);
  const id = idOf(entry, { dn, identifier });
  return { id, text: (await call.entryRecords.read([id])).get(id) };
}

/** The entry as the service sees it: what is kept does not depend on who asks, and nobody is shown it. */
export const readWhole = (dn: Dn, call: DormantView): Promise<Entry> =>
  readExisting(call.server.service, dn, ['objectClass', ...dormantNames(call)]);

/** False, and nothing is kept, if the record is not any more what it was. What is no text is no data of ours. */
export async function keepDormant(
  { id, text }: DormantRecord,
  entry: Entry,
  call: DormantView,
): Promise<boolean> {
  const { entryRecords, random } = call;
  const present = dormantNames(call).map((name) => [name, texts(entry, name)] as const);
  const kept: Kept = new Map(present.filter(([, values]) => values.length > 0));
  const marked = kept.size === 0 ? kept : new Map([...kept, [mark, [randomWord(random, 16)]]]);
  return entryRecords.swap(id, { before: text, after: encodeKept(marked) });
}

/** What the entry had when it was deactivated. */
export const dormantIn = ({ text }: DormantRecord, words: SchemaWords): Kept =>
  new Map([...decodeKept(text)].filter(([name]) => dormantNames(words).includes(name)));

/** Unless it has been deactivated anew meanwhile. */
export async function forgetDormant(
  { id, text }: DormantRecord,
  { entryRecords }: Pick<DormantView, 'entryRecords'>,
): Promise<void> {
  if (text !== undefined) await entryRecords.swap(id, { before: text, after: undefined });
}
