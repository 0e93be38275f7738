/**
 * Requests that no door takes, as events: a method that is not answered there, a page of another site. Anybody sends
 * them, by the thousand, so those of a caller that come while one is being written are written together.
 */

import { SingleFlight } from '../foundation/runtime/single-flight.ts';
import type { Log } from '../ports/log/log.ts';
import { type Random, randomWord } from '../ports/random.ts';
import { type RecordingPorts, recordDeed } from './recorded.ts';

export interface RefusedRequest {
  /** Whose event it is: `Manager`, or an application in the installation's words. */
  readonly application: string;
  readonly why: 'method' | 'cross-site';
  /** Of HTTP. */
  readonly method: string;
  /** What it was for: `rest`, `page`. */
  readonly at: string;
  /** IP address and port of the caller. */
  readonly address: string;
  readonly port: number;
}

/** Longer than those of HTTP. */
const longestMethod = 16;

const reasons: Readonly<Record<RefusedRequest['why'], string>> = {
  method: 'is not answered there',
  'cross-site': 'was sent by a page of another site',
};

/** Where they are recorded, and what their transactions are named with. */
interface RefusalPorts extends RecordingPorts {
  readonly log: Pick<Log, 'info' | 'warn'>;
  readonly random: Random;
}

export class RefusedRequests {
  readonly #ground: RefusalPorts;
  readonly #writing = new SingleFlight<void>();
  /** Those that are not written yet. */
  readonly #counts = new Map<string, number>();

  constructor(ground: RefusalPorts) {
    this.#ground = ground;
  }

  /** Resolves when it is in the event log; if that fails, the log has it, and the request is refused all the same. */
  async record(request: RefusedRequest): Promise<void> {
    const { application, why, method, at, address } = request;
    const text = `Refused: ${method.slice(0, longestMethod)} ${at} ${reasons[why]}`;
    const key = JSON.stringify([application, address, text]);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    try {
      await this.#writing.run(key, () => this.#write(request, { text, times: this.#take(key) }));
    } catch (error) {
      this.#ground.log.warn('an event could not be kept', { error });
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
    const transaction = { id: randomWord(this.#ground.random, 8), client: `${address}:${port}` };
    const facts = { user: '', outcome: 'refused', reason: why };
    if (times > 0) await recordDeed({ application, text, times, facts }, transaction, this.#ground);
  }
}
