/** Failover: opens connections to the first server that works and holds the required entries, and fails back to earlier ones. */
import { type Dn, isReason, ServiceError } from '@watchword/core/foundation';
import type { Clock, Log, LogFields } from '@watchword/core/ports';
import { Connection, ConnectionLost } from './connection.ts';
import { Lazy } from './lazy.ts';
import type { Target } from './options.ts';
import { breakOnRefusal } from './refusal-breaker.ts';
import type { MissingEntries } from './required-entries.ts';

export interface ConnectorOptions {
  readonly targets: readonly Target[];
  /** The timeout in milliseconds of an attempt at all servers, and of each request. */
  readonly timeout: number;
  /** Entries that every server must hold. */
  readonly bases: readonly Dn[];
  /**
   * Checks a server. Called only if there are several.
   * @param timeout milliseconds of each step
   * @throws ServiceError `credentials_refused` if the server refuses the service
   */
  findMissing(target: Target, timeout: number): Promise<MissingEntries>;
  readonly clock: Clock;
  readonly log: Log;
}

/** The longest wait in milliseconds for a directory to come back, as after a restart. */
const longestOutage = 2_000;
const pause = 50;
/** The pause in milliseconds after a refused login of the service. */
export const serviceRetryPause = 30_000;
/** The pause in milliseconds between checks of earlier servers. */
const failbackPause = 60_000;
/** The pause in milliseconds between checks while the server in use lacks entries. */
const missingPause = 5_000;

export class Connector {
  readonly #options: ConnectorOptions;
  /** The index of the server in use. */
  #preferred = 0;
  /** The time of the first of the attempts that have failed since. */
  #downSince: number | undefined;
  /** Servers whose failure was logged. */
  readonly #failing = new Set<Target>();
  /** Open connections. */
  readonly #connections = new Set<Connection>();
  /** The missing entries of each server, checked on first use and again after a lost connection. */
  readonly #missing: ReadonlyMap<Target, Lazy<MissingEntries>>;
  /** The periodic check for a better server. */
  #failback: { readonly pause: number; stop(): void } | undefined;
  #closed = false;
  /** The longest outage in milliseconds; a server that accepts and is silent uses it up in the first attempt. */
  readonly #outage: number;

  constructor(options: ConnectorOptions) {
    this.#options = options;
    this.#outage = Math.min(longestOutage, options.timeout / 2);
    this.#missing = new Map(options.targets.map((target) => [target, this.#checkOf(target)]));
  }

  #checkOf(target: Target): Lazy<MissingEntries> {
    const { targets, findMissing, clock } = this.#options;
    if (targets.length === 1) return new Lazy(async () => noneMissing);
    const check = breakOnRefusal(() => findMissing(target, this.#share), { clock, pause: serviceRetryPause });
    return new Lazy(() => check().catch(throwServiceRefused));
  }

  /** The share in milliseconds of a server when all are tried. */
  get #share(): number {
    const { targets, timeout } = this.#options;
    return Math.max(1, Math.floor(timeout / targets.length));
  }

