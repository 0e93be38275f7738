/** IP addresses and networks, in the notation of RFC 4632 and RFC 4291: who a caller is, and where. */
import { BlockList, isIP } from 'node:net';

/** An address, or a network in CIDR notation. */
export class Network {
  /** Leading bits that are the network's; those of an address are all. */
  readonly bits: number;
  readonly #address: string;
  /** Whether a plain address is in it. */
  readonly #has: (address: string) => boolean;

  private constructor(address: string, bits: number) {
    this.bits = bits;
    this.#address = address;
    this.#has = isIP(address) === 4 ? membersOfIpv4(address, bits) : membersOfIpv6(address, bits);
  }

  /** `192.0.2.1` or `2001:db8::/32`; undefined if it is neither. */
  static parse(text: string): Network | undefined {
    const [address = '', bits, ...rest] = text.split('/');
    if (isIP(address) === 0 || address.includes('%') || rest.length > 0) return undefined;
    const most = familyOf(address) === 'ipv4' ? 32 : 128;
    if (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= most)) return undefined;
    const length = bits === undefined ? most : Number(bits);
    const plain = unmapped(address);
    return plain === address || length < mappedBits
      ? new Network(address, length)
      : new Network(plain, length - mappedBits);
  }

  /** Those of a configuration, which has been checked: what is none is left out. */
  static parseAll(texts: readonly string[]): readonly Network[] {
    return texts.map((text) => Network.parse(text)).filter((network) => network !== undefined);
  }

  /**
   * False for what is no address, such as that of a connection that is gone already; and for an IPv4 address in an IPv6
   * network, which `BlockList` has in all that `::ffff:0:0/96` is in: who writes `::/0` means IPv6.
   */
  contains(address: string): boolean {
    return this.#has(unmapped(address));
  }

  /** However the two are written. */
  equals(other: Network): boolean {
    return this.bits === other.bits && this.contains(other.#address);
  }
}

/** Compared as a number: `BlockList` makes an object of each address that it is asked about. */
function membersOfIpv4(network: string, bits: number): (address: string) => boolean {
  // There is one way to write it.
  if (bits === 32) return (address) => address === network;
  const mask = bits === 0 ? 0 : -1 << (32 - bits);
  const wanted = ipv4Number(network) & mask;
  return (address) => isIP(address) === 4 && (ipv4Number(address) & mask) === wanted;
}

/** Digit by digit: each request asks, of its caller and of where its user is. @param address that {@link isIP} takes for IPv4 */
function ipv4Number(address: string): number {
  let [number, byte] = [0, 0];
  for (let at = 0; at < address.length; at += 1) {
    const c = address.charCodeAt(at);
    if (c !== dot) byte = byte * 10 + (c - zero);
    else [number, byte] = [(number << 8) | byte, 0];
  }
  return (number << 8) | byte;
}

const [dot, zero] = [0x2e, 0x30];

function membersOfIpv6(network: string, bits: number): (address: string) => boolean {
  const members = new BlockList();
  members.addSubnet(network, bits, 'ipv6');
  return (address) => isIP(address) === 6 && members.check(address, 'ipv6');
}

/**
 * Whose an address is, however it is written. IPv6 gives everybody a network of 64 bits (RFC 6177): whoever counts
 * its addresses one by one counts nothing.
 * @returns an IPv4 address, or the network of an IPv6 address; what is neither stays as it is
 */
export function addressHolder(address: string): string {
  if (!address.includes(':')) return address;
  const [plain = ''] = address.split('%');
  if (isIP(plain) !== 6) return address;
  const groups = groupsOf(plain);
  return isMapped(groups) ? dotted(groups.slice(6)) : `${groups.slice(0, 4).join(':')}::/64`;
}

/**
 * The network of 48 bits that an IPv6 network of 64 is in: one customer's, as a rule (RFC 6177 §2).
 * @param holder as {@link addressHolder} tells it. Undefined: it is none of IPv6
 */
export function siteOf(holder: string): string | undefined {
  if (!holder.endsWith('::/64')) return undefined;
  const [, site] = /^((?:[0-9a-f]{1,4}:){3})[0-9a-f]{1,4}::\/64$/.exec(holder) ?? [];
  return site && `${site}:/48`;
}

/** The eight groups of an IPv6 address, without leading zeros, in lower case. */
function groupsOf(address: string): readonly string[] {
  const { hostname } = new URL(`http://[${address}]`);
  const [head = [], tail = []] = hostname
    .slice(1, -1)
    .split('::')
    .map((part) => part.split(':').filter((group) => group !== ''));
  return [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail];
}

/** Those in front of an IPv4 address that is mapped into IPv6. */
const mappedBits = 96;

const isMapped = (groups: readonly string[]): boolean => groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff';

/** `c000`, `201` → `192.0.2.1` */
const dotted = (groups: readonly string[]): string =>
  groups
    .map((group) => Number.parseInt(group, 16))
    .flatMap((bits) => [bits >> 8, bits & 255])
    .join('.');

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** `::ffff:192.0.2.1`, as a socket that listens on both families reports IPv4, is 192.0.2.1 (RFC 4291 §2.5.5.2). */
export function unmapped(address: string): string {
  if (!/^[0:]+:ffff:/i.test(address) || isIP(address) !== 6 || address.includes('%')) return address;
  const groups = groupsOf(address);
  return isMapped(groups) ? dotted(groups.slice(6)) : address;
}

const loopbacks = ['127.0.0.0/8', '::1'].map((text) => Network.parse(text));

/** Whether a network of a configuration restricts nobody: `0.0.0.0/0` or `::/0`. */
export const isEverybody = (network: string): boolean => Network.parse(network)?.bits === 0;

/** Of this machine, for itself. */
export const isLoopback = (address: string): boolean =>
  loopbacks.some((network) => network?.contains(address));
