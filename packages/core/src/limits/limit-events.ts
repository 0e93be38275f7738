/** Events of the limits (a lockout begins, a quota is used up, an authenticator is capped), worded alike for every door. */
import { formatTimestamp } from '../foundation/text/timestamp.ts';

export type LimitEvent =
  /** The end, in milliseconds since 1970; undefined: until an administrator unblocks. */
  | { readonly kind: 'lockout'; readonly isKnown: boolean; readonly until: number | undefined }
  | { readonly kind: 'daily_quota'; readonly isKnown: boolean; readonly until: number }
  /** The authenticator; undefined: the password. */
  | { readonly kind: 'authenticator_cap'; readonly key: string | undefined }
  | { readonly kind: 'token_disabled'; readonly key: string }
  | { readonly kind: 'source_forgotten' }
  | { readonly kind: 'caller_watched'; readonly caller: string };

/**
 * Returns the words of an event.
 * @param source the source in words
 * @param nameOf returns the name of an authenticator: `token 1`
 */
export function wordsOf(
  happening: LimitEvent,
  source: string,
  nameOf?: (key: string) => string | undefined,
): string {
  switch (happening.kind) {
    case 'lockout':
      return `locked out at ${where(happening, source)} ${untilWhen(happening.until)}: too many failures in a row`;
    case 'daily_quota':
      return `nothing is judged at ${where(happening, source)} ${untilWhen(happening.until)}: the daily quota of partial successes is used up`;
    case 'authenticator_cap':
      return `${named(happening.key, nameOf)} is not tried as a single factor at unknown sources: 100 wrong values in a row`;
    case 'token_disabled':
      return `${named(happening.key, nameOf)} is disabled: 100 wrong codes after the right password`;
    case 'source_forgotten':
      return `${source} is no longer a known source: too many failures there`;
    case 'caller_watched':
      return `${happening.caller} has passed on more than 100 failures in 10 minutes and names no source`;
  }
}

const named = (key: string | undefined, nameOf?: (key: string) => string | undefined): string =>
  key === undefined ? 'the password' : (nameOf?.(key) ?? 'a one-time password');

const where = ({ isKnown }: { isKnown: boolean }, source: string): string =>
  isKnown ? source : `all unknown sources (last at ${source})`;

const untilWhen = (until: number | undefined): string =>
  until === undefined ? 'until an administrator unblocks' : `until ${formatTimestamp(until)}`;
