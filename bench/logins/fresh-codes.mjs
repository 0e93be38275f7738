/** Logins that can succeed: each has another user and a code that was not used before. */
import { codeOf, nameOf, passwordOf, period } from './users.mjs';

export class FreshCodes {
  /** By user: the step of the last code. */
  #steps;
  #turn = 0;

  constructor(users) {
    this.#steps = new Float64Array(users);
  }

  /**
   * The user whose turn it is, with the code of the step now or, where that is used, of the next: tokens that are
   * one step ahead or behind log in, and their drift is not written.
   * @returns {username, password, code, source}, the address that the user comes from another one each time
   */
  next() {
    const user = this.#turn % this.#steps.length;
    const now = Math.floor(Date.now() / 1000 / period);
    const step = Math.max(now, this.#steps[user] + 1);
    if (step > now + 1) throw new Error('more logins than codes: the benchmark needs more users');
    this.#steps[user] = step;
    const source = addressOf(this.#turn++);
    return { username: nameOf(user), password: passwordOf(user), code: codeOf(user, step), source };
  }
}

/** As VPN servers tell them. Logins from one address would be judged a few at a time only (concepts.md §7). */
const addressOf = (turn) => `10.${(turn >> 16) & 255}.${(turn >> 8) & 255}.${turn & 255}`;
