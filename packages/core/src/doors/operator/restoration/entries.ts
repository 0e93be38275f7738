/**
 * Restores data of users in an embedded directory, and in records of users whose directory has no attributes for it or who are
 * deactivated. Data on an LDAP directory is newer than the folder, and stays.
 */

import { dataOf, swapData } from '../../../directory/data/data.ts';
import { identifierOf, idOf } from '../../../directory/entry/entry.ts';
import { memberAttributes } from '../../../directory/entry/group.ts';
import { userFilter } from '../../../directory/entry/user.ts';
import { isReason } from '../../../foundation/errors/errors.ts';
import { Dn } from '../../../foundation/text/dn.ts';
import { present } from '../../../foundation/text/filter.ts';
import type { Entry } from '../../../ports/directory/directory.ts';
import { changeRecord } from './record-change.ts';
import { noteIn, type RestoreRun, type RestoreView } from './restore-run.ts';
import { type Closed, closeUsed, noteTargets } from './used-since.ts';
import { rulesOf } from './widest.ts';

/** Entries at a time: their writes share commits. */
const atOnce = 50;
const nothing: Closed = { tokens: 0, lists: 0, emergencies: 0 };

export interface ClosedEntries extends Closed {
  /** Users with something that was closed. */
  readonly users: number;
  /** Bases of directories that did not answer: the owners of some data are unknown. */
  readonly silent: readonly string[];
}

/** @throws ServiceError `internal` where a secret cannot be read; `unavailable` */
export async function closeEntries(bases: readonly Dn[], restoring: RestoreRun): Promise<ClosedEntries> {
  const tally = new Tally(restoring);
  for (const base of bases) await tally.silence(base, () => closeBelow(base, tally, restoring));
  for await (const page of restoring.view.entryRecords.all()) {
    const others = [...page].filter(([entry]) => !tally.seen.has(entry));
    await tally.each(others, ([entry, text]) => closeRecord(entry, text, restoring));
  }
  return tally.total;
}

class Tally {
  /** Identifiers of entries whose records were closed where it was known whose they are. */
  readonly seen = new Set<string>();
  readonly #restoring: RestoreRun;
  #looked = 0;
  total: ClosedEntries = { ...nothing, users: 0, silent: [] };

  constructor(restoring: RestoreRun) {
    this.#restoring = restoring;
  }

  async each<T>(all: readonly T[], close: (one: T) => Promise<Closed>): Promise<void> {
    for (let from = 0; from < all.length; from += atOnce) {
      const part = all.slice(from, from + atOnce);
      for (const closed of await Promise.all(part.map(close))) this.#add(closed);
      this.#look(part.length);
    }
  }

  /** A directory that was not put back need not answer: what is kept of its entries is closed without it. */
  async silence(base: Dn, run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      if (this.#restoring.withDirectories || !isReason(error, 'unavailable')) throw error;
      this.total = { ...this.total, silent: [...this.total.silent, base.toString()] };
    }
  }

  #look(more: number): void {
    const [before, now] = [this.#looked, this.#looked + more].map((count) => Math.floor(count / 100) * 100);
    this.#looked += more;
    if (now !== undefined && now !== before) this.#restoring.progress(now);
  }

  #add({ tokens, lists, emergencies }: Closed): void {
    const before = this.total;
    this.total = {
      ...before,
      users: before.users + (tokens + lists + emergencies > 0 ? 1 : 0),
      tokens: before.tokens + tokens,
      lists: before.lists + lists,
      emergencies: before.emergencies + emergencies,
    };
  }
}

async function closeBelow(base: Dn, tally: Tally, restoring: RestoreRun): Promise<void> {
  const { view } = restoring;
  const { vendor, accountSchema, identifier } = await view.server.capabilities(base);
  const isInFolder = vendor === 'embedded' || !accountSchema;
  if (!isInFolder && !restoring.withDirectories) return;
  const { schema } = view.config;
  const filter = accountSchema ? present(schema.data_attribute) : userFilter(schema, vendor);
  for await (const page of view.server.pages({ base, filter, attributes: [identifier] })) {
    const concerned = accountSchema ? page : await withRecords(page, identifier, view);
    for (const entry of accountSchema ? [] : concerned) tally.seen.add(idIn(entry, identifier));
    await tally.each(concerned, ({ dn }) => closeEntry(Dn.parse(dn), identifier, restoring));
  }
}

async function withRecords(
  page: readonly Entry[],
  identifier: string,
  { entryRecords }: Pick<RestoreView, 'entryRecords'>,
): Promise<readonly Entry[]> {
  const records = await entryRecords.read(page.map((entry) => idIn(entry, identifier)));
  return page.filter((entry) => records.has(idIn(entry, identifier)));
}

const idIn = (entry: Entry, identifier: string): string => identifierOf(entry, identifier) ?? '';

async function closeEntry(dn: Dn, identifier: string, restoring: RestoreRun): Promise<Closed> {
  const { view, writes, tell } = restoring;
  const { directory } = view;
  const { schema } = view.config;
  const attributes = [identifier, schema.data_attribute, schema.settings_attribute];
  const entry = await directory.read(dn, [...attributes, ...memberAttributes(schema)]);
  if (!entry) return nothing;
  const where = { dn, identifier, view };
  const [id, stored] = [idOf(entry, where), dataOf(entry, where)];
  const uses = Math.max(restoring.uses, (await rulesOf(entry, view)).lookAhead);
  const owner = { entry: id, keys: view.keys };
  const targets = await noteTargets(stored, owner, { uses, note: noteIn(restoring) });
  const { changes, closed } = closeUsed(stored, owner, targets);
  if (!writes || changes.size === 0) return closed;
  await swapData({ dn, id }, (now) => closeUsed(now, owner, targets).changes, view);
  await tell(entry.dn, closed);
  return closed;
}

/** Closes a record whose user is known only by the binding of its secrets. */
async function closeRecord(entry: string, text: string, restoring: RestoreRun): Promise<Closed> {
  const { view, uses, writes } = restoring;
  const owner = { entry, keys: view.keys };
  let closed = nothing;
  await changeRecord({ entry, text, view, writes }, async (stored) => {
    const targets = await noteTargets(stored, owner, { uses, note: noteIn(restoring) });
    closed = closeUsed(stored, owner, targets).closed;
    return (now) => closeUsed(now, owner, targets).changes;
  });
  return closed;
}
