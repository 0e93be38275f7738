/**
 * Keeps a refused login from telling by its speed why it was refused. A server answers at once for a user who
 * does not exist, and hashes the password and writes the failure down for one who does; so a refusal is held
 * back until a login of somebody who exists would have been answered, too.
 */
import type { Clock } from '@watchword/core/ports';

/** A wrong password costs more than a right one: the failure is written to disk. */
const margin = 2;
/** Milliseconds that an answer is held back at most: logins may have been slow because the directory was away. */
const longest = 1_000;
/** Weight of the newest login in the running mean. */
const weight = 0.1;

export class RefusalPace {
  readonly #clock: Clock;
  /** Milliseconds that a granted login takes; a running mean. */
  #usual = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Runs a login, and holds its answer back if it is a refusal that came too soon. */
  hold<T>(login: () => Promise<T>, isGranted: (answer: T) => boolean): Promise<T> {
    const started = this.begin();
    return login().then((answer) => {
      if (!isGranted(answer)) return this.refused(started).then(() => answer);
      this.granted(started);
      return answer;
    });
  }

  /** For who runs the login itself. @returns what the end of it is to be told with */
  begin(): number {
    return this.#clock.now();
  }

  granted(started: number): void {
    const took = this.#clock.now() - started;
    this.#usual += (took - this.#usual) * (this.#usual === 0 ? 1 : weight);
  }

  /** Resolves when it may be told. */
  refused(started: number): Promise<void> {
    return this.#until(this.#clock.now() - started);
  }

  async #until(took: number): Promise<void> {
    const rest = Math.min(this.#usual * margin, longest) - took;
    if (rest > 0) await this.#clock.sleep(rest);
  }
}
