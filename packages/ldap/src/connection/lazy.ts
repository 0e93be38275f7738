import type { MaybePromise } from '@watchword/core/foundation';

/** A value that is fetched on first use, once for all concurrent callers. A failure is not kept. */
export class Lazy<T> {
  readonly #fetch: () => Promise<T>;
  #pending: Promise<T> | undefined;
  #known: { readonly value: T } | undefined;

  constructor(fetch: () => Promise<T>) {
    this.#fetch = fetch;
  }

  get(): MaybePromise<T> {
    return this.#known ? this.#known.value : this.promise();
  }

  /** Returns the same promise until {@link forget}. */
  promise(): Promise<T> {
    this.#pending ??= this.#begin();
    return this.#pending;
  }

  /** Undefined: not fetched. */
  get known(): T | undefined {
    return this.#known?.value;
  }

  #begin(): Promise<T> {
    const pending = this.#fetch();
    pending.then(
      (value) => {
        if (this.#pending === pending) this.#known = { value };
      },
      () => {
        if (this.#pending === pending) this.#pending = undefined;
      },
    );
    return pending;
  }

  forget(): void {
    this.#pending = undefined;
    this.#known = undefined;
  }
}
