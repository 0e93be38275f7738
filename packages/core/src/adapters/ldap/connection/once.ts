/** A value that is found out when it is first wanted, by one attempt for all who wait; a failure is not kept. */
export class Once<T> {
  readonly #find: () => Promise<T>;
  #found: Promise<T> | undefined;

  constructor(find: () => Promise<T>) {
    this.#find = find;
  }

  get(): Promise<T> {
    if (this.#found) return this.#found;
    const found = this.#find();
    this.#found = found;
    found.catch(() => {
      if (this.#found === found) this.#found = undefined;
    });
    return found;
  }

  forget(): void {
    this.#found = undefined;
  }
}
