/** `manager_clients`: the addresses, networks and host names that may use the Manager (specification §5.1). */
import { BlockList, isIP } from 'node:net';
import type { Hosts } from '../core.ts';

export class ClientList {
  readonly #networks = new BlockList();
  readonly #hosts: readonly string[];
  readonly #resolver: Hosts;
  readonly #everybody: boolean;

  /** @param clients addresses, networks in CIDR notation and host names; none: everybody may */
  constructor(clients: readonly string[], resolver: Hosts) {
    this.#everybody = clients.length === 0;
    this.#resolver = resolver;
    this.#hosts = clients.filter((client) => !this.#addNetwork(client));
  }

  async admits(address: string): Promise<boolean> {
    if (this.#everybody) return true;
    const plain = unmapped(address);
    if (isIP(plain) === 0) return false; // of a connection that is gone already
    if (this.#networks.check(plain, familyOf(plain))) return true;
    for (const host of this.#hosts) {
      if ((await this.#resolver.addresses(host)).map(unmapped).includes(plain)) return true;
    }
    return false;
  }

  #addNetwork(client: string): boolean {
    const [address = '', prefix] = client.split('/', 2);
    if (isIP(address) === 0) return false;
    if (prefix === undefined) this.#networks.addAddress(address, familyOf(address));
    else this.#networks.addSubnet(address, Number(prefix), familyOf(address));
    return true;
  }
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** `::ffff:192.0.2.1`, as a socket that listens on both families reports IPv4, is 192.0.2.1. */
function unmapped(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  return mapped?.[1] ?? address;
}
