/**
 * When this thread may wait for the disk itself. A commit in a thread of its own takes four hand-overs between threads, which a login
 * that is alone waits for longer than for a quick disk. Where several come at a time others would wait with it, so they go
 * to that thread; and so they do while the disk is slow.
 */

/** Milliseconds: where commits take no longer by and large, nobody is held up. */
const quick = 2;
/** Of the last one in what they take by and large: one that is slow among quick ones says little. */
const weight = 1 / 8;
/** After a slow one nobody waits here for so many times as long: so a twentieth of the time is spent at most. */
const rest = 20;
/** So many that came alone, one after the other: where several log in at a time, some of them are alone now and then. */
const rowOfSingles = 4;

export class QuickDisk {
  #restsUntil = Number.NEGATIVE_INFINITY;
  #usual = 0;
  #singles = 0;

  /**
   * @param together how many changes wait for the commit @param now milliseconds that only rise
   * @returns whether it may be made in this thread
   */
  isFor(together: number, now: number): boolean {
    if (together > 1) {
      this.#singles = 0;
      return false;
    }
    if (this.#singles < rowOfSingles) {
      this.#singles += 1;
      return false;
    }
    return now >= this.#restsUntil;
  }

  /** It was made in this thread. */
  took(from: number, until: number): void {
    const milliseconds = until - from;
    this.#usual += weight * (milliseconds - this.#usual);
    if (this.#usual <= quick) return;
    this.#restsUntil = until + rest * milliseconds;
    // The next one tells by itself whether it goes on.
    this.#usual = quick;
  }
}
