/**
 * Directory connections of administrator sessions on this node. A connection is closed when its session ends, but never during a request.
 * Their number is limited.
 */
import type { Clock } from '../../../ports/clock.ts';
import type { Directory } from '../../../ports/directory/directory.ts';
import type { Log } from '../../../ports/log/log.ts';
import type { AdministratorLogin } from '../identity/administrator.ts';
import type { SessionLife } from './session-life.ts';
import type { KeptSession } from './session-record.ts';

/** Connections kept bound; beyond it a session lives on, and is bound again when it is used. */
const maxLive = 256;

export interface LiveSession {
  readonly kept: KeptSession;
  readonly login: AdministratorLogin;
  /** The last request, and the last one that was written to the store, in milliseconds since 1970. */
  used: number;
  touched: number;
  /** Requests under way. */
  users: number;
  /** No further request takes it; it is closed after the last of its users. */
  ended: boolean;
}

export class LiveSessions {
  readonly #live = new Map<string, LiveSession>();
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #terms: Pick<SessionLife, 'bound' | 'touch'>;
  readonly #stopSweep: () => void;

  constructor({ clock, log }: { clock: Clock; log: Log }, terms: Pick<SessionLife, 'bound' | 'touch'>) {
    this.#clock = clock;
    this.#log = log;
    this.#terms = terms;
    this.#stopSweep = clock.every(1000, () => this.#sweep());
  }

  get(id: string): LiveSession | undefined {
    return this.#live.get(id);
  }

  /** Takes over a login's connection; one that the session had before is closed. */
  async enter(id: string, { kept, login, touched }: Pick<LiveSession, 'kept' | 'login' | 'touched'>) {
    const live = { kept, login, touched, used: this.#clock.now(), users: 0, ended: false };
    const before = this.drop(id);
    this.#live.set(id, live);
    this.#trim(id);
    await before;
    return live;
  }

  /** One more request uses it, until it is released. */
  take(live: LiveSession): void {
    live.users += 1;
    live.used = this.#clock.now();
  }

  release(live: LiveSession): Promise<void> | undefined {
    live.users -= 1;
    live.used = this.#clock.now();
    return this.#closeUnused(live);
  }

  async drop(id: string): Promise<void> {
    const live = this.#live.get(id);
    if (!live) return;
    this.#live.delete(id);
    live.ended = true;
    await this.#closeUnused(live);
  }

  async close(): Promise<void> {
    this.#stopSweep();
    await Promise.all([...this.#live.keys()].map((id) => this.drop(id)));
  }

  #closeUnused({ ended, users, login }: LiveSession): Promise<void> | undefined {
    return ended && users === 0 ? closeQuietly(login.directory, this.#log) : undefined;
  }

  /** When a session was used last is known better here than in the store: it stays until it is over there too. */
  #sweep(): void {
    const over = this.#clock.now() - this.#terms.bound - this.#terms.touch;
    for (const [id, { users, used }] of this.#live) {
      if (users === 0 && used <= over) void this.drop(id);
    }
  }

  /** Drops those that were not used for longest, if there are too many. */
  #trim(newest: string): void {
    const excess = this.#live.size - maxLive;
    if (excess <= 0) return;
    const idle = [...this.#live].filter(([id, { users }]) => users === 0 && id !== newest);
    idle.sort(([, a], [, b]) => a.used - b.used);
    for (const [id] of idle.slice(0, excess)) void this.drop(id);
  }
}

/** The answer to what was done on the connection does not depend on how it closes. */
export async function closeQuietly(directory: Directory, log: Log): Promise<void> {
  try {
    await directory.close();
  } catch (error) {
    log.warn('a directory connection did not close', { error });
  }
}
