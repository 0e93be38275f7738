/** The maximum of requests that wait for an answer of a phone at a time, for each service. */
const most = 500;

export class PhoneWaits {
  #count = 0;

  /** @returns false where too many wait; else {@link end} has to be called */
  begin(): boolean {
    if (this.#count >= most) return false;
    this.#count += 1;
    return true;
  }

  end(): void {
    this.#count -= 1;
  }
}
