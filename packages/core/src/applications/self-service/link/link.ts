/**
 * Links that the service sends to users, to reset a password (PwReset) or to register a second factor (SelfReg). A link is valid once and
 * for a time, for one purpose of one user. The store keeps each sealed, under the hash of its token: a reader of the store cannot use
 * it. An index lists the links of a user. A link that is not in the index is revoked: a new password, a deactivation and a block remove
 * the index.
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

/** An application that sends links, in code letters. */
export type LinkApplication = 'pwreset' | 'selfreg';

/** Returns the family of an application's links in the store. */
export const linkFamily = (application: LinkApplication): string => `${application}-link`;

/** Items that can be registered by a link. */
export const items = ['Token1', 'Token2', 'Token3', 'FIDO', 'OTPList', 'AppKeys', 'SshKey'] as const;
export type LinkItem = (typeof items)[number];

export interface Link {
  readonly application: LinkApplication;
  readonly dn: Dn;
  /** The identifier of the user's entry. */
  readonly id: string;
  readonly name: AccountName;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  /** Whether the page asks for a second factor first. */
  readonly needsSecondFactor: boolean;
  /** The channel of the message: a code sent by the same channel is not a second factor. Optional; default: no message was sent. */
  readonly sentBy?: LinkSentBy | undefined;
  /** Whether the link was requested with a user name only, without authentication. */
  readonly isUnauthenticated?: boolean | undefined;
  /** The administrative rights of the user when the link was made. Optional; default: none. */
  readonly rights?: LinkRights | undefined;
  /** The item to register; undefined: a password is set. */
  readonly item?: LinkItem | undefined;
  /** Random bytes in base64 from which the page makes the secret to register, so that every visit shows the same secret. */
  readonly seed: string;
}

