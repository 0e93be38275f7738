/** Entries of a directory that may have bindings: the base of a domain, and the entry of the service. */
import type { ServiceConfig } from '../../config/config.ts';
import { isReason } from '../../foundation/errors/errors.ts';
import type { Dn } from '../../foundation/text/dn.ts';
import type { DirectoryServer } from '../../ports/directory/directory.ts';
import type { Names } from '../../table/dialect.ts';
import { swapValues } from '../data/swap.ts';
import { hasClass, texts } from '../entry/entry.ts';
import { readBindings, type StoreBinding, writeBindings } from './binding.ts';

export interface BindableDirectory {
  readonly config: Pick<ServiceConfig, 'schema'>;
  readonly names: Names;
  readonly directory: DirectoryServer;
}

export interface BoundEntry {
  readonly dn: Dn;
  readonly bindings: readonly StoreBinding[];
  /** Whether its classes allow data. */
  readonly holds: boolean;
}

/** Reads the entries that may have bindings; a missing or unreadable one has none. */
export async function readBoundEntries(base: Dn, where: BindableDirectory): Promise<readonly BoundEntry[]> {
  const { service } = await where.directory.capabilities(base);
  const dns = service.equals(base) ? [base] : [base, service];
  return Promise.all(dns.map((dn) => readBoundEntry(dn, where)));
}

async function readBoundEntry(dn: Dn, { directory, config, names }: BindableDirectory): Promise<BoundEntry> {
  const { data_attribute: attribute, account_class, group_account_class } = config.schema;
  const entry = await unlessRefused(() => directory.service.read(dn, ['objectclass', attribute]));
  if (!entry) return { dn, bindings: [], holds: false };
  const bindings = readBindings(texts(entry, attribute), names);
  return { dn, bindings, holds: hasClass(entry, [account_class, group_account_class]) };
}

/**
 * Changes the bindings of an entry by compare-and-swap.
 * @param change returns the new bindings; the same list to write nothing
 * @returns false if the service may not write there, or the entry takes no data
 */
export async function swapBindings(
  dn: Dn,
  change: (bindings: readonly StoreBinding[]) => readonly StoreBinding[],
  { directory, config, names }: BindableDirectory,
): Promise<boolean> {
  const next = (values: readonly string[]) => {
    const before = readBindings(values, names);
    const after = change(before);
    return after === before ? values : writeBindings(values, after, names);
  };
  const place = { dn, attribute: config.schema.data_attribute };
  const swap = { next, isSound: (values: readonly string[]) => values.length <= 1 };
  const done = await unlessRefused(() => swapValues(directory.service, place, swap).then(() => true));
  return done === true;
}

/** Errors of an entry that cannot have bindings; other errors are failures. */
const refusals = ['permission_denied', 'schema_refused', 'not_found', 'invalid_dn'] as const;

async function unlessRefused<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (isReason(error, ...refusals)) return undefined;
    throw error;
  }
}
