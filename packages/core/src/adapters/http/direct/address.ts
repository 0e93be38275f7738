/** Where a request goes to, as a URL: its target, and the Host header. */
import { domainToUnicode } from 'node:url';

/** Remembers the last Host header that was good: nearly all requests bring the same. */
export class Addresses {
  #good = '';

  /**
   * @param host of the Host header @param target as it stands in the request line
   * @returns undefined where the two make no address
   */
  read(scheme: 'http' | 'https', host: string | undefined, target: string): URL | undefined {
    if (isAbsolute(target)) return hasBackslash(target) ? undefined : addressOf(target);
    if (!host || !target.startsWith('/') || hasBackslash(target)) return undefined;
    const text = `${scheme}://${host}${target}`;
    if (host === this.#good) return new URL(text);
    const url = addressOf(text);
    if (!url || !isHostOf(url, host)) return undefined;
    this.#good = host;
    return url;
  }
}

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

/** Nothing else than a host and a port stood in the header. */
const isHostOf = ({ hostname }: URL, host: string): boolean =>
  hostname === host.replace(/:\d*$/, '').toLowerCase();
