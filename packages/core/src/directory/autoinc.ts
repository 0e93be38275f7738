/**
 * `%AUTOINC%` in `uidnumber` or `gidnumber`: the next free number. A counter in the store hands each number
 * out once, on every node; it starts behind the highest number that the directory holds.
 */
import type { Call } from '../method.ts';
import type { Dn } from './dn.ts';
import { equal, present } from './filter.ts';
import { texts } from './user.ts';
import type { Attributes } from './value.ts';

const placeholder = '%AUTOINC%';
const numbered = ['uidnumber', 'gidnumber'];

/** Where numbers begin in an empty directory: below are the system's own on most machines. */
const first = 1000;

/** Long enough that a number is not handed out twice between two looks at the directory. */
const counterSeconds = 3600;

export async function numberNext(attributes: Attributes, call: Call): Promise<Attributes> {
  const result = new Map(attributes);
  for (const name of numbered) {
    const values = attributes.get(name);
    if (values?.includes(placeholder)) result.set(name, [String(await nextFree(name, call))]);
  }
  return result;
}

async function nextFree(attribute: string, call: Call): Promise<number> {
  const base = rootOf(call);
  const step = { by: 1, seconds: counterSeconds };
  const highest = await highestNumber(attribute, base, call);
  for (;;) {
    const number = highest + ((await call.core.store.count(`autoinc:${attribute}:${highest}`, step)) ?? 1);
    const taken = await call.directory.search({
      base,
      scope: 'sub',
      filter: equal(attribute, String(number)),
      attributes: ['1.1'],
    });
    if (taken.length === 0) return number;
  }
}

/** The counter is kept by highest number, so it starts anew whenever the directory has moved on. */
async function highestNumber(attribute: string, base: Dn, call: Call): Promise<number> {
  const found = await call.directory.search({
    base,
    scope: 'sub',
    filter: present(attribute),
    attributes: [attribute],
  });
  const numbers = found.flatMap((entry) => texts(entry, attribute).map(Number)).filter(Number.isSafeInteger);
  return numbers.reduce((highest, number) => Math.max(highest, number), first - 1);
}

/** The shortest base of all domains: numbers are unique over all of them. */
function rootOf({ core }: Call): Dn {
  return core.domains.all.map(({ base }) => base).reduce((a, b) => (b.rdns.length < a.rdns.length ? b : a));
}
