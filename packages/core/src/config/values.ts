/** Checks of texts in the configuration that need more than a regular expression: DNs, addresses, hosts and URLs. */
import { Dn } from '../foundation/text/dn.ts';
import { Network } from '../foundation/text/network.ts';

/** Returns whether a text is a DN other than the root. */
export function isFullDn(text: string): boolean {
  return Dn.tryParse(text)?.isRoot === false;
}

/** A host name (RFC 1123 §2.1). The last label has a letter, so that the mistyped address `10.0.0.999` is not taken for a name. */
const hostName =
  /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*(?!\d+$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;

/** Returns whether a text is a host name, an IP address, or a network as `address/bits`, as lists of clients have them. */
export function isHostOrNetwork(text: string): boolean {
  return isNetwork(text) || hostName.test(text);
}

/** Returns whether a text is a host name that a public authority certifies: no address, no wildcard, and not of one label. */
export const isCertifiableName = (text: string): boolean =>
  hostName.test(text) && text.includes('.') && !isNetwork(text);

/** Returns whether a text is an `https://` URL without user, password and fragment. */
export function isHttpsUrl(text: string): boolean {
  return /^https:\/\/[^\s/?#@\\]+(?:\/[^\s#\\]*)?$/i.test(text) && URL.canParse(text);
}

/** Returns whether a text is an IP address, or a network as `address/bits`. */
export function isNetwork(text: string): boolean {
  return Network.parse(text) !== undefined;
}

/** Returns whether a text can be the key of a client policy: a network, or any name of 1 to 128 characters that is not a malformed network. */
export function isClientName(text: string): boolean {
  const looksLikeNetwork = /^[\d.]+(?:\/\d*)?$|^[\da-f:.]*:[\da-f:.]*(?:\/\d*)?$/i.test(text);
  return /^[^\p{C}\s](?:[^\p{C}]{0,126}[^\p{C}\s])?$/u.test(text) && (!looksLikeNetwork || isNetwork(text));
}

/** Returns whether a text is `ldap://` or `ldaps://` with a host and an optional port only. */
export function isDirectoryUrl(text: string): boolean {
  return /^ldaps?:\/\/[^\s/?#@]+\/?$/i.test(text) && URL.canParse(text);
}

/** Returns whether a text is `https://` with a host and an optional port only. */
export function isWebAddress(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === 'https:' && url.href === `${url.origin}/` && !url.hostname.includes('*');
}

const loopbacks = ['127.0.0.1', '[::1]', 'localhost'];

/**
 * Checks a redirect URI of an OpenID client (RFC 6749 §3.1.2, RFC 8252 §7.3).
 * @returns the fault, as the rest of a sentence, and the cure; undefined if it is valid
 */
export function wrongRedirectUri(text: string): { message: string; cure: string } | undefined {
  const example = 'write for example "https://wiki.example.com/callback"';
  if (text.length > 2048) return { message: 'is longer than 2,048 characters', cure: 'write a shorter one' };
  if (!/^https?:\/\/[\x21-\uffff]+$/i.test(text) || text.includes('\\') || !URL.canParse(text))
    return { message: 'is neither an https URL nor an http URL on loopback', cure: example };
  const { protocol, hostname, username, password } = new URL(text);
  if (text.includes('#'))
    return {
      message: 'has a fragment, which browsers do not send',
      cure: 'remove the # and the text after it',
    };
  if (username !== '' || password !== '')
    return { message: 'has a user name or password', cure: 'remove them' };
  if (hostname.includes('*'))
    return { message: 'has a * in its host, but URIs are compared literally', cure: 'list each address' };
  if (protocol === 'http:' && !loopbacks.includes(hostname))
    return {
      message: 'is http, which others on the network can read',
      cure: 'write https, or http://127.0.0.1 for a program on the machine of the user',
    };
  return undefined;
}

/** Parses `host`, `host:port` or `[IPv6]:port`; undefined if it is malformed. */
export function parseHost(text: string, defaultPort: number): { host: string; port: number } | undefined {
  const [, bracketed, plain, port = String(defaultPort)] =
    /^(?:\[([0-9a-f:.]+)\]|([^:/\s[\]]+|[0-9a-f:.]*:[0-9a-f:.]*:[0-9a-f:.]*))(?::(\d{1,5}))?$/i.exec(text) ??
    [];
  const host = bracketed ?? plain;
  if (host === undefined || Number(port) > 65_535 || !isHostOrNetwork(host)) return undefined;
  return { host, port: Number(port) };
}

/** Returns whether a text is the address of a database server, as {@link parseHost} reads it. */
export const isHostAndPort = (text: string): boolean => parseHost(text, 0) !== undefined;
