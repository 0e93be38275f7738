/**
 * The administrator session of the client (docs/concepts/callers-and-sources.md#administrator-session): sent back, it spares the server a
 * login. Only where the script sees `Set-Cookie`, as in Node; a browser keeps its cookies to itself and sends them alone.
 */
const sessionCookie = 'SVCMANAG';

/** RFC 6265 §4.1.1: what may stand in a cookie's value, and so go into a header unharmed. */
const pattern = new RegExp(
  `^\\s*${sessionCookie}=([\\x21\\x23-\\x2b\\x2d-\\x3a\\x3c-\\x5b\\x5d-\\x7e]*)\\s*(?:;|$)`,
);

export class SessionCookie {
  #value = '';

  /** The header to send, if there is a session. */
  header(): Record<string, string> {
    return this.#value === '' ? {} : { cookie: `${sessionCookie}=${this.#value}` };
  }

  /** Takes over the session of an answer; the last one given counts, an empty one ends it. */
  keep(setCookies: readonly string[]): void {
    for (const line of setCookies) this.#value = pattern.exec(line)?.[1] ?? this.#value;
  }
}
