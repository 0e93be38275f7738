/**
 * The last use of each API key: the hour and the address, in the store. A request notes a use in memory; a task writes the notes, so that no
 * answer waits for it, and no failure of it fails a login.
 */
import type { Clock } from '../../../ports/clock.ts';
import type { Log } from '../../../ports/log/log.ts';
import type { Store } from '../../../ports/store/store.ts';

/** The last use of a key. */
export interface KeyUse {
  /** The begin of the hour, in milliseconds since 1970. */
  readonly hour: number;
  /** The address of the calling system. */
  readonly address: string;
}

export interface KeyUsesPorts {
  readonly store: Pick<Store, 'update'>;
  readonly clock: Pick<Clock, 'now' | 'every'>;
  readonly log: Pick<Log, 'warn'>;
}

const family = 'api-key-uses';
const everyMilliseconds = 5_000;
const hourMilliseconds = 3_600_000;

/** The seconds that a last use is kept for, also that of a key which was revoked meanwhile: 400 days. */
const keptSeconds = 400 * 86_400;

const keyOf = (id: string): string => `${family}:${id}`;

export class KeyUses {
  readonly #ports: KeyUsesPorts;
  /** The hours that this node has noted, by key: there are no more keys than the configuration has. */
  readonly #noted = new Map<string, number>();
  #due = new Map<string, KeyUse>();
  #stop = () => {};
  #writing: Promise<void> | undefined;

  constructor(ports: KeyUsesPorts) {
    this.#ports = ports;
  }

  /** Notes that a key was used now: the first use of an hour on this node is written. */
  note(id: string, address: string): void {
    const now = this.#ports.clock.now();
    const hour = now - (now % hourMilliseconds);
    if (this.#noted.get(id) === hour) return;
    this.#noted.set(id, hour);
    this.#due.set(id, { hour, address });
  }

  /** Writes what is noted from now on, every five seconds. */
  start(): void {
    this.#stop = this.#ports.clock.every(everyMilliseconds, () => void this.#write());
  }

  /** Stops, after what is noted is written. */
  async close(): Promise<void> {
    this.#stop();
    await this.#writing;
    await this.#write();
  }

  /** One write at a time: a store that answers late is not asked again meanwhile. */
  #write(): Promise<void> {
    this.#writing ??= this.#writeDue().finally(() => {
      this.#writing = undefined;
    });
    return this.#writing;
  }

  async #writeDue(): Promise<void> {
    const due = this.#due;
    this.#due = new Map();
    const { store, log } = this.#ports;
    try {
      for (const [id, use] of due) await store.update(keyOf(id), (before) => laterOf(before, use));
    } catch (error) {
      // The next use tries again.
      for (const id of due.keys()) this.#noted.delete(id);
      log.warn('the last use of an API key was not written', { error });
    }
  }
}

/** Keeps a use of the same hour, by another node, and a later one. */
function laterOf(before: Uint8Array | undefined, use: KeyUse) {
  if (before && read(before).hour >= use.hour) return { result: undefined };
  const value = Buffer.from(JSON.stringify(use), 'utf8');
  return { result: undefined, after: { value, seconds: keptSeconds } };
}

const read = (value: Uint8Array): KeyUse => JSON.parse(Buffer.from(value).toString('utf8'));

/** Reads the last use of every key that has one. @throws ServiceError `unavailable` */
export async function readKeyUses({
  store,
}: {
  readonly store: Pick<Store, 'family'>;
}): Promise<ReadonlyMap<string, KeyUse>> {
  const found = new Map<string, KeyUse>();
  for await (const page of store.family(family))
    for (const { key, value } of page) found.set(key.slice(family.length + 1), read(value));
  return found;
}

/** Removes the last use of a key. @throws ServiceError `unavailable` */
export const removeKeyUse = (
  id: string,
  { store }: { readonly store: Pick<Store, 'remove'> },
): Promise<void> => store.remove(keyOf(id));
