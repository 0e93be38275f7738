/**
 * Limits of concurrent connections, by address and in total. Without a free file descriptor Node closes connections silently, so the total is
 * below the limit of open files.
 */
import type { Server, Socket } from 'node:net';
import { addressBlock, ipv6SiteOf, Network, unmapIpv4 } from '@watchword/core/foundation';
import { type Clock, type Log, ThrottledWarning } from '@watchword/core/ports';

export interface ConnectionLimits {
  /** Connections of an address, or of an IPv6 network of one caller; ten times as many of a /48. */
  readonly perAddress: number;
  /** Addresses and networks that are not counted: proxies, and those with many users. */
  readonly exempt: readonly string[];
  /** Connections in total. Optional; default: unlimited. */
  readonly most?: number | undefined;
}

interface Ports {
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log | undefined;
}

/** Networks of a /48 whose limits its connections may use: it has 65,536 networks. */
const networksOfSite = 10;

/**
 * Limits the connections of a listening server; before it listens, errors prevent the start.
 * @returns a function that sets other limits for new connections
 */
export function limitConnections(
  server: Server,
  limits: ConnectionLimits,
  ports: Ports,
): (limits: ConnectionLimits) => void {
  const counted = new ConnectionCounter(limits, ports);
  server.on('connection', (socket: Socket) => counted.admit(socket));
  if (limits.most !== undefined) server.maxConnections = limits.most;
  const full = new ThrottledWarning(
    'connections are closed at once, because as many are open as this process may have; raise its limit of open files (LimitNOFILE of systemd, ulimit -n)',
    ports,
  );
  server.on('drop', (data?: { readonly remoteAddress?: string }) =>
    full.note({ address: data?.remoteAddress }),
  );
  return (next) => {
    counted.setLimits(next);
    if (next.most !== undefined) server.maxConnections = next.most;
  };
}

class ConnectionCounter {
  #perAddress = 0;
  #exempt: readonly Network[] = [];
  readonly #warning: ThrottledWarning;
  readonly #open = new Map<string, number>();

  constructor(limits: ConnectionLimits, ports: Ports) {
    this.setLimits(limits);
    this.#warning = new ThrottledWarning(
      'connections are closed at once, because one address has as many as limits.connections_per_address allows',
      ports,
    );
  }

  setLimits({ perAddress, exempt }: ConnectionLimits): void {
    this.#perAddress = perAddress;
    this.#exempt = exempt.map((text) => Network.parse(text)).filter((network) => network !== undefined);
  }

  /** Admits or closes a connection, before TLS begins. */
  admit(socket: Socket): void {
    const address = unmapIpv4(socket.remoteAddress ?? '');
    if (this.#exempt.some((network) => network.contains(address))) return;
    const holder = addressBlock(address);
    const site = ipv6SiteOf(holder);
    const isFull =
      this.#openOf(holder) >= this.#perAddress ||
      (site !== undefined && this.#openOf(site) >= networksOfSite * this.#perAddress);
    if (isFull) {
      this.#warning.note({ address });
      socket.destroy();
      return;
    }
    const counted = site === undefined ? [holder] : [holder, site];
    for (const key of counted) this.#open.set(key, this.#openOf(key) + 1);
    socket.once('close', () => {
      for (const key of counted) this.#release(key);
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
