/** What a client is made with, checked before anything is sent. */
import type { Fetch } from './fetch.ts';

export interface ManagerOptions {
  /** The whole address: `https://directory.example.com/manag/`. */
  readonly url: string | URL;
  /** A login name (mode UID) or a full DN (mode DN). */
  readonly username: string;
  readonly password: string;
  /** Sent with every request beside the client's own. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Milliseconds for a whole exchange. Default: 30,000. */
  readonly timeout?: number | undefined;
  /** Ends every call of this client. */
  readonly signal?: AbortSignal | undefined;
  /** Bytes of an answer, unpacked; more is refused. Default: 64 MiB. */
  readonly maxAnswer?: number | undefined;
  /**
   * Allows http:// to other machines than this one. Whoever is on the way then reads the password.
   * Default: false.
   */
  readonly allowPlain?: boolean | undefined;
  /** Default: the global `fetch`. For client certificates and private CAs see `@watchword/client/node`. */
  readonly fetch?: Fetch | undefined;
}

/** The options of one call; what is left out is the client's. */
export interface CallOptions {
  /** Ends this call; the signal of the client goes on to count. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds. */
  readonly timeout?: number | undefined;
}

/** The options with their defaults, ready for use. */
export interface Settings {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeout: number;
  readonly signal: AbortSignal | undefined;
  readonly maxAnswer: number;
  readonly fetch: Fetch;
}

/** @throws TypeError in words that hold neither the password nor the address */
export function readOptions(options: ManagerOptions): Settings {
  const { timeout = 30_000, maxAnswer = 64 * 1024 * 1024, signal, fetch = globalThis.fetch } = options;
  return {
    url: readUrl(options).href,
    headers: {
      ...readHeaders(options.headers ?? {}),
      accept: 'application/json',
      'content-type': 'application/json',
      authorization: basic(options.username, options.password),
    },
    timeout,
    signal,
    maxAnswer,
    fetch,
  };
}

function readUrl({ url: given, allowPlain = false }: ManagerOptions): URL {
  const url = parseUrl(given);
  if (url.username !== '' || url.password !== '') {
    throw new TypeError('url: credentials go into username and password, an address ends up in logs');
  }
  if (url.protocol === 'https:') return url;
  if (url.protocol !== 'http:') throw new TypeError('url: neither https:// nor http://');
  if (!allowPlain && !isLoopback(url.hostname)) {
    throw new TypeError('url: http:// would send the password in clear; use https:// or set allowPlain');
  }
  return url;
}

function parseUrl(given: string | URL): URL {
  try {
    return new URL(given);
  } catch {
    // The URL class quotes its input, which may hold a password.
    throw new TypeError('url: not a whole address such as https://directory.example.com/manag/');
  }
}

/** The URL class has made one spelling of every IPv4 address: 127.1 is 127.0.0.1 here. */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}

/** RFC 7617 with `charset="UTF-8"`. */
function basic(username: string, password: string): string {
  if (username.includes(':')) throw new TypeError('username: HTTP Basic cannot send a colon (RFC 7617 §2)');
  const bytes = new TextEncoder().encode(`${username}:${password}`);
  return `Basic ${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}`;
}

/** In lower case, so that no header of the caller's can stand beside the client's own of the same name. */
function readHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  try {
    return Object.fromEntries(new Headers(headers));
  } catch {
    // What is thrown quotes the value, which may be a secret.
    throw new TypeError('headers: a name or a value that HTTP does not allow');
  }
}
