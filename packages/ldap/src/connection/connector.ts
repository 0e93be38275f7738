/** Opens connections to the first server that works and holds what it has to, and goes back to an earlier one once that is well again. */

import { type Dn, isReason, ServiceError } from '@watchword/core/foundation';
import type { Clock, Log, LogFields } from '@watchword/core/ports';
import { Connection, Cut } from './connection.ts';
import type { Missing } from './holdings.ts';
import { Once } from './once.ts';
import type { Target } from './options.ts';
import { untilRefused } from './until-refused.ts';

export interface ConnectorOptions {
  readonly targets: readonly Target[];
  /** Milliseconds for one attempt at all servers together, and for each request afterwards. */
  readonly timeout: number;
  /** Entries that every server holds. */
  readonly bases: readonly Dn[];
  /**
   * Looks at a server; called only where there are several, as one alone is what there is.
   * @param timeout milliseconds for each step
   * @throws ServiceError `credentials_refused` where the server refuses the service
   */
  missingAt(target: Target, timeout: number): Promise<Missing>;
  readonly clock: Clock;
  readonly log: Log;
}

/** How long a directory that has just gone is given to come back before calls fail: a restart. Milliseconds. */
const longestPatience = 2_000;
const pause = 50;
/** Milliseconds until a login of the service that was refused is tried again: the directory may be put right. */
export const servicePause = 30_000;
/** Milliseconds after which the servers before the one in use are looked at again. */
const returnPause = 60_000;
/** The same while the one in use lacks something. */
const lackPause = 5_000;

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
  /** What each server lacks, found out when it is first used, and again after a connection to it was lost. */
  readonly #missing: ReadonlyMap<Target, Once<Missing>>;
  /** Looks for a better server from time to time. */
  #plan: { readonly pause: number; stop(): void } | undefined;
  #closed = false;
  /** A server that accepts and is silent has used up all of it in the first attempt. */
  readonly #patience: number;

  constructor(options: ConnectorOptions) {
    this.#options = options;
    this.#patience = Math.min(longestPatience, options.timeout / 2);
    this.#missing = new Map(options.targets.map((target) => [target, this.#looking(target)]));
  }

  #looking(target: Target): Once<Missing> {
    const { targets, missingAt, clock } = this.#options;
    if (targets.length === 1) return new Once(async () => nothing);
    const look = untilRefused(() => missingAt(target, this.#share), { clock, pause: servicePause });
    return new Once(() => look().catch(throwServiceRefused));
  }

  /** Milliseconds of one server, where all are tried. */
  get #share(): number {
    const { targets, timeout } = this.#options;
    return Math.max(1, Math.floor(timeout / targets.length));
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
    this.#plan?.stop();
  }

  /** Throws unless it is worth trying again. */
  #giveUpOn(error: unknown, started: number): void {
    const { clock, log } = this.#options;
    if (!isFailure(error)) throw error;
    if (this.#downSince === undefined) log.warn('directory cannot be reached', { error });
    this.#downSince ??= started;
    const isDown = clock.now() - this.#downSince >= this.#patience;
    if (isDown || isCertificateTrouble(error) || isServiceRefused(error)) throw unreachable(error);
  }

  /** Tries every server once, beginning with the preferred one; those that lack something come last: it may not be there yet at all. */
  async #round(greet: (connection: Connection) => Promise<void>): Promise<Connection> {
    const { targets } = this.#options;
    const first = this.#preferred;
    const lacking: { readonly target: Target; readonly missing: Missing }[] = [];
    let failure: unknown;
    for (let tried = 0; tried < targets.length; tried += 1) {
      const target = targets[(first + tried) % targets.length] as Target;
      try {
        const missing = await this.#missingAt(target);
        if (missing.size === 0) return await this.#use(target, greet);
        lacking.push({ target, missing });
        this.#tellOnce(target, 'directory server lacks entries, so another one is asked', {
          missing: [...missing],
        });
      } catch (error) {
        if (!isFailure(error)) throw error;
        failure = error;
        this.#missing.get(target)?.forget();
        if (tried < targets.length - 1) this.#tellOnce(target, notReached, { error });
      }
    }
    const [least] = lacking.sort((a, b) => a.missing.size - b.missing.size);
    if (!least) throw failure;
    return this.#use(least.target, greet);
  }

  async #missingAt(target: Target): Promise<Missing> {
    return (await this.#missing.get(target)?.get()) ?? nothing;
  }

  async #use(target: Target, greet: (connection: Connection) => Promise<void>): Promise<Connection> {
    const connection = await this.#attempt(target, greet);
    this.#preferred = this.#options.targets.indexOf(target);
    if (this.#lackOf(target) === 0) this.#failing.delete(target);
    this.#watch(connection);
    this.#planChange(this.#lackOf(target));
    return connection;
  }

  #lackOf(target: Target): number {
    return this.#missing.get(target)?.known?.size ?? 0;
  }

  /** Servers before the one in use are wanted more, and any other one where that lacks something. */
  #planChange(lack: number): void {
    const pause = lack > 0 ? lackPause : this.#preferred > 0 ? returnPause : undefined;
    if (pause === this.#plan?.pause) return;
    this.#plan?.stop();
    const task = () => void this.#lookForBetter();
    this.#plan = pause === undefined ? undefined : { pause, stop: this.#options.clock.every(pause, task) };
  }

  async #lookForBetter(): Promise<void> {
    const { targets } = this.#options;
    const current = targets[this.#preferred] as Target;
    const lack = this.#lackOf(current);
    const candidates = lack > 0 ? targets : targets.slice(0, this.#preferred);
    for (const target of candidates.filter((one) => one !== current)) {
      this.#missing.get(target)?.forget();
      const missing = await this.#missingAt(target).catch(() => undefined);
      const isEarlier = targets.indexOf(target) < targets.indexOf(current);
      if (missing && missing.size < lack + (isEarlier ? 1 : 0)) return this.#prefer(target);
    }
  }

  #prefer(target: Target): void {
    this.#preferred = this.#options.targets.indexOf(target);
    this.#failing.delete(target);
    this.#options.log.info('directory server preferred again', { url: target.url });
    for (const connection of this.#connections) if (connection.target !== target) connection.avoid();
    this.#planChange(this.#lackOf(target));
  }

  #watch(connection: Connection): void {
    this.#connections.add(connection);
    connection.closed.then(() => this.#connections.delete(connection));
    const { target } = connection;
    connection.silent = (error) => {
      this.#tellOnce(target, notReached, { error });
      this.#avoid(target);
    };
    connection.lost = () => this.#missing.get(target)?.forget();
    connection.judgeMissing = (base) => this.#judgeMissing(target, base);
  }

  /** A server that has held an entry, and does no more, is left. */
  #judgeMissing(target: Target, base: Dn): void {
    const { targets, bases } = this.#options;
    if (targets.length === 1 || !bases.some((one) => one.equals(base))) return;
    if (this.#missing.get(target)?.known?.has(base.key)) return;
    this.#avoid(target);
    throw new Cut(false);
  }

  /**
   * A server that did not answer one request would keep the next one on each of its connections waiting as long. They take nothing
   * new, and those that are opened from now on go to the next server first.
   */
  #avoid(silent: Target): void {
    const { targets } = this.#options;
    this.#missing.get(silent)?.forget();
    if (targets[this.#preferred] === silent) this.#preferred = (this.#preferred + 1) % targets.length;
    for (const connection of this.#connections) if (connection.target === silent) connection.avoid();
  }

  /** One line for each server that fails, however many calls find it so. */
  #tellOnce(target: Target, message: string, fields: LogFields): void {
    if (this.#failing.has(target)) return;
    this.#failing.add(target);
    this.#options.log.warn(message, { url: target.url, ...fields });
  }

  async #attempt(target: Target, greet: (connection: Connection) => Promise<void>): Promise<Connection> {
    const connection = await Connection.open(target, this.#share);
    try {
      await greet(connection);
      connection.timeout = this.#options.timeout;
      return connection;
    } catch (error) {
      connection.retire();
      throw error;
    }
  }
}

const nothing: Missing = new Set();
const notReached = 'directory server cannot be reached';

/** Another server may do better; any other ServiceError is an answer. */
function isFailure(error: unknown): boolean {
  return !(error instanceof ServiceError) || error.reason === 'unavailable';
}

/** The error of Node; where the certificate is for another name, with the host and the certificate. */
interface CertificateTrouble extends NodeJS.ErrnoException {
  readonly host?: string;
  readonly cert?: { readonly subjectaltname?: string };
}

/** A certificate that is not trusted must not look like a server that is down, and does not come back. */
function isCertificateTrouble(error: unknown): error is CertificateTrouble {
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
  if (cause instanceof Cut && cause.cause instanceof ServiceError) return cause.cause;
  const detail = isCertificateTrouble(cause)
    ? certificateTrouble(cause)
    : 'no directory server can be reached';
  return new ServiceError('unavailable', { detail, cause });
}

/** Returns a sentence that says what is wrong with the certificate of a directory server, and what to do. */
function certificateTrouble(error: CertificateTrouble): string {
  const { code, host, cert } = error;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `the certificate of the directory server is not for ${host}, but for ${cert?.subjectaltname ?? 'no name'}: urls has to have one of its names`;
  if (code === 'CERT_HAS_EXPIRED') return 'the certificate of the directory server has expired';
  return `the certificate of the directory server is not trusted (${code}): ca has to name the file of the authority that signed it, or of the certificate itself if it has signed itself`;
}
