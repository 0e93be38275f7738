/** Completes a confirmed badging: checks the location that the phone reports, and stores the badge. */
import { type Badge, badgeKey, badgeValue } from '../../administration/badging/badge.ts';
import { isWithin, officeOf, readLocation, writeLocation } from '../../administration/badging/place.ts';
import { badgingSettings } from '../../administration/badging/settings.ts';
import type { KeyRing } from '../../ports/keys.ts';
import { read } from '../../table/setting.ts';
import type { Besides, PhoneSaying } from './phone-saying.ts';

/** Undefined: the user may not badge there. */
export function badgedBy(
  way: 'in' | 'out',
  { location, address, settings, id }: Pick<PhoneSaying, 'location' | 'address' | 'settings' | 'id'>,
  { keys, now }: { readonly keys: Pick<KeyRing, 'seal'>; readonly now: number },
): Besides | undefined {
  const place = readLocation(location);
  if (!isWithin(place, read(settings, badgingSettings.BadgingArea))) return undefined;
  const badge: Badge = {
    ...{ since: now, source: address, location: place ? writeLocation(place) : '' },
    office: officeOf(place, read(settings, badgingSettings.BadgingLocations)),
  };
  const key = badgeKey(id);
  return {
    state: { badging: { way, badge } },
    values: new Map([[key, way === 'in' ? badgeValue(key, badge, keys) : null]]),
  };
}
