/** Loads LDIF into the embedded directory: many entries in a transaction, as fast as the indexes allow. */
import { ServiceError } from '@watchword/core/foundation';
import { completeEntry, importEntry, type NewEntry } from '../entries/updates.ts';
import type { Foundation } from '../entries/view.ts';
import { baseId } from '../storage/snapshot.ts';
import { type Transaction, withinTransaction } from '../storage/transaction.ts';
import { type LdifRecord, type LdifSource, readLdif } from './ldif.ts';

export interface ImportOptions {
  /** Called after every transaction with the number of entries that are in so far. */
  readonly onProgress?: (entries: number) => void;
  /** Called after a transaction that brought passwords which are kept and never match, with how many so far. */
  readonly onNeverMatching?: (passwords: number) => void;
}

/** Entries in one transaction: a few tenths of a second in which the process does nothing else. */
const entriesAtOnce = 500;

/**
 * Operational attributes that a directory computes, or that keep a state which is not ours to go on with:
 * an export of OpenLDAP has them.
 */
const notTaken = new Set([
  'memberof',
  'hassubordinates',
  'entrydn',
  'subschemasubentry',
  'contextcsn',
  'authtimestamp',
  'pwdfailuretime',
  'pwdgraceusetime',
  'pwdhistory',
  'pwdlastsuccess',
  'pwdpolicysubentry',
]);

/**
 * Adds the entries of an LDIF, parents before children, with the operational attributes that they bring. The
 * base entry replaces the one that is there; passwords in clear are hashed, whatever policy new ones are under. Transactions that are done stay
 * when a later one fails.
 * @returns how many entries were added
 * @throws ServiceError as the directory's `add`, with the line of the record in `detail`
 */
export async function importLdif(
  foundation: Foundation,
  source: LdifSource,
  { onProgress, onNeverMatching }: ImportOptions = {},
): Promise<number> {
  let [entries, neverMatching] = [0, 0];
  for await (const records of inGroups(readLdif(source), entriesAtOnce)) {
    const more = await importGroup(foundation, records);
    entries += records.length;
    neverMatching += more;
    onProgress?.(entries);
    if (more > 0) onNeverMatching?.(neverMatching);
  }
  return entries;
}

/** @returns how many of its passwords never match */
async function importGroup(foundation: Foundation, records: readonly LdifRecord[]): Promise<number> {
  const { environment, tables, base, passwords, clock, random } = foundation;
  const prepared = await Promise.all(
    records.map(async (record) => ({ record, attributes: await passwords.protectMoved(kept(record)) })),
  );
  const author = { by: base.toString(), now: clock.now(), random };
  await environment.write(() =>
    withinTransaction(tables, base, (transaction) => {
      for (const { record, attributes } of prepared)
        importRecord(transaction, record, { attributes, author });
    }),
  );
  return prepared.reduce((sum, { attributes }) => sum + passwords.neverMatching(attributes), 0);
}

function importRecord(transaction: Transaction, { dn, line }: LdifRecord, added: NewEntry): void {
  try {
    const base = dn.equals(transaction.base) ? transaction.entry(baseId) : undefined;
    if (base) transaction.update(baseId, base, completeEntry(transaction, dn, added));
    else importEntry(transaction, dn, added);
  } catch (cause) {
    if (!(cause instanceof ServiceError)) throw cause;
    throw new ServiceError(cause.reason, {
      detail: `LDIF line ${line}: ${cause.detail ?? cause.message}`,
      cause,
    });
  }
}

function kept({ attributes }: LdifRecord): LdifRecord['attributes'] {
  return new Map(
    [...attributes]
      .filter(([name]) => !notTaken.has(name.toLowerCase()))
      .map(([name, values]) => [name, isMember(name) ? values.filter((value) => value !== '') : values]),
  );
}

/** The zero-length DN stands for nobody, where a directory wants a member in each group. Here none need be. */
const isMember = (name: string): boolean => ['member', 'uniquemember'].includes(name.toLowerCase());

async function* inGroups<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let group: T[] = [];
  for await (const item of items) {
    group.push(item);
    if (group.length < size) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}
