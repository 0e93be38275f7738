/**
 * Administrator sessions (docs/concepts/callers-and-sources.md#administrator-session): a cookie that saves the login and keeps the
 * directory connection bound. A session ends some time after its last request, and some time after it began, as its door defines. Each
 * request checks whether the entry has changed and is still an administrator's, so that no session outlives the rights. The connection is
 * local to this node; the rest is in the store.
 */

import type { EffectiveRights } from '../../../administration/access/effective-rights.ts';
import type { Roles } from '../../../administration/access/roles.ts';
import { SingleFlight } from '../../../foundation/runtime/single-flight.ts';
import { Dn } from '../../../foundation/text/dn.ts';
import type { Limits } from '../../../limits/limits.ts';
import { userKey } from '../../../limits/source.ts';
import { isAhead } from '../../../ports/clock.ts';
import type { DirectoryServer } from '../../../ports/directory/directory.ts';
import type { Log } from '../../../ports/log/log.ts';
import type { Random } from '../../../ports/random.ts';
import type { Store } from '../../../ports/store/store.ts';
import type { AdministratorLogin, Administrators } from '../identity/administrator.ts';
import { judgeAgain, type SessionCertificateView } from '../identity/certificate-identity.ts';
import { type Credentials, type PresentedCredentials, sameCredentials } from '../identity/credentials.ts';
import type { AdministratorDoor } from '../identity/door.ts';
import { type LiveSession, LiveSessions } from './live-session.ts';
import type { SessionLife } from './session-life.ts';
import {
  decodeRecord,
  encodeRecord,
  isCookie,
  type KeptSession,
  newCookie,
  openSession,
  type SessionRecord,
  sealSession,
  sessionId,
  splitAbout,
  usedAgain,
  withAbout,
} from './session-record.ts';

export interface SessionLogin extends AdministratorLogin {
  /** The name of the session; it opens nothing. */
  readonly session: string;
  /** The login name that it began with. */
  readonly username: string;
  /** Gives the connection back to the session. */
  readonly release: () => Promise<void> | undefined;
}

/** The credentials that come with a cookie. */
export interface RequestCredentials extends Pick<PresentedCredentials, 'certificate'> {
  readonly credentials: Credentials | undefined;
}

/** A session that the store knows and this node perhaps not yet. */
interface Found {
  readonly id: string;
  readonly record: SessionRecord;
  readonly kept: KeptSession;
}

/** The present rights of an administrator. */
interface CurrentRights {
  readonly revision: string | undefined;
  readonly rights: EffectiveRights | undefined;
  readonly isActivated: boolean | undefined;
}

/** The context of sessions: their store, and the checks at each request. */
export interface SessionView extends SessionCertificateView {
  readonly door: AdministratorDoor;
  readonly store: Store;
  readonly random: Random;
  readonly log: Log;
  readonly server: Pick<DirectoryServer, 'capabilities' | 'revision'>;
  readonly roles: Pick<Roles, 'rights'>;
  readonly limits: Pick<Limits, 'look'>;
}

export class Sessions {
  readonly #view: SessionView;
  readonly #administrators: Administrators;
  readonly #live: LiveSessions;
  readonly #terms: SessionLife;
  /** Sessions of one login name all ask the same: what is seen for one is good for those who came before it. */
  readonly #reaches = new SingleFlight<CurrentRights>();
  /** Binds under way: requests that come together wait for the same one. */
  readonly #binding = new Map<string, Promise<LiveSession | undefined>>();

  constructor(view: SessionView, administrators: Administrators) {
    this.#view = view;
    this.#administrators = administrators;
    this.#terms = view.door.sessions;
    this.#live = new LiveSessions(view, this.#terms);
  }

  /**
   * Begins a session for a fresh login, whose connection it takes over.
   * @param address of the browser; shown where sessions are listed
   */
  async begin(
    login: AdministratorLogin,
    { username, password }: Credentials,
    address = '',
  ): Promise<{ cookie: string; login: SessionLogin }> {
    const { clock, random, store } = this.#view;
    const cookie = newCookie(random);
    const id = sessionId(cookie);
    const used = clock.now();
    const { administrator } = login;
    const kept = await this.#keep(login, { username, password }, used);
    const live = await this.#live.enter(id, { kept, login, touched: used });
    try {
      const place = this.#place(id);
      const sealed = sealSession(kept, cookie, { place, random });
      const about = { administrator: administrator.format(), address, began: used };
      const listed = this.#terms.isListed ? withAbout(about, sealed) : sealed;
      await store.put(place, encodeRecord({ used, sealed: listed }), this.#storeSeconds);
    } catch (error) {
      await this.#live.drop(id);
      throw error;
    }
    return { cookie, login: this.#take(id, live, login.rights) };
  }

  async #keep(
    { administrator, fingerprint, directory }: AdministratorLogin,
    credentials: Credentials,
    began: number,
  ): Promise<KeptSession> {
    try {
      const isActivated = await this.#administrators.isActivated(administrator);
      const activation = isActivated === undefined ? {} : { isActivated };
      return { ...credentials, dn: administrator.toString(), fingerprint, began, ...activation };
    } catch (error) {
      await directory.close();
      throw error;
    }
  }

  /**
   * The login of a cookie; undefined if its session is over or never was, if its administrator may not
   * come in any more, or if the request says that it is somebody else's. The caller releases it.
   */
  async resume(
    cookie: string,
    { credentials, certificate }: RequestCredentials,
  ): Promise<SessionLogin | undefined> {
    const found = isCookie(cookie) ? await this.#find(cookie) : undefined;
    if (!found || (credentials && !sameCredentials(credentials, found.kept))) return undefined;
    const { id } = found;
    const shown = await judgeAgain(found.kept, certificate, this.#view);
    if (shown !== 'same') return shown === 'over' ? this.#end(id) : undefined;
    const current = await this.#current(found);
    if (!current || current.live.ended) return this.#end(id);
    const { live, rights } = current;
    const login = this.#take(id, live, rights);
    if (this.#isTouchDue(live)) await this.#touch(id, live);
    return login;
  }

  /** Ends a session now, on every node. A request that is under way finishes. */
  async end(cookie: string): Promise<void> {
    await this.#end(sessionId(cookie));
  }

  /** Closes the connections of this node; the sessions live on. */
  async close(): Promise<void> {
    await this.#live.close();
  }

  async #end(id: string): Promise<undefined> {
    await this.#live.drop(id);
    await this.#view.store.remove(this.#place(id));
  }

  /** Returns the key of the session in the store. */
  #place(id: string): string {
    return `${this.#terms.family}:${id}`;
  }

  /** Returns the lifetime of an untouched record, in seconds. */
  get #storeSeconds(): number {
    return (this.#terms.idle + this.#terms.touch) / 1000;
  }

  async #find(cookie: string): Promise<Found | undefined> {
    const id = sessionId(cookie);
    const place = this.#place(id);
    const { store, random } = this.#view;
    const bytes = await store.get(place);
    if (!bytes) {
      await this.#live.drop(id);
      return undefined;
    }
    const read = decodeRecord(bytes);
    const record = this.#terms.isListed ? { ...read, sealed: splitAbout(read.sealed).sealed } : read;
    const kept = this.#live.get(id)?.kept ?? openSession(record.sealed, cookie, { place, random });
    return this.#isOver(id, record, kept) ? this.#end(id) : { id, record, kept };
  }