  /**
   * Opens a connection.
   * @param prepare runs before the connection is returned: a bind. Its ServiceErrors other than `unavailable` are final, and no other server is
   *   tried.
   * @throws ServiceError `unavailable` if no server can be reached
   */
  async open(
    prepare: (connection: Connection) => Promise<void> = async () => undefined,
  ): Promise<Connection> {
    const { clock, log } = this.#options;
    for (;;) {
      if (this.#closed)
        throw new ServiceError('unavailable', { detail: 'the connection to the directory is closed' });
      const started = clock.now();
      try {
        const connection = await this.#tryAll(prepare);
        if (this.#downSince !== undefined)
          log.info('directory reached again', { url: connection.target.url });
        this.#downSince = undefined;
        return connection;
      } catch (error) {
        this.#assertRetryable(error, started);
        await clock.sleep(pause);
      }
    }
  }

  /** Refuses further connections. */
  close(): void {
    this.#closed = true;
    this.#failback?.stop();
  }

  /** @throws the error unless a retry may succeed */
  #assertRetryable(error: unknown, started: number): void {
    const { clock, log } = this.#options;
    if (!isFailure(error)) throw error;
    if (this.#downSince === undefined) log.warn('directory cannot be reached', { error });
    this.#downSince ??= started;
    const isDown = clock.now() - this.#downSince >= this.#outage;
    if (isDown || isCertificateError(error) || isServiceRefused(error)) throw unreachable(error);
  }

  /** Tries every server once, from the preferred one on. Servers that lack entries come last: no server may have them yet. */
  async #tryAll(prepare: (connection: Connection) => Promise<void>): Promise<Connection> {
    const { targets } = this.#options;
    const first = this.#preferred;
    const lacking: { readonly target: Target; readonly missing: MissingEntries }[] = [];
    let failure: unknown;
    for (let tried = 0; tried < targets.length; tried += 1) {
      const target = targets[(first + tried) % targets.length] as Target;
      try {
        const missing = await this.#missingOf(target);
        if (missing.size === 0) return await this.#use(target, prepare);
        lacking.push({ target, missing });
        this.#warnOnce(target, 'directory server lacks entries, so another one is asked', {
          missing: [...missing],
        });
      } catch (error) {
        if (!isFailure(error)) throw error;
        failure = error;
        this.#missing.get(target)?.forget();
        if (tried < targets.length - 1) this.#warnOnce(target, notReached, { error });
      }
    }
    const [least] = lacking.sort((a, b) => a.missing.size - b.missing.size);
    if (!least) throw failure;
    return this.#use(least.target, prepare);
  }

  async #missingOf(target: Target): Promise<MissingEntries> {
    return (await this.#missing.get(target)?.get()) ?? noneMissing;
  }

  async #use(target: Target, prepare: (connection: Connection) => Promise<void>): Promise<Connection> {
    const connection = await this.#attempt(target, prepare);
    this.#preferred = this.#options.targets.indexOf(target);
    if (this.#lackOf(target) === 0) this.#failing.delete(target);
    this.#observe(connection);
    this.#scheduleFailback(this.#lackOf(target));
    return connection;
  }

  #lackOf(target: Target): number {
    return this.#missing.get(target)?.known?.size ?? 0;
  }

  /** Schedules checks of earlier servers, or of all others while the server in use lacks entries. */
  #scheduleFailback(lack: number): void {
    const pause = lack > 0 ? missingPause : this.#preferred > 0 ? failbackPause : undefined;
    if (pause === this.#failback?.pause) return;
    this.#failback?.stop();
    const task = () => void this.#checkForBetter();
    this.#failback =
      pause === undefined ? undefined : { pause, stop: this.#options.clock.every(pause, task) };
  }

  async #checkForBetter(): Promise<void> {
    const { targets } = this.#options;
    const current = targets[this.#preferred] as Target;
    const lack = this.#lackOf(current);
    const candidates = lack > 0 ? targets : targets.slice(0, this.#preferred);
    for (const target of candidates.filter((other) => other !== current)) {
      this.#missing.get(target)?.forget();
      const missing = await this.#missingOf(target).catch(() => undefined);
      const isEarlier = targets.indexOf(target) < targets.indexOf(current);
      if (missing && missing.size < lack + (isEarlier ? 1 : 0)) return this.#prefer(target);
    }
  }

  #prefer(target: Target): void {
    this.#preferred = this.#options.targets.indexOf(target);
    this.#failing.delete(target);
    this.#options.log.info('directory server preferred again', { url: target.url });
    for (const connection of this.#connections) if (connection.target !== target) connection.drain();
    this.#scheduleFailback(this.#lackOf(target));
  }

  #observe(connection: Connection): void {
    this.#connections.add(connection);
    connection.closed.then(() => this.#connections.delete(connection));
    const { target } = connection;
    connection.onTimeout = (error) => {
      this.#warnOnce(target, notReached, { error });
      this.#drain(target);
    };
    connection.onLost = () => this.#missing.get(target)?.forget();
    connection.onMissing = (base) => this.#onMissing(target, base);
  }

  /** Drains a server that has lost a required entry. */
  #onMissing(target: Target, base: Dn): void {
    const { targets, bases } = this.#options;
    if (targets.length === 1 || !bases.some((required) => required.equals(base))) return;
    if (this.#missing.get(target)?.known?.has(base.key)) return;
    this.#drain(target);
    throw new ConnectionLost(false);
  }

  /** Drains the connections of a server, which may delay all further requests, and prefers the next server. */
  #drain(failed: Target): void {
    const { targets } = this.#options;
    this.#missing.get(failed)?.forget();
    if (targets[this.#preferred] === failed) this.#preferred = (this.#preferred + 1) % targets.length;
    for (const connection of this.#connections) if (connection.target === failed) connection.drain();
  }

  /** Logs a failing server once. */
  #warnOnce(target: Target, message: string, fields: LogFields): void {
    if (this.#failing.has(target)) return;
    this.#failing.add(target);
    this.#options.log.warn(message, { url: target.url, ...fields });
  }

  async #attempt(target: Target, prepare: (connection: Connection) => Promise<void>): Promise<Connection> {
    const connection = await Connection.open(target, this.#share);
    try {
      await prepare(connection);
      connection.timeout = this.#options.timeout;
      return connection;
    } catch (error) {
      connection.retire();
      throw error;
    }
  }
}

const noneMissing: MissingEntries = new Set();
const notReached = 'directory server cannot be reached';

/** Returns whether another server may succeed; other ServiceErrors are final. */
function isFailure(error: unknown): boolean {
  return !(error instanceof ServiceError) || error.reason === 'unavailable';
}

/** An error of Node; for a certificate with another name, with the host and the certificate. */
interface CertificateError extends NodeJS.ErrnoException {
  readonly host?: string;
  readonly cert?: { readonly subjectaltname?: string };
}

/** Returns whether a certificate was refused, which a retry cannot change. */
function isCertificateError(error: unknown): error is CertificateError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^(?:ERR_TLS_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/.test(code);
}

const isServiceRefused = (error: unknown): boolean =>
  error instanceof ServiceError && isReason(error.cause, 'credentials_refused');

export function throwServiceRefused(error: unknown): never {
  if (!isReason(error, 'credentials_refused')) throw error;
  throw new ServiceError('unavailable', {
    detail: 'the directory refuses the service its own login: see bind_dn',
    cause: error,
  });
}

function unreachable(cause: unknown): ServiceError {
  if (cause instanceof ServiceError) return cause;
  if (cause instanceof ConnectionLost && cause.cause instanceof ServiceError) return cause.cause;
  const detail = isCertificateError(cause) ? certificateDetail(cause) : 'no directory server can be reached';
  return new ServiceError('unavailable', { detail, cause });
}

/** Returns the problem of a certificate, and the cure. */
function certificateDetail(error: CertificateError): string {
  const { code, host, cert } = error;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `the certificate of the directory server is not for ${host}, but for ${cert?.subjectaltname ?? 'no name'}: urls has to have one of its names`;
  if (code === 'CERT_HAS_EXPIRED') return 'the certificate of the directory server has expired';
  return `the certificate of the directory server is not trusted (${code}): ca has to name the file of the authority that signed it, or of the certificate itself if it has signed itself`;
}
