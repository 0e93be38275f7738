/** A warning about what may happen a thousand times a second: told at once, then at most once a minute, with how often it happened. */
import type { Clock } from '../clock.ts';
import type { Log, LogFields } from './log.ts';

const pause = 60_000;

export class RareWarning {
  readonly #text: string;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #log: Log | undefined;
  #told = Number.NEGATIVE_INFINITY;
  #times = 0;

  /** @param text a sentence for the operator */
  constructor(text: string, { clock, log }: { clock: Pick<Clock, 'now'>; log?: Log | undefined }) {
    this.#text = text;
    this.#clock = clock;
    this.#log = log;
  }

  /** It has happened. @param fields of this time, the last one before it is told */
  note(fields: LogFields = {}): void {
    this.#times += 1;
    const now = this.#clock.now();
    // A clock that was set back must not silence it.
    if (now >= this.#told && now - this.#told < pause) return;
    this.#log?.warn(this.#text, { ...fields, times: this.#times });
    this.#told = now;
    this.#times = 0;
  }
}
