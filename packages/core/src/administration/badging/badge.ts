/** Badges: sealed values of the store that show whether a user has badged in, and where. A badge expires after a day. */
import { hash } from 'node:crypto';
import type { Clock } from '../../ports/clock.ts';
import { isAhead } from '../../ports/clock.ts';
import type { KeyRing } from '../../ports/keys.ts';
import type { TimedValue } from '../../ports/store/ledger.ts';
import type { Store } from '../../ports/store/store.ts';

export interface Badge {
  /** The moment of badging in, in milliseconds since 1970. */
  readonly since: number;
  /** `<latitude>,<longitude>`; empty: the phone did not say. */
  readonly location: string;
  /** The IP address of the phone. */
  readonly source: string;
  /** The name of the office; empty: none. */
  readonly office: string;
}

export interface BadgeView {
  readonly store: Pick<Store, 'get'>;
  readonly keys: Pick<KeyRing, 'open'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** The family of badges in the store. */
export const badgeFamily = 'badge';

/** @param id of the entry */
export const badgeKey = (id: string): string => `${badgeFamily}:${hash('sha256', id)}`;

/** The lifetime in seconds, for people who forget to badge out. */
const longest = 86_400;

/** Returns the stored value of a badge. */
export const badgeValue = (key: string, badge: Badge, keys: Pick<KeyRing, 'seal'>): TimedValue => ({
  value: keys.seal(Buffer.from(JSON.stringify(badge)), key),
  seconds: longest,
});

/** Undefined: the user is not badged in. @throws ServiceError `unavailable` */
export async function findBadge(id: string, { store, keys, clock }: BadgeView): Promise<Badge | undefined> {
  const key = badgeKey(id);
  const value = await store.get(key);
  const badge: Badge | undefined = value && JSON.parse(Buffer.from(keys.open(value, key)).toString('utf8'));
  return badge && !isAhead(badge.since, clock.now()) ? badge : undefined;
}
