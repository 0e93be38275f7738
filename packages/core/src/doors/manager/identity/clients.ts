/** `manager_clients`: the addresses, networks and host names that may use the Manager. */
import { isIP } from 'node:net';
import { Network, unmapIpv4 } from '../../../foundation/text/network.ts';
import type { HostResolver } from '../../../ports/ports.ts';

export class ClientList {
  readonly #networks: readonly Network[];
  readonly #hosts: readonly string[];
  readonly #resolver: HostResolver;
  readonly #everybody: boolean;

  /** @param clients addresses, networks in CIDR notation and host names; none: everybody may */
  constructor(clients: readonly string[], resolver: HostResolver) {
    this.#everybody = clients.length === 0;
    this.#resolver = resolver;
    const networks = clients.map((client) => Network.parse(client));
    this.#networks = networks.filter((network) => network !== undefined);
    this.#hosts = clients.filter((_, index) => networks[index] === undefined);
  }

  /** An address is among those that the operator has named: they are not everybody. */
  async vouchesFor(address: string): Promise<boolean> {
    return !this.#everybody && !this.#networks.some(isHalf) && this.admits(address);
  }

  async admits(address: string): Promise<boolean> {
    if (this.#everybody) return true;
    const plain = unmapIpv4(address);
    if (isIP(plain) === 0) return false; // of a connection that is gone already
    if (this.#networks.some((network) => network.contains(plain))) return true;
    for (const host of this.#hosts) {
      if ((await this.#resolver.addresses(host)).map(unmapIpv4).includes(plain)) return true;
    }
    return false;
  }
}

/** Two networks of one bit each are everybody, too. */
const isHalf = ({ bits }: Network): boolean => bits <= 1;