  #isOver(id: string, record: SessionRecord, { began }: KeptSession): boolean {
    const now = this.#view.clock.now();
    if (now - began > this.#terms.longest || isAhead(began, now)) return true;
    const live = this.#live.get(id);
    // Another node that used it since has written to the store, which forgets the record when that is long ago.
    if (!live || live.users > 0 || record.used > live.touched) return false;
    return now - live.used > this.#terms.idle;
  }

  /** The bound connection, if the administrator still is one and has not changed since the bind. */
  async #current(found: Found): Promise<{ live: LiveSession; rights: EffectiveRights } | undefined> {
    const { kept } = found;
    const before = this.#live.get(found.id)?.login;
    const administrator = before?.administrator ?? Dn.parse(kept.dn);
    const { revision, rights, isActivated } = await this.#reaches.run(
      `${kept.username}:${administrator.key}`,
      () => this.#look(administrator, { username: kept.username, rights: before?.rights }),
    );
    if (!rights || (kept.isActivated && !isActivated)) return undefined;
    // No revision to compare (no entry, or a directory that has none): the password is the only proof.
    const known = this.#live.get(found.id);
    if (known && revision !== undefined && known.login.revision === revision) return { live: known, rights };
    const live = await this.#bindAgain(found, { administrator, rights });
    return live && { live, rights };
  }

  #bindAgain(
    { id, record, kept }: Found,
    { administrator, rights }: { administrator: Dn; rights: EffectiveRights },
  ): Promise<LiveSession | undefined> {
    return this.#bindOnce(id, async () => {
      const bound = await this.#administrators.bind(administrator, kept.password);
      if (typeof bound === 'string') return undefined;
      return this.#live.enter(id, { kept, login: { ...bound, rights }, touched: record.used });
    });
  }

  /** @param before the login name that the session began with, and what made it an administrator's */
  async #look(
    administrator: Dn,
    before: { username: string; rights: EffectiveRights | undefined },
  ): Promise<CurrentRights> {
    const [{ block }, revision, isAdmitted, rights, isActivated] = await Promise.all([
      this.#view.limits.look(userKey(administrator), 'manager'),
      this.#view.server.revision(administrator),
      this.#administrators.stillAdmits(administrator, before.username),
      this.#view.roles.rights(administrator, this.#view.door.role, before.rights),
      this.#administrators.isActivated(administrator),
    ]);
    return { revision, rights: isAdmitted && !block ? rights : undefined, isActivated };
  }

  #bindOnce(id: string, bind: () => Promise<LiveSession | undefined>): Promise<LiveSession | undefined> {
    const underWay = this.#binding.get(id);
    if (underWay) return underWay;
    const binding = bind().finally(() => this.#binding.delete(id));
    this.#binding.set(id, binding);
    return binding;
  }

  /** @param rights as it is now: what it was when the connection was bound counts no more */
  #take(id: string, live: LiveSession, rights: EffectiveRights): SessionLogin {
    this.#live.take(live);
    const release = () =>
      this.#isTouchDue(live)
        ? this.#touch(id, live).then(() => this.#live.release(live))
        : this.#live.release(live);
    return { ...live.login, rights, session: id, username: live.kept.username, release };
  }

  #isTouchDue({ ended, touched }: LiveSession): boolean {
    return !ended && this.#view.clock.now() - touched >= this.#terms.touch;
  }

  /** Tells the store of a session in use, now and then, unless it was ended elsewhere meanwhile. */
  async #touch(id: string, live: LiveSession): Promise<void> {
    const { clock, store, log } = this.#view;
    const used = clock.now();
    live.touched = used;
    try {
      const seconds = this.#storeSeconds;
      await store.update(this.#place(id), (before) => ({
        result: undefined,
        ...(before && { after: { value: usedAgain(before, used), seconds } }),
      }));
    } catch (error) {
      log.warn('a session could not be kept alive', { error });
    }
  }
}
