/**
 * Decides whether a commit is made in the main thread. That is quicker for a change that is alone on a quick disk; with several changes at
 * a time the main thread would hold up the others.
 */

/** The average commit in milliseconds up to which the main thread may wait for the disk. */
const quick = 2;
/** The weight of the latest commit in the moving average: one slow commit among quick ones changes little. */
const weight = 1 / 8;
/** A slow commit is followed by a pause of this many times its length: the main thread waits a twentieth of the time at most. */
const rest = 20;
/** Changes in a row that have to come alone: among concurrent logins some come alone now and then. */
const rowOfSingles = 4;

export class InlineCommit {
  #restsUntil = Number.NEGATIVE_INFINITY;
  #average = 0;
  #singles = 0;

  /** @param changes changes that wait for the commit @param now monotonic milliseconds */
  isAllowed(changes: number, now: number): boolean {
    if (changes > 1) {
      this.#singles = 0;
      return false;
    }
    if (this.#singles < rowOfSingles) {
      this.#singles += 1;
      return false;
    }
    return now >= this.#restsUntil;
  }

  /** Records how long an inline commit took. */
  record(from: number, until: number): void {
    const milliseconds = until - from;
    this.#average += weight * (milliseconds - this.#average);
    if (this.#average <= quick) return;
    this.#restsUntil = until + rest * milliseconds;
    // The next commit alone decides about the one after it.
    this.#average = quick;
  }
}
