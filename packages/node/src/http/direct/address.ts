/** Where a request goes to, as a URL: its target, and the Host header. */
import { isIPv6 } from 'node:net';
import { domainToUnicode } from 'node:url';
import { TextCache } from '@watchword/core/foundation';

/** Remembers the last Host header that was good, and where its requests went lately: nearly all bring the same. */
export class Addresses {
  #good = '';
  #scheme: 'http' | 'https' = 'https';
  /** By target, at {@link #good} by {@link #scheme}. Nobody changes them. */
  #cache = new TextCache<URL>(cacheSize);

  /**
   * @param host of the Host header @param target as it stands in the request line
   * @returns undefined where the two make no address
   */
  read(scheme: 'http' | 'https', host: string | undefined, target: string): URL | undefined {
    const known = host === this.#good && scheme === this.#scheme ? this.#cache.get(target) : undefined;
    if (known) return known;
    if (isAbsolute(target)) return hasBackslash(target) ? undefined : addressOf(target);
    if (!host || !target.startsWith('/') || hasBackslash(target)) return undefined;
    const text = `${scheme}://${host}${target}`;
    const url = host === this.#good ? new URL(text) : addressOf(text);
    if (!url || (host !== this.#good && !isHostOf(url, host))) return undefined;
    if (host !== this.#good || scheme !== this.#scheme) this.#cache = new TextCache(cacheSize);
    this.#good = host;
    this.#scheme = scheme;
    return target.includes('?') ? url : this.#cache.keep(target, cutUp(url));
  }
}

const cacheSize = 64;

/** A URL cuts these out anew whenever they are read, and everybody on the way of a request reads them. */
const cutUp = (url: URL): URL =>
  Object.defineProperties(url, { pathname: { value: url.pathname }, search: { value: url.search } });

const isAbsolute = (target: string): boolean => /^https?:\/\//.test(target);

/** URLs take it for a slash, in a path. */
const hasBackslash = (target: string): boolean => /^[^?]*\\/.test(target);

/** Undefined where it is none. Host headers such as `xn--` pass a check that looks at their letters only. */
export function addressOf(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  return !url.hostname.includes('xn--') || url.hostname.split('.').every(isLabel) ? url : undefined;
}

/** Node 20 refuses `xn--` in front of no Punycode (RFC 5890 §2.3.2.1), Node 24 leaves it as it is. */
const isLabel = (label: string): boolean => !label.startsWith('xn--') || domainToUnicode(label) !== label;

/** Returns whether the header has a host and a port alone; an IPv6 address may be written in any way (RFC 4291 §2.2). */
function isHostOf({ hostname }: URL, host: string): boolean {
  const name = host.replace(/:\d*$/, '').toLowerCase();
  return hostname === name || (name.startsWith('[') && name.endsWith(']') && isIPv6(name.slice(1, -1)));
}
