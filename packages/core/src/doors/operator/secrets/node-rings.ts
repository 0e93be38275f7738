/**
 * The key ring of each running node. A node reads the key file at its start, so a node that was not restarted cannot open values under a
 * new key. Each node announces its ring in the store while it runs.
 */
import type { Ports } from '../../../ports/ports.ts';
import { randomWord } from '../../../ports/random.ts';
import type { Store } from '../../../ports/store/store.ts';

export interface NodeRing {
  /** The name for people: `process 123 on host (watchword-manager)`. */
  readonly node: string;
  /** The ids of its keys, the one that it seals with first. */
  readonly keys: readonly string[];
}

const family = 'ring';
const everyMilliseconds = 20_000;
/** Seconds until the announcement of a dead node is forgotten. */
const keptSeconds = 60;

/** @returns ends the announcement */
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
    // It is reported again soon, and others report a store that is down.
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
