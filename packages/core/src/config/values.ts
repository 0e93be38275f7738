/** Checks of values that a regular expression cannot make. */
import { Dn } from '../foundation/text/dn.ts';
import { Network } from '../foundation/text/network.ts';

/** Returns whether a text is a DN other than the root. */
export function isFullDn(text: string): boolean {
  return Dn.tryParse(text)?.isRoot === false;
}

/** A host name (RFC 1123 §2.1). The last label has a letter, so `10.0.0.999` is a mistyped address and no name. */
const hostName =
  /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*(?!\d+$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;

/** Returns whether a text identifies clients: a host name, an address, or a network as `address/bits`. */
export function isClient(text: string): boolean {
  return isNetwork(text) || hostName.test(text);
}

/** Returns whether a text is an address, or a network as `address/bits`. */
export function isNetwork(text: string): boolean {
  return Network.parse(text) !== undefined;
}

/** Returns whether a text can name a client; a malformed address or network cannot. */
export function isClientName(text: string): boolean {
  const looksLikeOne = /^[\d.]+(?:\/\d*)?$|^[\da-f:.]*:[\da-f:.]*(?:\/\d*)?$/i.test(text);
  return /^[^\p{C}\s](?:[^\p{C}]{0,126}[^\p{C}\s])?$/u.test(text) && (!looksLikeOne || isNetwork(text));
}

/** Returns whether a text is `ldap://` or `ldaps://` with a host and an optional port only. */
export function isDirectoryUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return (
    url !== undefined &&
    /^ldaps?:$/.test(url.protocol) &&
    url.host !== '' &&
    /^\/?$/.test(url.pathname + url.search)
  );
}

/** Returns whether a text is `https://` with a host and an optional port only. */
export function isWebAddress(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === 'https:' && url.href === `${url.origin}/` && !url.hostname.includes('*');
}

const loopbacks = ['127.0.0.1', '[::1]', 'localhost'];

/**
 * Checks a redirect URI (RFC 6749 §3.1.2, RFC 8252 §7.3).
 * @returns what is wrong, as the rest of a sentence, and the cure; undefined if it is valid
 */
export function wrongRedirectUri(text: string): { message: string; cure: string } | undefined {
  const example = 'write for example "https://wiki.example.com/callback"';
  if (text.length > 2048) return { message: 'is longer than 2,048 characters', cure: 'write a shorter one' };
  if (!/^https?:\/\/[\x21-\uffff]+$/i.test(text) || text.includes('\\') || !URL.canParse(text))
    return { message: 'is no address of https, or of http on loopback', cure: example };
  const { protocol, hostname, username, password } = new URL(text);
  if (text.includes('#'))
    return { message: 'has a fragment, which no server is sent', cure: 'leave out the # and what follows' };
  if (username !== '' || password !== '')
    return { message: 'has a user name or password', cure: 'leave them out' };
  if (hostname.includes('*'))
    return { message: 'has a * in its host, and is compared to the letter', cure: 'list each address' };
  if (protocol === 'http:' && !loopbacks.includes(hostname))
    return {
      message: 'is http, which others on the way can read',
      cure: 'write https, or http://127.0.0.1 for a program on the machine of its user',
    };
  return undefined;
}

/** Parses `host`, `host:port` or `[IPv6]:port`. @param usual default port */
export function parseHost(text: string, usual: number): { host: string; port: number } | undefined {
  const [, bracketed, plain, port = String(usual)] =
    /^(?:\[([0-9a-f:.]+)\]|([^:/\s[\]]+|[0-9a-f:.]*:[0-9a-f:.]*:[0-9a-f:.]*))(?::(\d{1,5}))?$/i.exec(text) ??
    [];
  const host = bracketed ?? plain;
  if (host === undefined || Number(port) > 65_535 || !isClient(host)) return undefined;
  return { host, port: Number(port) };
}

/** Returns whether a text is the address of a database server. */
export const isHostAndPort = (text: string): boolean => parseHost(text, 0) !== undefined;
