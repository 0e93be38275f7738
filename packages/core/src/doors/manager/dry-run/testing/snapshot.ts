/** Reads and compares the durable state of a service, for tests. */

import { Dn } from '../../../../foundation/text/dn.ts';
import { matchAll } from '../../../../foundation/text/filter.ts';
import { bytesOf } from '../../../../foundation/text/value.ts';
import type { Fixture } from '../../../../testing/bed/fixture.ts';

export interface Snapshot {
  /** DN → attribute → values. */
  readonly entries: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Key → value. */
  readonly values: ReadonlyMap<string, string>;
  readonly events: number;
  readonly certificates: ReadonlyMap<string, string>;
  readonly records: ReadonlyMap<string, string>;
}

export async function lookAround(fixture: Fixture): Promise<Snapshot> {
  const kept = fixture.kept();
  const [values, certificates, records] = [new Map(), new Map(), new Map()];
  for await (const page of kept.values())
    for (const { key, value } of page) values.set(key, Buffer.from(value).toString('base64'));
  for await (const page of kept.certificates())
    for (const one of page) certificates.set(one.serial, JSON.stringify(one));
  for await (const page of kept.entryRecords()) for (const [entry, text] of page) records.set(entry, text);
  return {
    entries: await entriesOf(fixture),
    values,
    certificates,
    records,
    events: fixture.events().length,
  };
}

async function entriesOf({ ports, base }: Fixture): Promise<Snapshot['entries']> {
  const all = await ports.directory.service.search({
    ...{ base: Dn.parse(base), scope: 'sub', filter: matchAll, attributes: ['*', '+', 'userPassword'] },
  });
  return new Map(
    all.map(({ dn, attributes }) => [
      dn,
      new Map(
        [...attributes].map(([name, some]) => [
          name,
          JSON.stringify(some.map((value) => Buffer.from(bytesOf(value)).toString('base64'))),
        ]),
      ),
    ]),
  );
}

/** Operational attributes are the directory's own. */
const isKept = /^(?:(?:create|modify)timestamp|modifiersname|hassubordinates|entrydn|entrycsn|pwd.*)$/;

/** Returns the changes in words, each once and in order. */
export function changesBetween(before: Snapshot, after: Snapshot): readonly string[] {
  const changes = new Set<string>();
  for (const dn of keysOfBoth(before.entries, after.entries)) {
    const [was, is] = [before.entries.get(dn), after.entries.get(dn)];
    if (!was || !is) changes.add(`${is ? 'added' : 'removed'} ${dn}`.toLowerCase());
    else
      for (const name of differing(was, is))
        if (!isKept.test(name)) changes.add(`changed ${dn} ${name}`.toLowerCase());
  }
  for (const key of differing(before.values, after.values)) changes.add(`store ${key.split(':', 1)}`);
  changes.delete('store outbox'); // it is sent at once
  if (differing(before.certificates, after.certificates).length > 0) changes.add('certificate');
  if (differing(before.records, after.records).length > 0) changes.add('store entry-records');
  return [...changes].sort();
}

const keysOfBoth = <T>(one: ReadonlyMap<string, T>, other: ReadonlyMap<string, T>): ReadonlySet<string> =>
  new Set([...one.keys(), ...other.keys()]);

const differing = (one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): readonly string[] =>
  [...keysOfBoth(one, other)].filter((key) => one.get(key) !== other.get(key));
