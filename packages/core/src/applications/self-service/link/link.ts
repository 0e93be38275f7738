/**
 * Links: each is good once and for a time, for one purpose of one user. The store keeps each sealed, under the hash of its token: a
 * reader of the store cannot use it. Beside them is the list of a user's links. A link that the list does not name is over, so that all
 * end with a new password, a deactivation or a block.
 */
import { hash } from 'node:crypto';
import { userLinksKey } from '../../../directory/entry/sessions.ts';
import { Dn } from '../../../foundation/text/dn.ts';
import type { AccountName, LinkSentBy } from '../../../login/request.ts';
import { overBudget, type PreparedMessage, writePrepared } from '../../../messaging/prepared-message.ts';
import { isAhead } from '../../../ports/clock.ts';
import type { KeyRing } from '../../../ports/keys.ts';
import { type Random, randomSession } from '../../../ports/random.ts';
import type { Ledger, TimedValue } from '../../../ports/store/ledger.ts';
import type { Store } from '../../../ports/store/store.ts';

/** Names of roles, or `all` of a super administrator. */
export type LinkRights = 'all' | readonly string[];

export type LinkApplication = 'pwreset' | 'selfreg';

/** Returns the family of an application's links in the store. */
export const linkFamily = (word: LinkApplication): string => `${word}-link`;

/** Items that can be registered by a link. */
export const items = ['Token1', 'Token2', 'Token3', 'FIDO', 'OTPList', 'AppKeys', 'SshKey'] as const;
export type LinkItem = (typeof items)[number];

export interface Link {
  /** The application that it is of, by its word. */
  readonly word: LinkApplication;
  readonly dn: Dn;
  /** The identifier of the user's entry. */
  readonly id: string;
  readonly name: AccountName;
  /** The end, in milliseconds since 1970. */
  readonly ends: number;
  /** A second factor is to be shown before. */
  readonly needsFactor: boolean;
  /** A code that is sent the same way is no second factor; left out: the link was sent to nobody. */
  readonly sentBy?: LinkSentBy | undefined;
  /** Asked for by a name: nobody has shown who it is that asks. */
  readonly isAlone?: boolean | undefined;
  /** The administrative rights that the user had when the link was made; left out: none. */
  readonly rights?: LinkRights | undefined;
  /** The item to register; undefined: a password is set. */
  readonly item?: LinkItem | undefined;
  /** Random bytes for what is registered, base64: so it is the same however often its page is opened. */
  readonly seed: string;
}

export interface LinkView {
  readonly store: Pick<Ledger, 'commit'> & Pick<Store, 'get' | 'put' | 'take'>;
  readonly keys: Pick<KeyRing, 'seal' | 'open'>;
  readonly clock: { now(): number };
  readonly random: Random;
}

/** 32 characters of `[0-9A-Za-z]`: 190 bits. */
export const newToken = (random: Random): string => randomSession(random) + randomSession(random);

const isToken = (text: string): boolean => /^[0-9A-Za-z]{32}$/.test(text);

/** The form data of a link's holder. */
export interface ShownLink {
  /** The application whose page it is. */
  readonly word: LinkApplication;
  readonly token: string;
}

const hashOf = ({ word, token }: ShownLink): string => hash('sha256', `${word}:${token}`);
const keyOf = (shown: ShownLink): string => `${linkFamily(shown.word)}:${hashOf(shown)}`;

/** Most links of a user; one more ends the oldest. Links that strangers ask for end none. */
const mostOfUser = 5;

export interface NewLink {
  readonly token: string;
  readonly link: Link;
  /** Take it to the user. */
  readonly messages: readonly PreparedMessage[];
  /** Nobody has shown who it is that asks. */
  readonly isAlone?: boolean | undefined;
}

/**
 * Saves a new link and its messages, all or none.
 * @throws ServiceError `too_large` where the budget of messages is used up, or the user has links enough
 */
export async function keepLink(
  { token, link, messages, isAlone = false }: NewLink,
  view: LinkView,
): Promise<void> {
  const shown = { word: link.word, token };
  const [key, named] = [keyOf(shown), userLinksKey(link.id)];
  const now = view.clock.now();
  const kept = valueOf(token, link, view);
  const keys = [...new Set([key, named, ...messages.flatMap((message) => message.keys)])];
  const usedUp = await view.store.commit({
    durable: keys,
    decide: (found) => {
      const before = readNamed(found.value(named), now);
      if (isAlone && before.length >= mostOfUser) return { result: 'of links of the user' };
      const all = [...before.slice(1 - mostOfUser), [hashOf(shown), link.ends] as const];
      const prepared = writePrepared(messages, found);
      if (prepared.result !== undefined) return { result: prepared.result };
      const values = new Map([...(prepared.values ?? []), [key, kept], [named, namedValue(all, now)]]);
      return { result: undefined, values };
    },
  });
  if (usedUp !== undefined) throw overBudget(usedUp);
}

/** Undefined: there is none, or it is over. */
export async function findLink(shown: ShownLink, view: LinkView): Promise<Link | undefined> {
  if (!isToken(shown.token)) return undefined;
  return linkIn(await view.store.get(keyOf(shown)), shown, view);
}

/** Uses a link up: of all who do so at once, one gets it. */
export async function takeLink(shown: ShownLink, view: LinkView): Promise<Link | undefined> {
  if (!isToken(shown.token)) return undefined;
  return linkIn(await view.store.take(keyOf(shown)), shown, view);
}

/** Puts a link back after its purpose failed: it is good again, unless it has ended meanwhile. */
export async function putBack(token: string, link: Link, view: LinkView): Promise<void> {
  const { value, seconds } = valueOf(token, link, view);
  await view.store.put(keyOf({ word: link.word, token }), value, seconds);
}

async function linkIn(
  value: Uint8Array | undefined,
  shown: ShownLink,
  view: LinkView,
): Promise<Link | undefined> {
  if (!value) return undefined;
  const { dn, ...rest } = JSON.parse(Buffer.from(view.keys.open(value, keyOf(shown))).toString('utf8'));
  const link: Link = { ...rest, dn: Dn.parse(dn) };
  const now = view.clock.now();
  const named = readNamed(await view.store.get(userLinksKey(link.id)), now);
  return isGood(link.ends, now) && new Map(named).has(hashOf(shown)) ? link : undefined;
}

function valueOf(token: string, link: Link, { keys, clock }: LinkView): TimedValue {
  const text = JSON.stringify({ ...link, dn: link.dn.format() });
  return {
    value: keys.seal(Buffer.from(text), keyOf({ word: link.word, token })),
    seconds: secondsTo(link.ends, clock.now()),
  };
}

type Named = readonly (readonly [hash: string, ends: number])[];

function readNamed(value: Uint8Array | undefined, now: number): Named {
  const all: Named = value ? JSON.parse(Buffer.from(value).toString('latin1')) : [];
  return all.filter(([, ends]) => isGood(ends, now));
}

/** The longest lifetime in milliseconds, whatever the settings say. */
const longest = 30 * 86_400_000;

/** A clock that was ahead has left links that would be good until its time has come. */
const isGood = (ends: number, now: number): boolean => ends > now && !isAhead(ends - longest, now);

const namedValue = (named: Named, now: number): TimedValue => ({
  value: Buffer.from(JSON.stringify(named), 'latin1'),
  seconds: secondsTo(Math.max(...named.map(([, ends]) => ends)), now),
});

const secondsTo = (ends: number, now: number): number => Math.max(1, Math.ceil((ends - now) / 1000));
