/**
 * Failed attempts are counted by subject (an address, a user), and too many of them block it for a while
 * (concepts.md §7). Parallel requests cannot outrun the count: as many attempts are judged at the same time
 * as failures are left, and the others wait until it is known how those ended. What counts is in the store,
 * so it holds over all nodes.
 *
 * To see the guard at work, let `#admit` return at once: the test "parallel attempts" fails.
 */
import { ServiceError } from './errors.ts';
import type { Clock } from './ports/clock.ts';
import type { Store } from './ports/store.ts';

/** Somebody whose failures are counted. */
export interface Subject {
  /** `address:192.0.2.1`, `user:uid=…`; any text. */
  readonly key: string;
  /** This many failures within `windowSeconds` … */
  readonly failures: number;
  readonly windowSeconds: number;
  /** … refuse every attempt for this long. */
  readonly blockSeconds: number;
}

/** Longer than any attempt lasts; what a crashed node had under way is forgotten after it. */
const pendingSeconds = 3600;

const pollMilliseconds = 5;
const patienceMilliseconds = 30_000;

export class Throttle {
  readonly #store: Store;
  readonly #clock: Clock;

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /**
   * Judges an attempt on behalf of all its subjects.
   * @param judge undefined stands for a failure
   * @throws ServiceError `too_many_attempts` if a subject is blocked; whatever `judge` throws counts neither way
   */
  async attempt<T>(
    subjects: readonly Subject[],
    judge: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const [subject, ...rest] = subjects;
    if (!subject) return judge();
    await this.#admit(subject);
    try {
      const verdict = await this.attempt(rest, judge);
      if (verdict === undefined) await this.#fail(subject);
      return verdict;
    } finally {
      await this.#count(subject, 'pending', { by: -1, seconds: pendingSeconds });
    }
  }

  /** Waits until the attempt may be judged: those under way and those that failed are fewer than the limit. */
  async #admit(subject: Subject): Promise<void> {
    const deadline = this.#clock.now() + patienceMilliseconds;
    for (;;) {
      const pending = await this.#count(subject, 'pending', { by: 1, seconds: pendingSeconds });
      try {
        // First the failures, then the block: whoever resets the failures has set the block before.
        const failed = await this.#count(subject, 'failed', { by: 0, seconds: subject.windowSeconds });
        await this.#refuseBlocked(subject);
        if (pending + failed <= subject.failures) return;
        if (this.#clock.now() > deadline) throw tooMany(subject.blockSeconds);
      } catch (error) {
        await this.#count(subject, 'pending', { by: -1, seconds: pendingSeconds });
        throw error;
      }
      await this.#count(subject, 'pending', { by: -1, seconds: pendingSeconds });
      await this.#clock.sleep(pollMilliseconds);
    }
  }

  async #fail(subject: Subject): Promise<void> {
    const failed = await this.#count(subject, 'failed', { by: 1, seconds: subject.windowSeconds });
    if (failed < subject.failures) return;
    await this.#store.put(`blocked:${subject.key}`, Buffer.from('1'), subject.blockSeconds);
    await this.#count(subject, 'failed', { by: -subject.failures, seconds: subject.windowSeconds });
  }

  async #refuseBlocked({ key, blockSeconds }: Subject): Promise<void> {
    if (await this.#store.get(`blocked:${key}`)) throw tooMany(blockSeconds);
  }

  async #count(
    { key }: Subject,
    family: 'pending' | 'failed',
    step: { by: number; seconds: number },
  ): Promise<number> {
    return (await this.#store.count(`${family}:${key}`, step)) ?? 0;
  }
}

function tooMany(seconds: number): ServiceError {
  return new ServiceError('too_many_attempts', {
    detail: `try again in ${seconds} seconds`,
    retryAfter: seconds,
  });
}
