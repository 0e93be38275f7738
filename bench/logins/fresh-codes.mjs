/** Logins that can succeed: each has another user and a code that was not used before. */
import { codeOf, nameOf, passwordOf, period } from './users.mjs';

export class FreshCodes {
  /** By user: the step of the last code. */
  #steps;
  #turn = 0;
  #isOnce;
  #every;

  /**
   * @param options.isOnce false where a server remembers no code, which then may come again
   * @param options.asMany of the users, evenly spread, where not all log in
   */
  constructor(users, { isOnce = true, asMany = users } = {}) {
    this.#steps = new Float64Array(Math.min(users, asMany));
    this.#isOnce = isOnce;
    this.#every = Math.floor(users / this.#steps.length);
  }

  /**
   * The user whose turn it is, with the code of the step now or, where that is used, of the next: tokens that are
   * one step ahead or behind log in, and their drift is not written.
   * @param from `home`: the address that the user always comes from, which is known after the first login;
   *   `elsewhere`: one where nobody has been yet
   * @returns {username, password, code, source}
   */
  next(from = 'elsewhere') {
    const at = this.#turn % this.#steps.length;
    const user = at * this.#every;
    const now = Math.floor(Date.now() / 1000 / period);
    const step = this.#isOnce ? Math.max(now, this.#steps[at] + 1) : now;
    if (step > now + 1) throw new Error('more logins than codes: the benchmark needs more users');
    this.#steps[at] = step;
    const source = from === 'home' ? addressIn(11, user) : addressIn(10, this.#turn);
    this.#turn += 1;
    return { username: nameOf(user), password: passwordOf(user), code: codeOf(user, step), source };
  }

  /** Logins so far. */
  get count() {
    return this.#turn;
  }
}

/** As VPN servers tell them. Logins from one address would be judged a few at a time only (docs/concepts/limits.md). */
const addressIn = (network, host) => `${network}.${(host >> 16) & 255}.${(host >> 8) & 255}.${host & 255}`;
