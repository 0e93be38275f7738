/** `List_Nodes`: the processes that share the store. Each writes a heartbeat while it runs. */

import { version } from '../../foundation/version.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log/log.ts';
import { type Random, randomWord } from '../../ports/random.ts';
import type { Store } from '../../ports/store/store.ts';

export interface RunningNode {
  /** The host name. */
  readonly name: string;
  /** The program: `watchword-manager`, or `embedded` in another one. */
  readonly server: string;
  readonly version: string;
  /** Milliseconds since 1970, as {@link seen}. */
  readonly started: number;
  /** The last heartbeat. */
  readonly seen: number;
}

interface NodePorts {
  readonly momentary: Pick<Store, 'put' | 'remove'>;
  readonly clock: Pick<Clock, 'now' | 'every'>;
  readonly random: Random;
  readonly log: Pick<Log, 'warn'>;
  readonly host: string;
  readonly program?: string | undefined;
}

const family = 'nodes';
const everyMilliseconds = 30_000;
/** Three times the interval, for late heartbeats. */
const keptSeconds = 90;

/** The heartbeat of this node. A failure of the store is logged once until the next success. */
export class Heartbeat {
  readonly #ports: NodePorts;
  readonly #key: string;
  readonly #started: number;
  #stop = () => {};
  #beating: Promise<void> | undefined;
  #isKept = false;
  #isFailing = false;

  constructor(ports: NodePorts) {
    this.#ports = ports;
    this.#key = `${family}:${randomWord(ports.random, 16)}`;
    this.#started = ports.clock.now();
  }

  start(): void {
    this.#beat();
    this.#stop = this.#ports.clock.every(everyMilliseconds, () => this.#beat());
  }

  /** Removes the heartbeat; if that fails, it expires. */
  async close(): Promise<void> {
    this.#stop();
    await this.#beating;
    if (this.#isKept && !this.#isFailing) await this.#ports.momentary.remove(this.#key).catch(() => {});
  }

  /** Writes one heartbeat at a time, also with a slow store. */
  #beat(): void {
    this.#beating ??= this.#write().finally(() => {
      this.#beating = undefined;
    });
  }

  async #write(): Promise<void> {
    const { momentary, clock, log, host, program = 'embedded' } = this.#ports;
    const seen = clock.now();
    const node: RunningNode = { name: host, server: program, version, started: this.#started, seen };
    try {
      await momentary.put(this.#key, Buffer.from(JSON.stringify(node)), keptSeconds);
      this.#isKept = true;
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) log.warn('the store was not told that this node runs', { error });
      this.#isFailing = true;
    }
  }
}

export interface NodesView {
  readonly momentary: Pick<Store, 'family'>;
}

/** Lists running nodes by host and program; a dead node is listed for a minute and a half. */
export async function runningNodes({ momentary }: NodesView): Promise<readonly RunningNode[]> {
  const found: RunningNode[] = [];
  for await (const page of momentary.family(family))
    found.push(...page.map(({ value }): RunningNode => JSON.parse(Buffer.from(value).toString('utf8'))));
  const byName = (a: RunningNode, b: RunningNode) =>
    a.name.localeCompare(b.name) || a.server.localeCompare(b.server) || a.started - b.started;
  return found.sort(byName);
}
