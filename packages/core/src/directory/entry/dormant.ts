/**
 * Settings and data of deactivated entries, which have no class for them. They are kept in the records until the next activation, in the
 * form of metadata mode, with secrets encrypted.
 */

import type { Dn } from '../../foundation/text/dn.ts';
import type { DirectoryServer, Entry } from '../../ports/directory/directory.ts';
import { type Random, randomWord } from '../../ports/random.ts';
import type { EntryRecords } from '../../ports/store/entry-records.ts';
import type { EntryView, SchemaWords } from '../view.ts';
import { idOf, readExisting, texts } from './entry.ts';
import { decodeKept, encodeKept, type Kept } from './kept-attributes.ts';

/** The record of an entry as read. */
export interface DormantRecord {
  /** The entry's identifier. */
  readonly id: string;
  readonly text: string | undefined;
}

/** The context of kept data. */
export interface DormantView extends EntryView {
  readonly server: Pick<DirectoryServer, 'capabilities' | 'service'>;
  readonly entryRecords: EntryRecords;
  readonly random: Random;
}

/** Names of the attributes that only the classes of activated entries allow. */
export const dormantNames = ({ config: { schema } }: SchemaWords): readonly string[] =>
  [schema.settings_attribute, schema.data_attribute].map((name) => name.toLowerCase());

/** A unique mark of a deactivation, so that concurrent ones do not remove each other's records. */
const mark = 'deactivated';

/** Reads the record of an entry. @param entry read with its identifier */
export async function recordOf(entry: Entry, dn: Dn, call: DormantView): Promise<DormantRecord> {
  const { identifier } = await call.server.capabilities(dn);
  const id = idOf(entry, { dn, identifier });
  return { id, text: (await call.entryRecords.read([id])).get(id) };
}

/** Reads the entry as the service: the kept data do not depend on the caller. */
export const readWhole = (dn: Dn, call: DormantView): Promise<Entry> =>
  readExisting(call.server.service, dn, ['objectClass', ...dormantNames(call)]);

/** Keeps data. @returns false if the record has changed since */
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

/** Returns the data of an entry from before its deactivation. */
export const dormantIn = ({ text }: DormantRecord, words: SchemaWords): Kept =>
  new Map([...decodeKept(text)].filter(([name]) => dormantNames(words).includes(name)));

/** Removes a record, unless it has changed since. */
export async function forgetDormant(
  { id, text }: DormantRecord,
  { entryRecords }: Pick<DormantView, 'entryRecords'>,
): Promise<void> {
  if (text !== undefined) await entryRecords.swap(id, { before: text, after: undefined });
}
