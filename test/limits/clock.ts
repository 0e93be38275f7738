/** A clock that goes on by as much as is slept: one attempt after the other takes the time that it would take. */
import { TestClock } from '@watchword/core/testing';

export class PassingClock extends TestClock {
  override async sleep(milliseconds: number): Promise<void> {
    this.advance(milliseconds);
  }
}

interface Sleeper {
  readonly due: number;
  wake(): void;
}

/**
 * Turns of so many real milliseconds: nobody has asked for the time for so long, so all wait for it to pass. More than one turn,
 * as a process that was not let run for a while has only one of them.
 */
const [turns, quiet] = [3, 5];

/** A clock for many at a time: when all sleep, it goes on to the moment at which the first of them wants to wake up. */
export class LeapingClock extends TestClock {
  readonly #sleepers: Sleeper[] = [];
  #asked = 0;
  #watching = false;

  override now(): number {
    this.#asked += 1;
    return super.now();
  }

  override sleep(milliseconds: number): Promise<void> {
    const due = super.now() + Math.max(0, milliseconds);
    return new Promise((wake) => {
      this.#sleepers.push({ due, wake });
      if (!this.#watching) this.#watch();
    });
  }

  #watch(quietTurns = 0): void {
    this.#watching = true;
    const asked = this.#asked;
    setTimeout(() => {
      const now = asked === this.#asked ? quietTurns + 1 : 0;
      if (now === turns) this.#leap();
      if (this.#sleepers.length > 0) this.#watch(now % turns);
      else this.#watching = false;
    }, quiet);
  }

  #leap(): void {
    this.#sleepers.sort((a, b) => a.due - b.due);
    const due = this.#sleepers[0]?.due ?? 0;
    this.advance(Math.max(0, due - super.now()));
    while (this.#sleepers[0] && this.#sleepers[0].due <= due) this.#sleepers.shift()?.wake();
  }
}
