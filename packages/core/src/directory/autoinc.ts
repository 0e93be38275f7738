/**
 * `%AUTOINC%` in `uidnumber` or `gidnumber`: the next free number. Whoever wants a number claims it in the store,
 * so each is handed out once on all nodes; the directory says which are taken since long.
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

/** Where numbers begin in an empty directory: below are the system's own on most machines. */
const first = 1000;

/**
 * Where they end. An entry beyond it is passed over: behind the `nobody` of many directories, 4294967294, comes
 * the number that `setuid` takes for "no change", and whoever had it would keep the rights of root.
 */
const last = 2_147_483_647;

/** A claim has to last until the entry can be seen; the last number, until it pays to look at them all again. */
const claimSeconds = 3600;

/** What numbers are claimed in, and looked for. */
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
 * Creates an entry with numbers for its placeholders. If it is not created, they are free again; of one that
 * may have been, because the answer was lost, they stay claimed.
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

/** The last number that was given to an entry. */
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
 * Numbers are unique over all domains, also among entries that the caller may not see. The base of a domain that
 * is missing holds none.
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
