import type { Store, StoredValue } from '@watchword/core/ports';
import type { Change, Decision } from '../steps/changes.ts';
import type { Name } from '../steps/names.ts';
import type { Steps } from '../steps/steps.ts';
import { isSame, numberOf, textOf } from './counters.ts';
import { pagesOf } from './families.ts';

/** Opens the store. @param options `lasting` false: ephemeral values, which wait for no disk and are lost in a crash of the server */
export function openStore(steps: Steps, { lasting }: { readonly lasting: boolean }): Store {
  const named = (key: string): Name => ({ key, lasting });
  const change = <T>(key: string, decide: (found: Buffer | undefined) => ValueDecision<T>): Promise<T> => {
    return steps.change([named(key)], (found): Decision<T> => {
      const decided = decide(found(0));
      return decided.change
        ? { result: decided.result, changes: [[0, decided.change]] }
        : { result: decided.result };
    });
  };
  const get = (key: string) => steps.read(named(key));
  return {
    get,
    put: (key, value, seconds) => steps.overwrite(named(key), { mode: 'set', value, seconds }),
    remove: (key) => steps.overwrite(named(key), 'remove'),
    take: async (key) => {
      if ((await get(key)) === undefined) return undefined;
      return change(key, (found) => ({ result: found, ...(found && { change: 'remove' }) }));
    },
    claim: (key, value, seconds) =>
      change(key, (found) =>
        value > (numberOf(found) ?? -1)
          ? { result: true, change: { mode: 'claim', value: textOf(value), seconds } }
          : { result: false },
      ),
    claimed: async (key) => numberOf(await get(key)),
    count: async (key, { by, seconds, limit }) => {
      if (by === 0) return numberOf(await get(key)) ?? 0;
      return change<number | undefined>(key, (found) => {
        const before = numberOf(found) ?? 0;
        const reached = Math.max(0, before + by);
        const count = (n: number): Change => ({ mode: 'least', value: textOf(n), seconds });
        // A counter begun while the clock was ahead would refuse until that time.
        if (limit !== undefined && by > 0 && reached > limit)
          return { result: undefined, ...(found && { change: count(before) }) };
        if (reached > 0) return { result: reached, change: count(reached) };
        return { result: 0, ...(found && { change: 'remove' }) };
      });
    },
    swap: (key, { before, after, seconds }) =>
      change(key, (found) =>
        isSame(found, before)
          ? { result: true, change: { mode: 'keep', value: after, seconds } }
          : { result: false },
      ),
    family: async function* (name, most): AsyncGenerator<readonly StoredValue[]> {
      for await (const page of pagesOf(steps, { name, lasting, most }))
        yield page.map(({ subject, value }) => ({ key: `${name}:${subject}`, value }));
    },
    update: (key, decide) =>
      change(key, (found) => {
        const { result, after } = decide(found);
        if (after === undefined) return { result };
        return { result, change: after === null ? 'remove' : { mode: 'set', ...after } };
      }),
    probe: () => steps.probe.run(),
    close: async () => {},
  };
}

interface ValueDecision<T> {
  readonly result: T;
  readonly change?: Change;
}
