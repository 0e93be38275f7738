/**
 * Sessions of a user's own page. What is known of one stays in the store, sealed, under the hash of its cookie. Beside them stands
 * which ones a user has; one that is not named there is over, so that all of them end with a new password, a deactivation or a block.
 */
import { hash } from 'node:crypto';
import { userPagesKey } from '../../directory/entry/sessions.ts';
import type { AccountName } from '../../login/login-request.ts';
import type { KeyRing } from '../../ports/keys.ts';
import type { Ledger, TimedValue } from '../../ports/ledger.ts';
import type { Random } from '../../ports/random.ts';
import type { Store } from '../../ports/store.ts';
import { Dn } from '../../text/dn.ts';

/** What the store keeps them under. */
export const pageFamily = 'selfdesk-session';

/** In seconds: without a request, and at all. */
export const pageLife = { idle: 900, whole: 28_800 } as const;
/** In milliseconds: so often a request is written down. */
const touchEvery = 60_000;
/** So many a user has at a time; one more ends the oldest. */
const mostOfUser = 10;

export interface PageSession {
  readonly dn: Dn;
  /** The identifier of the user's entry. */
  readonly id: string;
  readonly name: AccountName;
  /** IP address of who began it. */
  readonly address: string;
  /** In milliseconds since 1970. */
  readonly begun: number;
  readonly used: number;
  /** A second factor was shown. */
  readonly hasFactor: boolean;
}

export interface PageSessionView {
  readonly store: Pick<Ledger, 'settle'> & Pick<Store, 'get' | 'put' | 'remove'>;
  readonly keys: Pick<KeyRing, 'seal' | 'open'>;
  readonly clock: { now(): number };
  readonly random: Random;
}

/** 256 bits. */
const cookieForm = /^[A-Za-z0-9_-]{43}$/;

const hashOf = (cookie: string): string => hash('sha256', `selfdesk:${cookie}`);
const keyOf = (cookie: string): string => `${pageFamily}:${hashOf(cookie)}`;

/** @returns the cookie */
export async function beginSession(
  session: Omit<PageSession, 'begun' | 'used'>,
  view: PageSessionView,
): Promise<string> {
  const cookie = Buffer.from(view.random.bytes(32)).toString('base64url');
  const now = view.clock.now();
  const [key, named] = [keyOf(cookie), userPagesKey(session.id)];
  const value = sealed(cookie, { ...session, begun: now, used: now }, view);
  await view.store.settle([key, named], (found) => {
    const before = readNamed(found.value(named));
    const all = [...before.slice(1 - mostOfUser), hashOf(cookie)];
    const list = { value: Buffer.from(JSON.stringify(all), 'latin1'), seconds: pageLife.whole };
    return {
      result: undefined,
      values: new Map<string, TimedValue>([
        [key, { value, seconds: pageLife.idle }],
        [named, list],
      ]),
    };
  });
  return cookie;
}

/** Undefined: it is over, or never was. */
export async function resumeSession(cookie: string, view: PageSessionView): Promise<PageSession | undefined> {
  if (!cookieForm.test(cookie)) return undefined;
  const value = await view.store.get(keyOf(cookie));
  if (!value) return undefined;
  const { dn, ...rest } = JSON.parse(Buffer.from(view.keys.open(value, keyOf(cookie))).toString('utf8'));
  const session: PageSession = { ...rest, dn: Dn.parse(dn) };
  const named = readNamed(await view.store.get(userPagesKey(session.id)));
  const now = view.clock.now();
  const isOver = now - session.used >= pageLife.idle * 1000 || now - session.begun >= pageLife.whole * 1000;
  if (isOver || !new Set(named).has(hashOf(cookie))) return undefined;
  if (now - session.used >= touchEvery)
    await view.store.put(keyOf(cookie), sealed(cookie, { ...session, used: now }, view), pageLife.idle);
  return session;
}

export const endSession = (cookie: string, { store }: Pick<PageSessionView, 'store'>): Promise<void> =>
  store.remove(keyOf(cookie));

const sealed = (cookie: string, { dn, ...rest }: PageSession, { keys }: PageSessionView): Uint8Array =>
  keys.seal(Buffer.from(JSON.stringify({ ...rest, dn: dn.format() })), keyOf(cookie));

const readNamed = (value: Uint8Array | undefined): readonly string[] =>
  value ? JSON.parse(Buffer.from(value).toString('latin1')) : [];
