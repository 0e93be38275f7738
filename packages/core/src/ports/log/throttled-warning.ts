import type { Clock } from '../clock.ts';
import type { Log, LogFields } from './log.ts';

/** Milliseconds. */
const pause = 60_000;

/** A warning that is logged at once, then at most once a minute, with its count. */
export class ThrottledWarning {
  readonly #text: string;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #log: Log | undefined;
  #logged = Number.NEGATIVE_INFINITY;
  #times = 0;

  /** @param text a sentence for the operator */
  constructor(text: string, { clock, log }: { clock: Pick<Clock, 'now'>; log?: Log | undefined }) {
    this.#text = text;
    this.#clock = clock;
    this.#log = log;
  }

  /** Counts an occurrence, and logs it if it is due. @param fields written if this occurrence is logged */
  note(fields: LogFields = {}): void {
    this.#times += 1;
    const now = this.#clock.now();
    // A clock that was set back must not silence the warning.
    if (now >= this.#logged && now - this.#logged < pause) return;
    this.#log?.warn(this.#text, { ...fields, times: this.#times });
    this.#logged = now;
    this.#times = 0;
  }
}
