/**
 * How many connections there may be at a time: from one address, and in all. Node closes what it has no file descriptor for and
 * tells nobody; so there are less of them than files may be open, and what the server needs for itself can still be opened.
 */
import type { Server, Socket } from 'node:net';
import { addressHolder, Network, siteOf, unmapped } from '@watchword/core/foundation';
import { type Clock, type Log, ThrottledWarning } from '@watchword/core/ports';

export interface ConnectionLimits {
  /** From one address, or one network of IPv6 that a caller has for itself; ten times as many from a /48 of these. */
  readonly perAddress: number;
  /** Addresses and networks whose connections are not counted: proxies, and those that log many users in. */
  readonly exempt: readonly string[];
  /** In all; left out: as many as come. */
  readonly most?: number | undefined;
}

interface Ports {
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log | undefined;
}

/** Whoever has a /48 has 65,536 networks, and would take all connections that there are. */
const addressesOfSite = 10;

/** To be called when it listens: until then, an error is a reason not to start. */
export function limitConnections(server: Server, limits: ConnectionLimits, ports: Ports): void {
  const counted = new CountedAddresses(limits, ports);
  server.on('connection', (socket: Socket) => counted.admit(socket));
  if (limits.most !== undefined) server.maxConnections = limits.most;
  const full = new ThrottledWarning(
    'connections are closed at once, because as many are open as this process may have; raise its limit of open files (LimitNOFILE of systemd, ulimit -n)',
    ports,
  );
  server.on('drop', (data?: { readonly remoteAddress?: string }) =>
    full.note({ address: data?.remoteAddress }),
  );
}

class CountedAddresses {
  readonly #perAddress: number;
  readonly #exempt: readonly Network[];
  readonly #warning: ThrottledWarning;
  readonly #open = new Map<string, number>();

  constructor({ perAddress, exempt }: ConnectionLimits, ports: Ports) {
    this.#perAddress = perAddress;
    this.#exempt = exempt.map((text) => Network.parse(text)).filter((network) => network !== undefined);
    this.#warning = new ThrottledWarning(
      'connections are closed at once, because one address has as many as limits.connections_per_address allows',
      ports,
    );
  }

  /** Before TLS has begun: whoever is refused costs nothing more. */
  admit(socket: Socket): void {
    const address = unmapped(socket.remoteAddress ?? '');
    if (this.#exempt.some((network) => network.contains(address))) return;
    const holder = addressHolder(address);
    const site = siteOf(holder);
    const isFull =
      this.#openOf(holder) >= this.#perAddress ||
      (site !== undefined && this.#openOf(site) >= addressesOfSite * this.#perAddress);
    if (isFull) {
      this.#warning.note({ address });
      socket.destroy();
      return;
    }
    const counted = site === undefined ? [holder] : [holder, site];
    for (const one of counted) this.#open.set(one, this.#openOf(one) + 1);
    socket.once('close', () => {
      for (const one of counted) this.#release(one);
    });
  }

  #openOf(holder: string): number {
    return this.#open.get(holder) ?? 0;
  }

  #release(holder: string): void {
    const left = this.#openOf(holder) - 1;
    if (left > 0) this.#open.set(holder, left);
    else this.#open.delete(holder);
  }
}
