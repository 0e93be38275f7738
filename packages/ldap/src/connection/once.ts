import type { Soon } from '@watchword/core/foundation';

/** A value that is found out when it is first wanted, by one attempt for all who wait; a failure is not kept. */
export class Once<T> {
  readonly #find: () => Promise<T>;
  #finding: Promise<T> | undefined;
  #found: { readonly value: T } | undefined;

  constructor(find: () => Promise<T>) {
    this.#find = find;
  }

  get(): Soon<T> {
    return this.#found ? this.#found.value : this.promise();
  }

  /** Returns the same promise until the value is forgotten. */
  promise(): Promise<T> {
    this.#finding ??= this.#begin();
    return this.#finding;
  }

  /** Undefined: nobody has found it out yet. */
  get known(): T | undefined {
    return this.#found?.value;
  }

  #begin(): Promise<T> {
    const finding = this.#find();
    finding.then(
      (value) => {
        if (this.#finding === finding) this.#found = { value };
      },
      () => {
        if (this.#finding === finding) this.#finding = undefined;
      },
    );
    return finding;
  }

  forget(): void {
    this.#finding = undefined;
    this.#found = undefined;
  }
}
