/**
 * Administrator sessions (concepts.md §6): a cookie that saves the login and keeps the directory connection
 * bound. A session ends 10 s after its last request, and `manager_session` seconds after it began. It never
 * outlives its administrator: each request asks the directory whether the entry has changed since.
 *
 * What nodes share is in the store: under the hash of the cookie, sealed with a key that only the cookie
 * gives, so the store alone opens no session. The bound connection is this node's own.
 */
import { createHash, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Core } from '../core.ts';
import type { Directory } from '../directory/directory.ts';
import { Dn } from '../directory/dn.ts';
import { isReason } from '../errors.ts';
import { KeyRing } from '../ports/keys.ts';
import type { Administrators, Credentials, Login } from './administrator.ts';

/** concepts.md §6 */
const idleSeconds = 10;

/** How often a session that is in use is written to the store: it may live this much longer elsewhere. */
const touchMilliseconds = 1000;

/** Connections kept bound on this node; beyond it the session lives on and is bound again when used. */
const maxLive = 256;

/** What the store keeps of a session, sealed. */
interface Kept extends Credentials {
  readonly dn: string;
  readonly began: number;
}

interface Live {
  readonly administrator: Dn;
  readonly directory: Directory;
  readonly began: number;
  revision: string | undefined;
  used: number;
  touched: number;
  /** Requests under way; the connection is closed behind the last of them. */
  users: number;
  ended: boolean;
}

export interface SessionLogin extends Login {
  /** Gives the connection back to the session. */
  readonly release: () => Promise<void>;
}

export class Sessions {
  readonly #core: Core;
  readonly #administrators: Administrators;
  readonly #live = new Map<string, Live>();
  readonly #stopSweep: () => void;

  constructor(core: Core, administrators: Administrators) {
    this.#core = core;
    this.#administrators = administrators;
    this.#stopSweep = core.clock.every(1000, () => this.#sweep());
  }

  /** Begins a session for a fresh login, whose connection it takes over; returns the cookie. */
  async begin(
    { administrator, directory }: Login,
    credentials: Credentials,
  ): Promise<{ cookie: string; login: SessionLogin }> {
    const cookie = Buffer.from(this.#core.random.bytes(16)).toString('hex');
    const now = this.#core.clock.now();
    const revision = await this.#core.directory.revision(administrator);
    const live: Live = {
      administrator,
      directory,
      began: now,
      revision,
      used: now,
      touched: now,
      users: 0,
      ended: false,
    };
    await this.#keep(cookie, { ...credentials, dn: administrator.toString(), began: now });
    this.#live.set(idOf(cookie), live);
    return { cookie, login: this.#take(live) };
  }

  /**
   * The login of a cookie; undefined if its session is over or never was, if its administrator may not
   * come in any more, or if the request says that it is somebody else's. The caller releases it.
   */
  async resume(cookie: string, credentials: Credentials | undefined): Promise<SessionLogin | undefined> {
    if (!/^[0-9a-f]{32}$/.test(cookie)) return undefined;
    const sealed = await this.#core.store.get(storeKey(cookie));
    const kept = sealed && this.#open(cookie, sealed);
    if (!kept || this.#isOver(this.#live.get(idOf(cookie)), kept)) {
      await this.end(cookie);
      return undefined;
    }
    if (credentials && !sameCredentials(credentials, kept)) return undefined;
    const live = await this.#current(cookie, kept);
    if (!live) return undefined;
    await this.#touch(cookie, live, kept);
    return this.#take(live);
  }

  /** Ends a session now, on every node. */
  async end(cookie: string): Promise<void> {
    this.#drop(idOf(cookie));
    await this.#core.store.remove(storeKey(cookie));
  }

  async close(): Promise<void> {
    this.#stopSweep();
    for (const id of [...this.#live.keys()]) this.#drop(id);
  }

  #isOver(live: Live | undefined, kept: Kept): boolean {
    const now = this.#core.clock.now();
    const idle = live !== undefined && now - live.used > idleSeconds * 1000;
    return idle || now - kept.began > this.#core.config.manager_session * 1000;
  }

  /** The live session, if its administrator is still what it was when it was last looked at. */
  async #current(cookie: string, kept: Kept): Promise<Live | undefined> {
    const administrator = Dn.parse(kept.dn);
    const revision = await this.#core.directory.revision(administrator);
    const live = this.#live.get(idOf(cookie));
    try {
      await this.#administrators.authorise(administrator);
      // No revision to compare (no entry, or a directory that has none): the password is the only proof.
      if (live && revision !== undefined && live.revision === revision) return live;
      return await this.#bindAgain(cookie, { ...kept, revision });
    } catch (error) {
      if (!isReason(error, 'permission_denied')) throw error;
      await this.end(cookie);
      return undefined;
    }
  }

  async #bindAgain(cookie: string, kept: Kept & { revision: string | undefined }): Promise<Live | undefined> {
    const administrator = Dn.parse(kept.dn);
    const bound = await this.#core.directory.bind(administrator, kept.password);
    if (!bound.granted || bound.mustChange) {
      if (bound.granted) await bound.directory.close();
      await this.end(cookie);
      return undefined;
    }
    const id = idOf(cookie);
    this.#drop(id);
    const now = this.#core.clock.now();
    const live: Live = {
      administrator,
      directory: bound.directory,
      began: kept.began,
      revision: kept.revision,
      used: now,
      touched: 0,
      users: 0,
      ended: false,
    };
    this.#live.set(id, live);
    return live;
  }

  async #touch(cookie: string, live: Live, kept: Kept): Promise<void> {
    const now = this.#core.clock.now();
    live.used = now;
    if (now - live.touched < touchMilliseconds) return;
    live.touched = now;
    await this.#keep(cookie, kept);
  }

