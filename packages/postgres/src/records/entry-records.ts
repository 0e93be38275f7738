/** Entry records on PostgreSQL: values without an end, of a family that the core does not use. */
import type { EntryRecords } from '@watchword/core/ports';
import { type Decision, permanent } from '../steps/changes.ts';
import type { Name } from '../steps/names.ts';
import type { Steps } from '../steps/steps.ts';
import { isSame } from './counters.ts';
import { pagesOf, valuesOf } from './families.ts';
import { entryValue, families } from './record-values.ts';

const { entries: family } = families;

export function openEntryRecords(steps: Steps): EntryRecords {
  return {
    read: async (entries) => textsOf(await valuesOf(steps, family, entries)),
    swap: (entry, { before, after }) => {
      const valueOf = (text: string) => entryValue(entry, text).value;
      const name: Name = { key: `${family}:${entry}`, lasting: true };
      return steps.change([name], (found): Decision<boolean> => {
        if (!isSame(found(0), before === undefined ? undefined : valueOf(before))) return { result: false };
        const change = after === undefined ? 'remove' : permanent(valueOf(after));
        return { result: true, changes: [[0, change]] };
      });
    },
    all: async function* () {
      for await (const page of pagesOf(steps, { name: family, lasting: true })) yield textsOf(page);
    },
    close: async () => {},
  };
}

interface Row {
  readonly subject: string;
  readonly value: Buffer;
}

const textsOf = (rows: readonly Row[]): ReadonlyMap<string, string> =>
  new Map(rows.map(({ subject, value }) => [subject, value.toString('utf8')]));
