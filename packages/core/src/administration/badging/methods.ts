/** The row of the method table for badging. */
import { entryIdentifier } from '../../directory/entry/identifier.ts';
import type { EntryView } from '../../directory/view.ts';
import { isReason } from '../../foundation/errors/errors.ts';
import { type Dn, MalformedDn } from '../../foundation/text/dn.ts';
import { method } from '../../table/method.ts';
import { count, dnOrNot } from '../../table/schema/index.ts';
import { type BadgeView, findBadge } from './badge.ts';

type CheckView = BadgeView & Omit<EntryView, 'config'>;

export const badgingMethods = {
  Check_User_Badging: method({
    summary:
      'Tells when a user has badged in, in seconds since 1970; false where the user has not, or is not there.',
    on: 'dn',
    params: { dn: dnOrNot() },
    example: { dn: 'uid=alice,ou=people,dc=example,dc=org' },
    result: count(),
    permission: 'read',
    run: ({ dn }, call: CheckView) => badgedInSince(dn, call),
  }),
} as const;

async function badgedInSince(dn: Dn | MalformedDn, call: CheckView): Promise<number | false> {
  if (dn instanceof MalformedDn) return false;
  try {
    const badge = await findBadge(await entryIdentifier(dn, call), call);
    return badge ? Math.floor(badge.since / 1000) : false;
  } catch (error) {
    if (isReason(error, 'not_found')) return false;
    throw error;
  }
}
