/**
 * Events of requests that a door refuses: an unsupported method, or a page of another site. Equal requests of a caller that arrive during a
 * write are counted in the next event.
 */

import { SingleFlight } from '../foundation/runtime/single-flight.ts';
import type { Log } from '../ports/log/log.ts';
import { type Random, randomWord } from '../ports/random.ts';
import { type RecordingPorts, recordEvent } from './recorded.ts';

export interface RefusedRequest {
  /** `Manager`, or an application in the installation's words. */
  readonly application: string;
  readonly why: 'method' | 'cross-site';
  /** The HTTP method. */
  readonly method: string;
  /** The kind of route: `rest`, `page`. */
  readonly at: string;
  /** The IP address and port of the caller. */
  readonly address: string;
  readonly port: number;
}

/** Characters; more than the methods of HTTP have. */
const longestMethod = 16;

const reasons: Readonly<Record<RefusedRequest['why'], string>> = {
  method: 'is not answered there',
  'cross-site': 'was sent by a page of another site',
};

interface RefusalPorts extends RecordingPorts {
  readonly log: Pick<Log, 'info' | 'warn'>;
  readonly random: Random;
}

export class RefusedRequests {
  readonly #ports: RefusalPorts;
  readonly #writing = new SingleFlight<void>();
  /** Requests that are not written yet. */
  readonly #counts = new Map<string, number>();

  constructor(ports: RefusalPorts) {
    this.#ports = ports;
  }

  /** Records a request, and resolves when the event is durable. A failure of the event log is logged, and not thrown. */
  async record(request: RefusedRequest): Promise<void> {
    const { application, why, method, at, address } = request;
    const text = `Refused: ${method.slice(0, longestMethod)} ${at} ${reasons[why]}`;
    const key = JSON.stringify([application, address, text]);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    try {
      await this.#writing.run(key, () => this.#write(request, { text, times: this.#take(key) }));
    } catch (error) {
      this.#ports.log.warn('an event could not be kept', { error });
    }
  }

  #take(key: string): number {
    const times = this.#counts.get(key) ?? 0;
    this.#counts.delete(key);
    return times;
  }

  async #write(
    { application, why, address, port }: RefusedRequest,
    { text, times }: { readonly text: string; readonly times: number },
  ): Promise<void> {
    const transaction = { id: randomWord(this.#ports.random, 8), client: `${address}:${port}` };
    const facts = { user: '', outcome: 'refused', reason: why };
    if (times > 0) await recordEvent({ application, text, times, facts }, transaction, this.#ports);
  }
}
