/** Orders the certificate of the listeners at the ACME server of the configuration, and renews it. */
import { isDeepStrictEqual } from 'node:util';
import type { ServerConfig } from '@watchword/core';
import type { Clock, Log, Store } from '@watchword/core/ports';
import { isOrderDue, OrderError } from '@watchword/engines/installation';
import type { ServerCommand } from '../program.ts';

type OrderConfig = Pick<ServerConfig, 'data'> & { readonly acme: NonNullable<ServerConfig['acme']> };

export interface Ordering {
  readonly running: {
    /** The configuration in force. */
    readonly config: ServerConfig;
    /** Reads the certificates of the listeners again. */
    renewCertificates(): Promise<unknown>;
  };
  /** The store of the processes on the data folder. */
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** The program, for the log. */
  readonly program: string;
  /** The listeners of the program: no certificate is ordered where each has files. */
  readonly servers: readonly ServerCommand['server'][];
}

/** Milliseconds between two looks whether an order is due. */
const lookEvery = 10_000;
/** Milliseconds before another try after a failure: the first delay, doubled by each failure up to the longest. */
const [firstDelay, longestDelay] = [60_000, 12 * 3_600_000];
/** The key of the lease of an order: one process orders at a time. */
const lease = 'lease:acme';
/** Seconds after which the lease of a process that has died ends, and after which an order is given up. */
const [leaseSeconds, orderSeconds] = [1200, 1100];

/** Keeps the certificate of the ACME server valid while a server runs. A failure changes nothing but the log. */
export class CertificateOrders {
  readonly #ordering: Ordering;
  readonly #end = new AbortController();
  readonly #stop: () => void;
  #settings: ServerConfig['acme'];
  #failures = 0;
  #nextTry = 0;
  #present: Promise<void> | undefined;

  constructor(ordering: Ordering) {
    this.#ordering = ordering;
    this.#stop = ordering.clock.every(lookEvery, () => this.#look());
    this.#look();
  }

  /** Ends the orders; resolves when the one under way has ended. */
  async close(): Promise<void> {
    this.#stop();
    this.#end.abort();
    await this.#present;
  }

  #look(): void {
    const { clock, running, servers } = this.#ordering;
    const { config } = running;
    const isUsed = servers.some((server) => config[server].certificate === undefined);
    const acme = isUsed ? config.acme : undefined;
    if (!isDeepStrictEqual(acme, this.#settings)) {
      this.#settings = acme;
      this.#failures = 0;
      this.#nextTry = 0;
    }
    const delay = this.#nextTry - clock.now();
    // A longer delay is that of a clock which was ahead.
    if (!acme || this.#present || (delay > 0 && delay <= longestDelay)) return;
    this.#present = this.#order({ ...config, acme }).finally(() => {
      this.#present = undefined;
    });
  }

  async #order(config: OrderConfig): Promise<void> {
    const { clock, store, running, log, program } = this.#ordering;
    const names = config.acme.domains.join(', ');
    try {
      if (!isOrderDue(config, clock.now())) return;
      if ((await store.count(lease, { by: 1, limit: 1, seconds: leaseSeconds })) === undefined) return;
      try {
        // Another process may have ordered it before the lease was free.
        if (!isOrderDue(config, clock.now())) return;
        const { orderCertificate } = await import('@watchword/engines/acme');
        const signal = AbortSignal.any([this.#end.signal, AbortSignal.timeout(orderSeconds * 1000)]);
        await orderCertificate({ config, signal, clock });
      } finally {
        // A lease that stays ends with its time.
        await store.count(lease, { by: -1, seconds: leaseSeconds }).catch(() => undefined);
      }
      this.#failures = 0;
      await running.renewCertificates();
      log.info('certificate issued by the ACME server', { program, domains: names });
    } catch (error) {
      if (!this.#end.signal.aborted) this.#noteFailure(error, names);
    }
  }

  #noteFailure(error: unknown, domains: string): void {
    const { clock, log, program } = this.#ordering;
    const delay = Math.min(firstDelay * 2 ** this.#failures, longestDelay);
    this.#failures += 1;
    this.#nextTry = clock.now() + delay;
    const why = error instanceof OrderError ? `: ${error.message}; ${error.cure}` : '';
    const next = new Date(this.#nextTry).toISOString();
    log.error(
      `the ACME server has issued no certificate, and the one before stays in use${why}. Next try at ${next}`,
      {
        ...{ program, domains },
        ...(why === '' && { error }),
      },
    );
  }
}
