/** The URL of a request, from its target and Host header. */
import { isIPv6 } from 'node:net';
import { domainToUnicode } from 'node:url';
import { TextCache } from '@watchword/core/foundation';

/** Parses request URLs, and caches those of the last valid Host header, as most requests have the same. */
export class RequestUrls {
  #lastHost = '';
  #scheme: 'http' | 'https' = 'https';
  /** URLs by target, for {@link #lastHost} and {@link #scheme}. They are never changed. */
  #cache = new TextCache<URL>(mostCached);

  /**
   * @param host the Host header @param target the target of the request line
   * @returns undefined if they form no valid URL
   */
  read(scheme: 'http' | 'https', host: string | undefined, target: string): URL | undefined {
    const known = host === this.#lastHost && scheme === this.#scheme ? this.#cache.get(target) : undefined;
    if (known) return known;
    if (isAbsolute(target)) return hasBackslash(target) ? undefined : parseUrl(target);
    if (!host || !target.startsWith('/') || hasBackslash(target)) return undefined;
    const text = `${scheme}://${host}${target}`;
    const url = host === this.#lastHost ? new URL(text) : parseUrl(text);
    if (!url || (host !== this.#lastHost && !isHostOf(url, host))) return undefined;
    if (host !== this.#lastHost || scheme !== this.#scheme) this.#cache = new TextCache(mostCached);
    this.#lastHost = host;
    this.#scheme = scheme;
    return target.includes('?') ? url : this.#cache.keep(target, withCachedParts(url));
  }
}

const mostCached = 64;

/** Caches the parts that handlers read: a URL computes them on each access. */
const withCachedParts = (url: URL): URL =>
  Object.defineProperties(url, { pathname: { value: url.pathname }, search: { value: url.search } });

const isAbsolute = (target: string): boolean => /^https?:\/\//.test(target);

/** Returns whether the path has a backslash, which URLs treat as a slash. */
const hasBackslash = (target: string): boolean => /^[^?]*\\/.test(target);

/** Parses a URL; undefined if it is invalid. Hosts such as `xn--` need a check of their labels. */
export function parseUrl(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  return !url.hostname.includes('xn--') || url.hostname.split('.').every(isLabel) ? url : undefined;
}

/** Returns whether `xn--` is followed by Punycode (RFC 5890 §2.3.2.1): Node 20 refuses other labels, Node 24 does not. */
const isLabel = (label: string): boolean => !label.startsWith('xn--') || domainToUnicode(label) !== label;

/** Returns whether the header has only a host and a port; an IPv6 address may have any form (RFC 4291 §2.2). */
function isHostOf({ hostname }: URL, host: string): boolean {
  const name = host.replace(/:\d*$/, '').toLowerCase();
  return hostname === name || (name.startsWith('[') && name.endsWith(']') && isIPv6(name.slice(1, -1)));
}