/** A link as the store keeps it. The property names are those of earlier versions. */
interface StoredLink
  extends Omit<Link, 'application' | 'dn' | 'expiresAt' | 'needsSecondFactor' | 'isUnauthenticated'> {
  readonly word: LinkApplication;
  readonly dn: string;
  readonly ends: number;
  readonly needsFactor: boolean;
  readonly isAlone?: boolean | undefined;
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

/** The application and token of a link, as the page of the link receives them. */
export interface PresentedLink {
  readonly application: LinkApplication;
  readonly token: string;
}

const hashOf = ({ application, token }: PresentedLink): string => hash('sha256', `${application}:${token}`);
const keyOf = (shown: PresentedLink): string => `${linkFamily(shown.application)}:${hashOf(shown)}`;

/** The maximum of links of a user. One more revokes the oldest, except that unauthenticated requests are refused instead. */
const maxLinksPerUser = 5;

export interface NewLink {
  readonly token: string;
  readonly link: Link;
  /** The messages that bring the link to the user. */
  readonly messages: readonly PreparedMessage[];
  /** See {@link Link.isUnauthenticated}. */
  readonly isUnauthenticated?: boolean | undefined;
}

/** The budget that is used up, as a message of {@link overBudget} names it. */
const exhaustedLinks = 'of links of the user';

/**
 * Stores a new link and its messages in one step.
 * @throws ServiceError `too_large` if the budget of messages is used up, or the user has the maximum of links
 */
export async function storeLink(
  { token, link, messages, isUnauthenticated = false }: NewLink,
  view: LinkView,
): Promise<void> {
  const shown = { application: link.application, token };
  const [key, indexKey] = [keyOf(shown), userLinksKey(link.id)];
  const now = view.clock.now();
  const value = valueOf(token, link, view);
  const keys = [...new Set([key, indexKey, ...messages.flatMap((message) => message.keys)])];
  const usedUp = await view.store.commit({
    durable: keys,
    decide: (found) => {
      const before = readIndex(found.value(indexKey), now);
      if (isUnauthenticated && before.length >= maxLinksPerUser) return { result: exhaustedLinks };
      const all = [...before.slice(1 - maxLinksPerUser), [hashOf(shown), link.expiresAt] as const];
      const prepared = writePrepared(messages, found);
      if (prepared.result !== undefined) return { result: prepared.result };
      const values = new Map([...(prepared.values ?? []), [key, value], [indexKey, indexValue(all, now)]]);
      return { result: undefined, values };
    },
  });
  if (usedUp !== undefined) throw overBudget(usedUp);
}

/** Reads a link; undefined if it is unknown, expired or revoked. */
export async function findLink(shown: PresentedLink, view: LinkView): Promise<Link | undefined> {
  if (!isToken(shown.token)) return undefined;
  return openLink(await view.store.get(keyOf(shown)), shown, view);
}

/** Takes a link out of the store: of several concurrent calls, one gets it. */
export async function takeLink(shown: PresentedLink, view: LinkView): Promise<Link | undefined> {
  if (!isToken(shown.token)) return undefined;
  return openLink(await view.store.take(keyOf(shown)), shown, view);
}

/** Puts a link back after its purpose failed: it is valid again, unless it was revoked meanwhile. */
export async function putBack(token: string, link: Link, view: LinkView): Promise<void> {
  const { value, seconds } = valueOf(token, link, view);
  await view.store.put(keyOf({ application: link.application, token }), value, seconds);
}

/** Decrypts a stored link; undefined if it is expired or revoked. */
async function openLink(
  value: Uint8Array | undefined,
  shown: PresentedLink,
  view: LinkView,
): Promise<Link | undefined> {
  if (!value) return undefined;
  const link = linkOf(JSON.parse(Buffer.from(view.keys.open(value, keyOf(shown))).toString('utf8')));
  const now = view.clock.now();
  const index = readIndex(await view.store.get(userLinksKey(link.id)), now);
  return isValid(link.expiresAt, now) && new Map(index).has(hashOf(shown)) ? link : undefined;
}

function valueOf(token: string, link: Link, { keys, clock }: LinkView): TimedValue {
  const text = JSON.stringify(storedLink(link));
  return {
    value: keys.seal(Buffer.from(text), keyOf({ application: link.application, token })),
    seconds: secondsTo(link.expiresAt, clock.now()),
  };
}

const linkOf = ({ word, dn, ends, needsFactor, isAlone, ...rest }: StoredLink): Link => ({
  ...rest,
  ...{ application: word, dn: Dn.parse(dn), expiresAt: ends },
  ...{ needsSecondFactor: needsFactor, isUnauthenticated: isAlone },
});

const storedLink = (link: Link): StoredLink => {
  const { application, dn, expiresAt, needsSecondFactor, isUnauthenticated, ...rest } = link;
  return {
    ...rest,
    ...{ word: application, dn: dn.format(), ends: expiresAt },
    ...{ needsFactor: needsSecondFactor, isAlone: isUnauthenticated },
  };
};

/** The links of a user: the hash of each token and the expiry, in milliseconds since 1970. */
type LinkIndex = readonly (readonly [hash: string, expiresAt: number])[];

function readIndex(value: Uint8Array | undefined, now: number): LinkIndex {
  const all: LinkIndex = value ? JSON.parse(Buffer.from(value).toString('latin1')) : [];
  return all.filter(([, expiresAt]) => isValid(expiresAt, now));
}

/** An upper bound of all lifetimes, in milliseconds. */
const maxLifetime = 30 * 86_400_000;

/** Returns whether an expiry is in the future, and not so far that only a clock that was ahead can have set it. */
const isValid = (expiresAt: number, now: number): boolean =>
  expiresAt > now && !isAhead(expiresAt - maxLifetime, now);

const indexValue = (index: LinkIndex, now: number): TimedValue => ({
  value: Buffer.from(JSON.stringify(index), 'latin1'),
  seconds: secondsTo(Math.max(...index.map(([, expiresAt]) => expiresAt)), now),
});

const secondsTo = (expiresAt: number, now: number): number =>
  Math.max(1, Math.ceil((expiresAt - now) / 1000));
