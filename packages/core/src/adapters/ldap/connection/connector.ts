/** Opens connections to the first server that works, and stays with it until it fails. */
import { ServiceError } from '../../../errors/errors.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Log } from '../../../ports/log.ts';
import { Connection, Cut } from './connection.ts';
import type { Target } from './options.ts';

export interface ConnectorOptions {
  readonly targets: readonly Target[];
  /** Milliseconds for one attempt at all servers together, and for each request afterwards. */
  readonly timeout: number;
  readonly clock: Clock;
  readonly log: Log;
}

/** How long a directory that has just gone is given to come back before calls fail: a restart. Milliseconds. */
const longestPatience = 2_000;
const pause = 50;

export class Connector {
  readonly #options: ConnectorOptions;
  /** Index of the server that worked last. */
  #preferred = 0;
  /** When the first attempt failed of those that have failed since. */
  #downSince: number | undefined;
  /** Servers whose failure is in the log. */
  readonly #failing = new Set<Target>();
  /** All that are open. */
  readonly #connections = new Set<Connection>();
  #closed = false;
  /** A server that accepts and is silent has used up all of it in the first attempt. */
  readonly #patience: number;

  constructor(options: ConnectorOptions) {
    this.#options = options;
    this.#patience = Math.min(longestPatience, options.timeout / 2);
  }

  /**
   * @param greet what is to be done before anyone else gets the connection: a bind. What it throws as a
   * ServiceError other than `unavailable` is the answer; no other server is asked.
   * @throws ServiceError `unavailable` if no server can be reached
   */
  async open(greet: (connection: Connection) => Promise<void> = async () => undefined): Promise<Connection> {
    const { clock, log } = this.#options;
    for (;;) {
      if (this.#closed)
        throw new ServiceError('unavailable', { detail: 'the connection to the directory is closed' });
      const started = clock.now();
      try {
        const connection = await this.#round(greet);
        if (this.#downSince !== undefined)
          log.info('directory reached again', { url: connection.target.url });
        this.#downSince = undefined;
        return connection;
      } catch (error) {
        this.#giveUpOn(error, started);
        await clock.sleep(pause);
      }
    }
  }

  /** From now on nothing is opened. */
  close(): void {
    this.#closed = true;
  }

  /** Throws unless it is worth trying again. */
  #giveUpOn(error: unknown, started: number): void {
    const { clock, log } = this.#options;
    if (!isFailure(error)) throw error;
    if (this.#downSince === undefined) log.warn('directory cannot be reached', { error });
    this.#downSince ??= started;
    const isDown = clock.now() - this.#downSince >= this.#patience;
    if (isDown || isCertificateTrouble(error)) throw unreachable(error);
  }

  /** Tries every server once, beginning with the preferred one. */
  async #round(greet: (connection: Connection) => Promise<void>): Promise<Connection> {
    const { targets } = this.#options;
    const first = this.#preferred;
    for (let tried = 0; ; tried += 1) {
      const index = (first + tried) % targets.length;
      try {
        const connection = await this.#attempt(targets[index] as Target, greet);
        this.#preferred = index;
        this.#failing.delete(connection.target);
        this.#watch(connection);
        return connection;
      } catch (error) {
        if (!isFailure(error) || tried === targets.length - 1) throw error;
        this.#tellOnce(targets[index] as Target, error);
      }
    }
  }

  #watch(connection: Connection): void {
    this.#connections.add(connection);
    connection.closed.then(() => this.#connections.delete(connection));
    connection.silent = (error) => {
      this.#tellOnce(connection.target, error);
      this.#avoid(connection.target);
    };
  }

  /**
   * A server that did not answer one request would keep the next one on each of its connections waiting as long. They take nothing
   * new, and those that are opened from now on go to the next server first.
   */
  #avoid(silent: Target): void {
    const { targets } = this.#options;
    if (targets[this.#preferred] === silent) this.#preferred = (this.#preferred + 1) % targets.length;
    for (const connection of this.#connections) if (connection.target === silent) connection.avoid();
  }

  /** One line for each server that fails, however many calls find it so. */
  #tellOnce(target: Target, error: unknown): void {
    if (this.#failing.has(target)) return;
    this.#failing.add(target);
    this.#options.log.warn('directory server cannot be reached', { url: target.url, error });
  }

  async #attempt(target: Target, greet: (connection: Connection) => Promise<void>): Promise<Connection> {
    const { targets, timeout } = this.#options;
    const share = Math.max(1, Math.floor(timeout / targets.length));
    const connection = await Connection.open(target, share);
    try {
      await greet(connection);
      connection.timeout = timeout;
      return connection;
    } catch (error) {
      connection.retire();
      throw error;
    }
  }
}

/** Another server may do better; any other ServiceError is an answer. */
function isFailure(error: unknown): boolean {
  return !(error instanceof ServiceError) || error.reason === 'unavailable';
}

/** What Node says, of a name that does not fit with that name and the certificate. */
interface CertificateTrouble extends NodeJS.ErrnoException {
  readonly host?: string;
  readonly cert?: { readonly subjectaltname?: string };
}

/** A certificate that is not trusted must not look like a server that is down, and does not come back. */
function isCertificateTrouble(error: unknown): error is CertificateTrouble {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^(?:ERR_TLS_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/.test(code);
}

function unreachable(cause: unknown): ServiceError {
  if (cause instanceof ServiceError) return cause;
  if (cause instanceof Cut && cause.cause instanceof ServiceError) return cause.cause;
  const detail = isCertificateTrouble(cause)
    ? certificateTrouble(cause)
    : 'no directory server can be reached';
  return new ServiceError('unavailable', { detail, cause });
}

/** What is wrong with the certificate of a directory server, and what to do. */
function certificateTrouble(error: CertificateTrouble): string {
  const { code, host, cert } = error;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `the certificate of the directory server is not for ${host}, but for ${cert?.subjectaltname ?? 'no name'}: urls has to have one of its names`;
  if (code === 'CERT_HAS_EXPIRED') return 'the certificate of the directory server has expired';
  return `the certificate of the directory server is not trusted (${code}): ca has to name the file of the authority that signed it, or of the certificate itself if it has signed itself`;
}
