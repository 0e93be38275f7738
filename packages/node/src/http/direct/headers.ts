/** The headers of a request as node:http has them, looked up as the platform's `Headers` would. */
import type { IncomingMessage } from 'node:http';

export class IncomingHeaders {
  readonly #raw: readonly string[];

  constructor({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>) {
    this.#raw = rawHeaders;
  }

  /** What comes more than once is one value (Fetch standard, "combine"): node:http would drop some, and nobody would see. */
  get(name: string): string | null {
    const wanted = name.toLowerCase();
    let value: string | null = null;
    for (let at = 0; at < this.#raw.length; at += 2) {
      const other = this.#raw[at];
      if (other?.length !== wanted.length || other.toLowerCase() !== wanted) continue;
      const more = this.#raw[at + 1] ?? '';
      value = value === null ? more : `${value}${wanted === 'cookie' ? '; ' : ', '}${more}`;
    }
    return value;
  }
}
