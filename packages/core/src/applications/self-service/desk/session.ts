/**
 * Sessions of the self-service portal. The store keeps each sealed, under the hash of its cookie. An index lists the sessions of a user. A
 * session that is not in the index has ended: a new password, a deactivation and a block remove the index.
 */
import { hash } from 'node:crypto';
import { userPagesKey } from '../../../directory/entry/sessions.ts';
import { Dn } from '../../../foundation/text/dn.ts';
import type { AccountName } from '../../../login/request.ts';
import { isAhead } from '../../../ports/clock.ts';
import type { KeyRing } from '../../../ports/keys.ts';
import type { Random } from '../../../ports/random.ts';
import type { Ledger, TimedValue } from '../../../ports/store/ledger.ts';
import type { Store } from '../../../ports/store/store.ts';

/** The family of the sessions in the store. */
export const pageFamily = 'selfdesk-session';

/** Lifetimes in seconds: idle, and in all. */
export const pageLife = { idle: 900, whole: 28_800 } as const;
/** The interval of writing requests to the store, in milliseconds. */
const touchEvery = 60_000;
/** Most sessions of a user; one more ends the oldest. */
const mostOfUser = 10;

export interface PageSession {
  readonly dn: Dn;
  /** The identifier of the user's entry. */
  readonly id: string;
  readonly name: AccountName;
  /** IP address of who began it. */
  readonly address: string;
  /** The browser's name for itself; empty: none that can be shown. */
  readonly program: string;
  /** The beginning, in milliseconds since 1970. */
  readonly begun: number;
  readonly used: number;
  /** A second factor was shown. */
  readonly hasFactor: boolean;
}

export interface PageSessionView {
  readonly store: Pick<Ledger, 'commit'> & Pick<Store, 'get' | 'put' | 'remove'>;
  readonly keys: Pick<KeyRing, 'seal' | 'open'>;
  readonly clock: { now(): number };
  readonly random: Random;
}

/** Sessions as they are, without changing them. */
export interface SessionReadingView {
  readonly store: Pick<Store, 'get'>;
  readonly keys: Pick<KeyRing, 'open'>;
  readonly clock: { now(): number };
}

/** 256 bits. */
const cookieForm = /^[A-Za-z0-9_-]{43}$/;

/** Returns the name of a session where its cookie must not be; it opens nothing. */
export const sessionId = (cookie: string): string => shownId(hashOf(cookie));

const shownId = (hashed: string): string => hashed.slice(0, 16);

const hashOf = (cookie: string): string => hash('sha256', `selfdesk:${cookie}`);
const keyOfHash = (hashed: string): string => `${pageFamily}:${hashed}`;
const keyOf = (cookie: string): string => keyOfHash(hashOf(cookie));

/** @returns the cookie */
export async function beginSession(
  session: Omit<PageSession, 'begun' | 'used'>,
  view: PageSessionView,
): Promise<string> {
  const cookie = Buffer.from(view.random.bytes(32)).toString('base64url');
  const now = view.clock.now();
  const [key, named] = [keyOf(cookie), userPagesKey(session.id)];
  const value = sealed(cookie, { ...session, begun: now, used: now }, view);
  await view.store.commit({
    durable: [key, named],
    decide: (found) => {
      const before = readNamed(found.value(named));
      const all = [...before.slice(1 - mostOfUser), hashOf(cookie)];
      return {
        result: undefined,
        values: new Map<string, TimedValue>([
          [key, { value, seconds: pageLife.idle }],
          [named, namedValue(all)],
        ]),
      };
    },
  });
  return cookie;
}

/** Undefined if it has ended or is unknown. */
export async function resumeSession(cookie: string, view: PageSessionView): Promise<PageSession | undefined> {
  if (!cookieForm.test(cookie)) return undefined;
  const session = await readSession(keyOf(cookie), view);
  if (!session) return undefined;
  const named = readNamed(await view.store.get(userPagesKey(session.id)));
  const now = view.clock.now();
  if (isOver(session, now) || !new Set(named).has(hashOf(cookie))) return undefined;
  if (now - session.used >= touchEvery)
    await view.store.put(keyOf(cookie), sealed(cookie, { ...session, used: now }, view), pageLife.idle);
  return session;
}

async function readSession(
  key: string,
  { store, keys }: SessionReadingView,
): Promise<PageSession | undefined> {
  const value = await store.get(key);
  if (!value) return undefined;
  const { dn, ...rest } = JSON.parse(Buffer.from(keys.open(value, key)).toString('utf8'));
  // One that an earlier version began tells of no program.
  return { program: '', ...rest, dn: Dn.parse(dn) };
}

const isOver = ({ used, begun }: PageSession, now: number): boolean =>
  now - used >= pageLife.idle * 1000 || now - begun >= pageLife.whole * 1000 || isAhead(begun, now);

/** Returns the end of an unused session, in milliseconds since 1970. */
export const endOf = ({ used, begun }: PageSession): number =>
  Math.min(used + pageLife.idle * 1000, begun + pageLife.whole * 1000);

/** Those of a user by their {@link sessionId}, the oldest first. @param user the identifier of the entry */
export async function sessionsOfUser(
  user: string,
  view: SessionReadingView,
): Promise<ReadonlyMap<string, PageSession>> {
  const now = view.clock.now();
  const found = new Map<string, PageSession>();
  for (const hashed of readNamed(await view.store.get(userPagesKey(user)))) {
    const session = await readSession(keyOfHash(hashed), view);
    if (session && !isOver(session, now)) found.set(shownId(hashed), session);
  }
  return found;
}

/** @param isMeant by the {@link sessionId} @returns how many have ended */
export async function endSessionsOfUser(
  user: string,
  isMeant: (id: string) => boolean,
  { store }: Pick<PageSessionView, 'store'>,
): Promise<number> {
  const named = userPagesKey(user);
  const ended = await store.commit({
    durable: [named],
    decide: (found) => {
      const all = readNamed(found.value(named));
      const gone = all.filter((hashed) => isMeant(shownId(hashed)));
      if (gone.length === 0) return { result: gone };
      const left = namedValue(all.filter((hashed) => !isMeant(shownId(hashed))));
      return { result: gone, values: new Map([[named, left]]) };
    },
  });
  for (const hashed of ended) await store.remove(keyOfHash(hashed));
  return ended.length;
}

export const endSession = (cookie: string, { store }: Pick<PageSessionView, 'store'>): Promise<void> =>
  store.remove(keyOf(cookie));

const sealed = (cookie: string, { dn, ...rest }: PageSession, { keys }: PageSessionView): Uint8Array =>
  keys.seal(Buffer.from(JSON.stringify({ ...rest, dn: dn.format() })), keyOf(cookie));

const readNamed = (value: Uint8Array | undefined): readonly string[] =>
  value ? JSON.parse(Buffer.from(value).toString('latin1')) : [];

const namedValue = (all: readonly string[]): TimedValue => ({
  value: Buffer.from(JSON.stringify(all), 'latin1'),
  seconds: pageLife.whole,
});
