/** Options of clients, validated before anything is sent. */
import type { WebCalls } from '@watchword/core';
import { toBase64 } from './wire/base64.ts';
import type { Fetch } from './wire/fetch.ts';

/** Options of every client. */
export interface ClientOptions {
  /**
   * The address: of the Manager the whole, `https://directory.example.com/manag/`; of the web services the part before the service,
   * `https://login.example.com:8443/`.
   */
  readonly url: string | URL;
  /** Sent with every request beside the client's own. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Milliseconds for a whole exchange. Default: 30,000. */
  readonly timeout?: number | undefined;
  /** Ends every call of this client. */
  readonly signal?: AbortSignal | undefined;
  /** Bytes of an answer, unpacked; more is refused. Default: 64 MiB. */
  readonly maxAnswer?: number | undefined;
  /** Permits http:// to other machines than this one. Anyone on the way can read the passwords then. Default: false. */
  readonly allowPlain?: boolean | undefined;
  /** Default: the global `fetch`. For client certificates and private CAs see `@watchword/client/node`. */
  readonly fetch?: Fetch | undefined;
}

/** Both, or neither where something else says who asks: the session cookie of a browser, a client certificate. */
export interface ManagerOptions extends ClientOptions {
  /** A login name (mode UID) or a full DN (mode DN). */
  readonly username?: string | undefined;
  readonly password?: string | undefined;
}

export interface WebServicesOptions extends ClientOptions {
  /** Shows who calls, where a service demands it: an id, an underscore, 40 hex digits. */
  readonly apiKey?: string | undefined;
  /** The installation's names of the services: `{ otp: 'exampleotp' }`. Our servers understand our own names too. */
  readonly names?: { readonly [Service in keyof WebCalls]?: string } | undefined;
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
export function readManagerOptions({ username, password, ...options }: ManagerOptions): Settings {
  if (username === undefined && password === undefined) return readOptions(options, {});
  if (username === undefined || password === undefined)
    throw new TypeError('username, password: one without the other');
  return readOptions(options, { authorization: basic(username, password) });
}

/** @throws TypeError in words that hold neither the key nor the address */
export function readWebServicesOptions({ apiKey, ...options }: WebServicesOptions): Settings {
  const settings = readOptions(options, apiKey === undefined ? {} : { 'x-api-key': checkKey(apiKey) });
  const { origin, pathname } = new URL(settings.url);
  return { ...settings, url: `${origin}${pathname.replace(/\/*$/, '/')}` };
}

function readOptions(options: ClientOptions, credentials: Readonly<Record<string, string>>): Settings {
  const { timeout = 30_000, maxAnswer = 64 * 1024 * 1024, signal, fetch = globalThis.fetch } = options;
  return {
    url: readUrl(options).href,
    headers: {
      ...readHeaders(options.headers ?? {}),
      accept: 'application/json',
      'content-type': 'application/json',
      ...credentials,
    },
    timeout,
    signal,
    maxAnswer,
    fetch,
  };
}

function readUrl({ url: given, allowPlain = false }: ClientOptions): URL {
  const url = parseUrl(given);
  if (url.username !== '' || url.password !== '') {
    throw new TypeError('url: credentials have options of their own, an address ends up in logs');
  }
  if (url.protocol === 'https:') return url;
  if (url.protocol !== 'http:') throw new TypeError('url: neither https:// nor http://');
  if (!allowPlain && !isLoopback(url.hostname)) {
    throw new TypeError('url: http:// would send passwords in clear; use https:// or set allowPlain');
  }
  return url;
}

function parseUrl(given: string | URL): URL {
  try {
    return new URL(given);
  } catch {
    // The URL class quotes its input, which may hold a password.
    throw new TypeError('url: not a whole address such as https://directory.example.com/');
  }
}

/** The URL class has made one spelling of every IPv4 address: 127.1 is 127.0.0.1 here. */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}

/** RFC 7617 with `charset="UTF-8"`. */
function basic(username: string, password: string): string {
  if (username.includes(':')) throw new TypeError('username: HTTP Basic cannot send a colon (RFC 7617 §2)');
  return `Basic ${toBase64(new TextEncoder().encode(`${username}:${password}`))}`;
}

/** Checks the form of an API key. @throws TypeError */
function checkKey(apiKey: string): string {
  if (/^\d+_[0-9a-f]{40}$/i.test(apiKey)) return apiKey;
  throw new TypeError('apiKey: not an id, an underscore and 40 hex digits');
}

/** Reads headers in lower case, so that no header of the caller's duplicates one of the client's own. */
function readHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  try {
    return Object.fromEntries(new Headers(headers));
  } catch {
    // What is thrown quotes the value, which may be a secret.
    throw new TypeError('headers: a name or a value that HTTP does not allow');
  }
}
