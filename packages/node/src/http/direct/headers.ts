/** The raw headers of node:http, with the look-up of the platform's `Headers`. */
import type { IncomingMessage } from 'node:http';

export class IncomingHeaders {
  readonly #raw: readonly string[];

  constructor({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>) {
    this.#raw = rawHeaders;
  }

  /** Returns a header; repeated ones are combined (Fetch standard, "combine"), of which node:http would drop some. */
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
