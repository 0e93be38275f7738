/**
 * Delays of refused logins, so that their time does not reveal which users exist. A server answers at once for an unknown user, and hashes and
 * writes for a known one.
 */
import type { Clock } from '@watchword/core/ports';

/** A factor: a wrong password takes longer than a right one, as the server writes the failure to disk. */
const margin = 2;
/** The longest delay in milliseconds, as logins may have been slow in an outage. */
const longest = 1_000;
/** The weight of the latest login in the average. */
const weight = 0.1;

export class RefusalDelay {
  readonly #clock: Clock;
  /** The moving average of granted logins in milliseconds. */
  #average = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Runs a login, and delays a refusal. */
  run<T>(login: () => Promise<T>, isGranted: (answer: T) => boolean): Promise<T> {
    const started = this.begin();
    return login().then((answer) => {
      if (!isGranted(answer)) return this.refused(started).then(() => answer);
      this.granted(started);
      return answer;
    });
  }

  /** Begins a login. @returns the argument for {@link granted} or {@link refused} */
  begin(): number {
    return this.#clock.now();
  }

  granted(started: number): void {
    const took = this.#clock.now() - started;
    this.#average += (took - this.#average) * (this.#average === 0 ? 1 : weight);
  }

  /** Resolves when the refusal may be answered. */
  refused(started: number): Promise<void> {
    return this.#until(this.#clock.now() - started);
  }

  async #until(took: number): Promise<void> {
    const rest = Math.min(this.#average * margin, longest) - took;
    if (rest > 0) await this.#clock.sleep(rest);
  }
}
