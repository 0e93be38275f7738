/** IP addresses and networks, in the notation of RFC 4632 and RFC 4291: who a caller is, and where. */
import { BlockList, isIP } from 'node:net';

/** An address, or a network in CIDR notation. */
export class Network {
  /** Leading bits that are the network's; those of an address are all. */
  readonly bits: number;
  readonly #members = new BlockList();

  private constructor(address: string, bits: number) {
    this.bits = bits;
    this.#members.addSubnet(address, bits, familyOf(address));
  }

  /** `192.0.2.1` or `2001:db8::/32`; undefined if it is neither. */
  static parse(text: string): Network | undefined {
    const [address = '', bits, ...rest] = text.split('/');
    if (isIP(address) === 0 || address.includes('%') || rest.length > 0) return undefined;
    const most = familyOf(address) === 'ipv4' ? 32 : 128;
    if (bits === undefined) return new Network(address, most);
    return /^\d{1,3}$/.test(bits) && Number(bits) <= most ? new Network(address, Number(bits)) : undefined;
  }

  /** False for what is no address, such as that of a connection that is gone already. */
  contains(address: string): boolean {
    const plain = unmapped(address);
    return isIP(plain) !== 0 && this.#members.check(plain, familyOf(plain));
  }
}

/**
 * Whose an address is, however it is written. IPv6 gives everybody a network of 64 bits (RFC 6177): whoever counts
 * its addresses one by one counts nothing.
 * @returns an IPv4 address, or the network of an IPv6 address; what is neither stays as it is
 */
export function holderOf(address: string): string {
  const [plain = ''] = address.split('%');
  if (isIP(plain) !== 6) return address;
  const groups = groupsOf(plain);
  return isMapped(groups) ? dotted(groups.slice(6)) : `${groups.slice(0, 4).join(':')}::/64`;
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
