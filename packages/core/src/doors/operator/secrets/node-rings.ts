/**
 * Which key ring each running node has: a node reads the key file when it starts, so one that was not started anew
 * cannot open what others seal under a new key. Each tells it in the store, as long as it runs.
 */
import type { Ports } from '../../../ports/ports.ts';
import { randomWord } from '../../../ports/random.ts';
import type { Store } from '../../../ports/store/store.ts';

export interface NodeRing {
  /** For people: `process 123 on host (watchword-manager)`. */
  readonly node: string;
  /** The ids of its keys, the one that it seals with first. */
  readonly keys: readonly string[];
}

const family = 'ring';
const everyMilliseconds = 20_000;
/** What a node that died has told is forgotten by then. */
const keptSeconds = 60;

/** @returns ends it: nothing is told of this node any more */
export async function announceRing(
  program: string,
  {
    store,
    keys,
    random,
    clock,
    system,
    log,
  }: Pick<Ports, 'store' | 'keys' | 'random' | 'clock' | 'system' | 'log'>,
): Promise<() => Promise<void>> {
  const facts = system.facts();
  const node = `process ${facts.process} on ${facts.host} (${program})`;
  const value = Buffer.from(JSON.stringify({ node, keys: keys.ids } satisfies NodeRing));
  const key = `${family}:${randomWord(random, 16)}`;
  const tell = () => store.put(key, value, keptSeconds);
  await tell();
  const stop = clock.every(everyMilliseconds, () => {
    // It is told again soon, and a store that is down is told of by others.
    tell().catch((error: unknown) => log.warn('the store was not told of this node’s key ring', { error }));
  });
  return async () => {
    stop();
    await store.remove(key);
  };
}

/** Those that run, as far as they share this store. */
export async function ringsOfNodes(store: Store): Promise<readonly NodeRing[]> {
  const found: NodeRing[] = [];
  for await (const page of store.family(family))
    found.push(...page.map(({ value }) => JSON.parse(Buffer.from(value).toString('utf8')) as NodeRing));
  return found.sort((a, b) => a.node.localeCompare(b.node));
}
