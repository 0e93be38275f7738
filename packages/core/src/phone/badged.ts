/** A badging that is confirmed: where the phone says that its user is, and what is kept of it. */
import { type Badge, badgeKey, badgeValue } from '../badging/badge.ts';
import { isWithin, officeOf, readLocation, writeLocation } from '../badging/place.ts';
import { badgingSettings } from '../badging/settings.ts';
import type { Settings } from '../directory/data/layers.ts';
import type { KeyRing } from '../ports/keys.ts';
import type { TimedValue } from '../ports/ledger.ts';
import { read } from '../table/setting.ts';
import type { TransactionState } from './transaction.ts';

export interface Badged {
  readonly badging: NonNullable<TransactionState['badging']>;
  /** What is kept of the user from now on; null: nothing. */
  readonly values: ReadonlyMap<string, TimedValue | null>;
}

export interface BadgingPhone {
  /** As it says it; empty: it does not. */
  readonly location: string;
  /** Its IP address. */
  readonly address: string;
  /** In force for the user. */
  readonly settings: Settings;
  /** The identifier of the user's entry. */
  readonly id: string;
}

/** Undefined: the user may not badge there. */
export function badgedBy(
  way: 'in' | 'out',
  { location, address, settings, id }: BadgingPhone,
  { keys, now }: { readonly keys: Pick<KeyRing, 'seal'>; readonly now: number },
): Badged | undefined {
  const place = readLocation(location);
  if (!isWithin(place, read(settings, badgingSettings.BadgingArea))) return undefined;
  const badge: Badge = {
    ...{ since: now, source: address, location: place ? writeLocation(place) : '' },
    office: officeOf(place, read(settings, badgingSettings.BadgingLocations)),
  };
  const key = badgeKey(id);
  return {
    badging: { way, badge },
    values: new Map([[key, way === 'in' ? badgeValue(key, badge, keys) : null]]),
  };
}