  async #keep(cookie: string, kept: Kept): Promise<void> {
    const sealed = this.#ring(cookie).seal(Buffer.from(JSON.stringify(kept)), storeKey(cookie));
    await this.#core.store.put(storeKey(cookie), sealed, idleSeconds + touchMilliseconds / 1000);
  }

  #open(cookie: string, sealed: Uint8Array): Kept {
    return JSON.parse(Buffer.from(this.#ring(cookie).open(sealed, storeKey(cookie))).toString('utf8'));
  }

  #ring(cookie: string): KeyRing {
    const key = hkdfSync('sha256', Buffer.from(cookie, 'hex'), '', 'watchword administrator session', 32);
    return new KeyRing([new Uint8Array(key)], this.#core.random);
  }

  #take(live: Live): SessionLogin {
    live.users += 1;
    const release = async () => {
      live.users -= 1;
      live.used = this.#core.clock.now();
      if (live.ended && live.users === 0) await live.directory.close();
    };
    return { administrator: live.administrator, directory: live.directory, release };
  }

  #drop(id: string): void {
    const live = this.#live.get(id);
    if (!live) return;
    this.#live.delete(id);
    live.ended = true;
    if (live.users === 0)
      live.directory.close().catch((error) => this.#core.log.warn('closing a connection', { error }));
  }

  /** Closes connections of sessions that are over, and the least recently used of too many. */
  #sweep(): void {
    const now = this.#core.clock.now();
    for (const [id, live] of this.#live) {
      if (live.users === 0 && now - live.used > idleSeconds * 1000) this.#drop(id);
    }
    const idle = [...this.#live]
      .filter(([, live]) => live.users === 0)
      .sort(([, a], [, b]) => a.used - b.used);
    for (const [id] of idle.slice(0, Math.max(0, this.#live.size - maxLive))) this.#drop(id);
  }
}

function idOf(cookie: string): string {
  return createHash('sha256').update(cookie).digest('hex');
}

const storeKey = (cookie: string): string => `session:${idOf(cookie)}`;

/** In constant time: one hash against another. */
function sameCredentials(a: Credentials, b: Credentials): boolean {
  const digest = ({ username, password }: Credentials) =>
    createHash('sha256').update(`${username.length}:${username}${password}`).digest();
  return timingSafeEqual(digest(a), digest(b));
}
