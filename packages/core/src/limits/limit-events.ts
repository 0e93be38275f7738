/** Events of the limits: a lockout that begins, a quota that ends, an authenticator that is capped. Their words are the same for every door. */
import { formatTime } from '../foundation/text/moment.ts';

export type LimitEvent =
  /** The end, in milliseconds since 1970; undefined: until an administrator unblocks. */
  | { readonly kind: 'refusal'; readonly isKnown: boolean; readonly until: number | undefined }
  | { readonly kind: 'allowance'; readonly isKnown: boolean; readonly until: number }
  /** The authenticator; undefined: the password. */
  | { readonly kind: 'closed'; readonly key: string | undefined }
  | { readonly kind: 'disabled'; readonly key: string }
  | { readonly kind: 'forgotten' }
  | { readonly kind: 'calm'; readonly caller: string };

/**
 * Returns the words of an event.
 * @param place the source in words
 * @param nameOf returns the name of an authenticator: `token 1`
 */
export function wordsOf(
  happening: LimitEvent,
  place: string,
  nameOf?: (key: string) => string | undefined,
): string {
  switch (happening.kind) {
    case 'refusal':
      return `refused at ${where(happening, place)} from now on, ${untilWhen(happening.until)}: too many failures in a row`;
    case 'allowance':
      return `nothing is judged at ${where(happening, place)} ${untilWhen(happening.until)}: too many attempts were half right`;
    case 'closed':
      return `${named(happening.key, nameOf)} is not tried alone at unknown places: 100 wrong ones in a row`;
    case 'disabled':
      return `${named(happening.key, nameOf)} is disabled: 100 wrong codes behind the right password`;
    case 'forgotten':
      return `${place} is known no more: too many failures there`;
    case 'calm':
      return `${happening.caller} has passed on more than 100 failures in 10 minutes and names no source`;
  }
}

const named = (key: string | undefined, nameOf?: (key: string) => string | undefined): string =>
  key === undefined ? 'the password' : (nameOf?.(key) ?? 'a one-time password');

const where = ({ isKnown }: { isKnown: boolean }, place: string): string =>
  isKnown ? place : `all unknown places (last at ${place})`;

const untilWhen = (until: number | undefined): string =>
  until === undefined ? 'until an administrator unblocks' : `until ${formatTime(until)}`;
