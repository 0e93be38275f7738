/** Import of LDIF into the embedded directory, many entries in a transaction. */
import { ServiceError } from '@watchword/core/foundation';
import { completeEntry, importEntry, type NewEntry } from '../entries/updates.ts';
import type { DirectoryContext } from '../entries/view.ts';
import { baseId } from '../storage/snapshot.ts';
import { type Transaction, withinTransaction } from '../storage/transaction.ts';
import { type LdifRecord, type LdifSource, readLdif } from './ldif.ts';

export interface ImportOptions {
  /** Called after each transaction with the number of entries so far. */
  readonly onProgress?: (entries: number) => void;
  /** Called after a transaction with hashes that never match, with their number so far. */
  readonly onNeverMatching?: (passwords: number) => void;
}

/** Entries of a transaction, which blocks the process for a few tenths of a second. */
const entriesAtOnce = 500;

/** Operational attributes of OpenLDAP's exports that are computed here, or whose state cannot be continued. */
const ignored = new Set([
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
 * Adds the entries of an LDIF, parents first, with their operational attributes. The base entry replaces the present one. Passwords in clear are
 * hashed without the policy. If a transaction fails, earlier ones stay.
 * @returns the number of entries
 * @throws ServiceError as the directory's `add`, with the line of the record in `detail`
 */
export async function importLdif(
  context: DirectoryContext,
  source: LdifSource,
  { onProgress, onNeverMatching }: ImportOptions = {},
): Promise<number> {
  let [entries, neverMatching] = [0, 0];
  for await (const records of inGroups(readLdif(source), entriesAtOnce)) {
    const more = await importGroup(context, records);
    entries += records.length;
    neverMatching += more;
    onProgress?.(entries);
    if (more > 0) onNeverMatching?.(neverMatching);
  }
  return entries;
}

/** @returns the number of its hashes that never match */
async function importGroup(context: DirectoryContext, records: readonly LdifRecord[]): Promise<number> {
  const { environment, tables, base, passwords, clock, random } = context;
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
      .filter(([name]) => !ignored.has(name.toLowerCase()))
      .map(([name, values]) => [name, isMember(name) ? values.filter((value) => value !== '') : values]),
  );
}

/** Returns whether an attribute contains members. The zero-length DN, which other directories need in an empty group, is dropped. */
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
