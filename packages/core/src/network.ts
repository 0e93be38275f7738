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

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** `::ffff:192.0.2.1`, as a socket that listens on both families reports IPv4, is 192.0.2.1. */
export function unmapped(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  return mapped?.[1] ?? address;
}
