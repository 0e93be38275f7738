/** The method List_Nodes: the processes that share this store. Each renews a record in the store while it runs. */

import { version } from '../../foundation/version.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ListenerCertificate } from '../../ports/listener-certificate.ts';
import type { Log } from '../../ports/log/log.ts';
import { type Random, randomWord } from '../../ports/random.ts';
import type { Store } from '../../ports/store/store.ts';

export interface RunningNode {
  /** The host name of the machine. */
  readonly name: string;
  /** The program of the service: `watchword-manager`, or `embedded` in another program. */
  readonly server: string;
  readonly version: string;
  /** Milliseconds since 1970, as {@link seen}. */
  readonly started: number;
  /** The last report of the node. */
  readonly seen: number;
  /** The certificates of its listeners; left out by earlier versions. */
  readonly certificates?: readonly NodeCertificate[] | undefined;
}

export type NodeCertificate = Pick<ListenerCertificate, 'listener' | 'subject' | 'end'>;

interface NodePorts {
  readonly ephemeral: Pick<Store, 'put' | 'remove'>;
  readonly clock: Pick<Clock, 'now' | 'every'>;
  readonly random: Random;
  readonly log: Pick<Log, 'warn'>;
  readonly host: string;
  readonly listenerCertificates?: (() => readonly ListenerCertificate[]) | undefined;
  readonly program?: string | undefined;
}

const family = 'nodes';
const everyMilliseconds = 30_000;
/** Three times as long: one that is late is still there. */
const keptSeconds = 90;

/** A server works without it: where the store fails, that is a line in the log, and the next one when it has worked again. */
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

  /** Removes the node; a record that stays ends with its time. */
  async close(): Promise<void> {
    this.#stop();
    await this.#beating;
    if (this.#isKept && !this.#isFailing) await this.#ports.ephemeral.remove(this.#key).catch(() => {});
  }

  /** One at a time: a store that answers late is not asked again meanwhile. */
  #beat(): void {
    this.#beating ??= this.#tell().finally(() => {
      this.#beating = undefined;
    });
  }

  async #tell(): Promise<void> {
    const { ephemeral, clock, log, host, program = 'embedded', listenerCertificates } = this.#ports;
    const seen = clock.now();
    const certificates = listenerCertificates?.().map(({ listener, subject, end }) => ({
      listener,
      subject,
      end,
    }));
    const node: RunningNode = {
      ...{ name: host, server: program, version, started: this.#started, seen },
      ...(certificates && { certificates }),
    };
    try {
      await ephemeral.put(this.#key, Buffer.from(JSON.stringify(node)), keptSeconds);
      this.#isKept = true;
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) log.warn('the store was not told that this node runs', { error });
      this.#isFailing = true;
    }
  }
}

export interface NodesView {
  readonly ephemeral: Pick<Store, 'family'>;
}

/** Those that run, by name and server; one that died is among them for a minute and a half. */
export async function runningNodes({ ephemeral }: NodesView): Promise<readonly RunningNode[]> {
  const found: RunningNode[] = [];
  for await (const page of ephemeral.family(family))
    found.push(...page.map(({ value }): RunningNode => JSON.parse(Buffer.from(value).toString('utf8'))));
  const byName = (a: RunningNode, b: RunningNode) =>
    a.name.localeCompare(b.name) || a.server.localeCompare(b.server) || a.started - b.started;
  return found.sort(byName);
}
