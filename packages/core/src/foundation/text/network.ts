/** IP addresses and networks, in the notation of RFC 4632 and RFC 4291. */
import { BlockList, isIP } from 'node:net';

/** An address, or a network in CIDR notation. */
export class Network {
  /** The prefix length in bits: 32 or 128 for an address. */
  readonly bits: number;
  readonly #address: string;
  /** Returns whether the network contains an address that is not IPv4-mapped. */
  readonly #has: (address: string) => boolean;

  private constructor(address: string, bits: number) {
    this.bits = bits;
    this.#address = address;
    this.#has = isIP(address) === 4 ? membersOfIpv4(address, bits) : membersOfIpv6(address, bits);
  }

  /** Reads an address or a network, such as `192.0.2.1` or `2001:db8::/32`; undefined for anything else. */
  static parse(text: string): Network | undefined {
    const [address = '', bits, ...rest] = text.split('/');
    if (isIP(address) === 0 || address.includes('%') || rest.length > 0) return undefined;
    const most = familyOf(address) === 'ipv4' ? 32 : 128;
    if (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= most)) return undefined;
    const length = bits === undefined ? most : Number(bits);
    const plain = unmapIpv4(address);
    return plain === address || length < mappedBits
      ? new Network(address, length)
      : new Network(plain, length - mappedBits);
  }

  /** Reads a list that has been checked, and leaves out anything that is no network. */
  static parseAll(texts: readonly string[]): readonly Network[] {
    return texts.map((text) => Network.parse(text)).filter((network) => network !== undefined);
  }

  /**
   * Returns whether an address is in this network. An IPv4 address is in no IPv6 network: `::/0` means IPv6 only. A text that is no address,
   * as that of a closed connection, is in no network.
   */
  contains(address: string): boolean {
    return this.#has(unmapIpv4(address));
  }

  /** Returns whether two networks are the same, in any notation. */
  equals(other: Network): boolean {
    return this.bits === other.bits && this.contains(other.#address);
  }
}

/** Compares numbers, because `BlockList` makes an object for each address. */
function membersOfIpv4(network: string, bits: number): (address: string) => boolean {
  // An IPv4 address has one notation.
  if (bits === 32) return (address) => address === network;
  const mask = bits === 0 ? 0 : -1 << (32 - bits);
  const wanted = ipv4Number(network) & mask;
  return (address) => isIP(address) === 4 && (ipv4Number(address) & mask) === wanted;
}

/** Reads an IPv4 address digit by digit, because every request does so. @param address IPv4 by {@link isIP} */
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
 * Returns the holder of an address: its /64 network for IPv6, where every customer has one at least (RFC 6177), so single addresses count
 * nothing.
 * @returns an IPv4 address, or the network of an IPv6 address; any other text unchanged
 */
export function addressBlock(address: string): string {
  if (!address.includes(':')) return address;
  const [plain = ''] = address.split('%');
  if (isIP(plain) !== 6) return address;
  const groups = groupsOf(plain);
  return isMapped(groups) ? dotted(groups.slice(6)) : `${groups.slice(0, 4).join(':')}::/64`;
}

/**
 * Returns the /48 network of an IPv6 holder: usually one customer's (RFC 6177 §2).
 * @param holder of {@link addressBlock} @returns undefined where the holder is not IPv6
 */
export function ipv6SiteOf(holder: string): string | undefined {
  if (!holder.endsWith('::/64')) return undefined;
  const [, site] = /^((?:[0-9a-f]{1,4}:){3})[0-9a-f]{1,4}::\/64$/.exec(holder) ?? [];
  return site && `${site}:/48`;
}

/** Returns the eight groups of an IPv6 address, without leading zeros, in lower case. */
function groupsOf(address: string): readonly string[] {
  const { hostname } = new URL(`http://[${address}]`);
  const [head = [], tail = []] = hostname
    .slice(1, -1)
    .split('::')
    .map((part) => part.split(':').filter((group) => group !== ''));
  return [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail];
}

/** Bits before the IPv4 address in an IPv4-mapped address. */
const mappedBits = 96;

const isMapped = (groups: readonly string[]): boolean => groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff';

/** `c000`, `201` → `192.0.2.1` */
const dotted = (groups: readonly string[]): string =>
  groups
    .map((group) => Number.parseInt(group, 16))
    .flatMap((bits) => [bits >> 8, bits & 255])
    .join('.');

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Turns an IPv4-mapped address (RFC 4291 §2.5.5.2), as a dual-stack socket reports it, into IPv4. */
export function unmapIpv4(address: string): string {
  if (!/^[0:]+:ffff:/i.test(address) || isIP(address) !== 6 || address.includes('%')) return address;
  const groups = groupsOf(address);
  return isMapped(groups) ? dotted(groups.slice(6)) : address;
}

const loopbacks = ['127.0.0.0/8', '::1'].map((text) => Network.parse(text));

/** Returns whether a network contains all addresses of its family: `0.0.0.0/0` or `::/0`. */
export const coversAllAddresses = (network: string): boolean => Network.parse(network)?.bits === 0;

export const isLoopback = (address: string): boolean =>
  loopbacks.some((network) => network?.contains(address));
