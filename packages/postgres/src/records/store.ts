/** The store on PostgreSQL: what lasts, and what is only about the next seconds. */
import type { Store, StoredValue } from '@watchword/core/ports';
import type { Change, Decision } from '../steps/changes.ts';
import type { Name } from '../steps/names.ts';
import type { Steps } from '../steps/steps.ts';
import { isSame, numberOf, textOf } from './counters.ts';
import { pagesOf } from './families.ts';

/** @param lasting false: nobody waits for a disk, and all is gone when the server of the database crashes */
export function openStore(steps: Steps, { lasting }: { readonly lasting: boolean }): Store {
  const named = (key: string): Name => ({ key, lasting });
  const change = <T>(key: string, decide: (found: Buffer | undefined) => One<T>): Promise<T> => {
    return steps.change([named(key)], (found): Decision<T> => {
      const { result, become } = decide(found(0));
      return become ? { result, changes: [[0, become]] } : { result };
    });
  };
  const get = (key: string) => steps.read(named(key));
  return {
    get,
    put: (key, value, seconds) => steps.overwrite(named(key), { how: 'set', value, seconds }),
    remove: (key) => steps.overwrite(named(key), 'remove'),
    take: async (key) => {
      if ((await get(key)) === undefined) return undefined;
      return change(key, (found) => ({ result: found, ...(found && { become: 'remove' }) }));
    },
    claim: (key, value, seconds) =>
      change(key, (found) =>
        value > (numberOf(found) ?? -1)
          ? { result: true, become: { how: 'claim', value: textOf(value), seconds } }
          : { result: false },
      ),
    claimed: async (key) => numberOf(await get(key)),
    count: async (key, { by, seconds, limit }) => {
      if (by === 0) return numberOf(await get(key)) ?? 0;
      return change<number | undefined>(key, (found) => {
        const before = numberOf(found) ?? 0;
        const reached = Math.max(0, before + by);
        const become = (n: number): Change => ({ how: 'least', value: textOf(n), seconds });
        // Begun while the clock was ahead: it would refuse until that time has come.
        if (limit !== undefined && by > 0 && reached > limit)
          return { result: undefined, ...(found && { become: become(before) }) };
        if (reached > 0) return { result: reached, become: become(reached) };
        return { result: 0, ...(found && { become: 'remove' }) };
      });
    },
    swap: (key, { before, after, seconds }) =>
      change(key, (found) =>
        isSame(found, before)
          ? { result: true, become: { how: 'keep', value: after, seconds } }
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
        return { result, become: after === null ? 'remove' : { how: 'set', ...after } };
      }),
    probe: () => steps.probe.look(),
    close: async () => {},
  };
}

interface One<T> {
  readonly result: T;
  readonly become?: Change;
}
