/**
 * `%AUTOINC%` in `uidnumber` or `gidnumber`: the next free number. Numbers are claimed in the store, so each is used once on all nodes; the
 * directory has the numbers in use.
 */
import { isReason, ServiceError } from '../foundation/errors/errors.ts';
import { equal, type Filter, present } from '../foundation/text/filter.ts';
import type { Attributes } from '../foundation/text/value.ts';
import type { DirectoryServer, Entry } from '../ports/directory/directory.ts';
import type { Store } from '../ports/store/store.ts';
import type { Domains } from './domain.ts';
import { texts } from './entry/entry.ts';

const placeholder = '%AUTOINC%';
const numbered = ['uidnumber', 'gidnumber'];

/** The first number of an empty directory: lower ones belong to systems. */
const first = 1000;

/**
 * The last number. Entries beyond it are ignored: the number after `nobody` (4294967294) means "no change" to `setuid`, so its user would
 * keep the rights of root.
 */
const last = 2_147_483_647;

/** Lifetime of claims, which last until the entry is visible, and of the cached last number. */
const claimSeconds = 3600;

/** The context of numbering. */
export interface NumberingView {
  readonly store: Store;
  readonly domains: Pick<Domains, 'bases'>;
  readonly server: Pick<DirectoryServer, 'service'>;
}

interface Claim {
  readonly attribute: string;
  readonly number: number;
}

/**
 * Creates an entry with numbers for its placeholders. The numbers are released if it is not created, but kept if the answer was lost.
 * @throws ServiceError `too_large` if there is no number left
 */
export async function withNumbers(
  attributes: Attributes,
  call: NumberingView,
  create: (attributes: Attributes) => Promise<void>,
): Promise<void> {
  const wanting = numbered.filter((name) => attributes.get(name)?.includes(placeholder));
  const claims: Claim[] = [];
  try {
    for (const attribute of wanting) claims.push(await claimNext(attribute, call));
    await create(
      new Map([...attributes, ...claims.map(({ attribute, number }) => [attribute, [`${number}`]] as const)]),
    );
  } catch (error) {
    if (!isReason(error, 'unavailable')) await release(claims, call);
    throw error;
  }
  for (const { attribute, number } of claims) {
    await call.store.put(lastKey(attribute), Buffer.from(`${number}`), claimSeconds);
  }
}

async function release(claims: readonly Claim[], view: NumberingView): Promise<void> {
  for (const claim of claims) await view.store.remove(claimKey(claim));
}

async function claimNext(attribute: string, call: NumberingView): Promise<Claim> {
  for (let number = (await lastNumber(attribute, call)) + 1; number <= last; number += 1) {
    const claim = { attribute, number };
    const step = { by: 1, seconds: claimSeconds, limit: 1 };
    if ((await call.store.count(claimKey(claim), step)) === undefined) continue;
    const holders = await searchDomains(equal(attribute, `${number}`), ['1.1'], call);
    if (holders.length === 0) return claim;
    number = Math.max(number, await highestNumber(attribute, call));
  }
  throw new ServiceError('too_large', { detail: `no ${attribute} is left up to ${last}` });
}

const claimKey = ({ attribute, number }: Claim): string => `autoinc:${attribute}:${number}`;
const lastKey = (attribute: string): string => `autoinc:${attribute}`;

/** Reads the last number of an entry. */
async function lastNumber(attribute: string, call: NumberingView): Promise<number> {
  const kept = await call.store.get(lastKey(attribute));
  return kept ? Number(Buffer.from(kept).toString('latin1')) : highestNumber(attribute, call);
}

async function highestNumber(attribute: string, call: NumberingView): Promise<number> {
  const entries = await searchDomains(present(attribute), [attribute], call);
  const numbers = entries.flatMap((entry) => texts(entry, attribute).map(Number));
  return numbers
    .filter((number) => number <= last)
    .reduce((highest, number) => Math.max(highest, number), first - 1);
}

/**
 * Searches all domains, as the service: numbers are unique also among entries that the caller may not read. A missing base holds none.
 */
async function searchDomains(
  filter: Filter,
  attributes: readonly string[],
  view: NumberingView,
): Promise<readonly Entry[]> {
  const searches = view.domains.bases.map(async (base) => {
    try {
      return await view.server.service.search({ base, scope: 'sub', filter, attributes });
    } catch (error) {
      if (isReason(error, 'not_found')) return [];
      throw error;
    }
  });
  return (await Promise.all(searches)).flat();
}
