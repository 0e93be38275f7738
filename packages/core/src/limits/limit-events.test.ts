import { expect, it } from 'vitest';
import { type LimitEvent, wordsOf } from './limit-events.ts';

const until = Date.UTC(2026, 0, 2, 3, 4, 5);
const nameOf = (key: string) => (key === 't' ? 'token 1' : undefined);

it.each<[LimitEvent, string]>([
  [
    { kind: 'lockout', isKnown: true, until },
    'locked out at 192.0.2.1 until 2026-01-02 03:04:05: too many failures in a row',
  ],
  [
    { kind: 'lockout', isKnown: false, until: undefined },
    'locked out at all unknown sources (last at 192.0.2.1) until an administrator unblocks: too many failures in a row',
  ],
  [
    { kind: 'daily_quota', isKnown: true, until },
    'nothing is judged at 192.0.2.1 until 2026-01-02 03:04:05: the daily quota of partial successes is used up',
  ],
  [
    { kind: 'authenticator_cap', key: undefined },
    'the password is not tried as a single factor at unknown sources: 100 wrong values in a row',
  ],
  [
    { kind: 'authenticator_cap', key: 't' },
    'token 1 is not tried as a single factor at unknown sources: 100 wrong values in a row',
  ],
  [
    { kind: 'token_disabled', key: 'u' },
    'a one-time password is disabled: 100 wrong codes after the right password',
  ],
  [{ kind: 'source_forgotten' }, '192.0.2.1 is no longer a known source: too many failures there'],
  [
    { kind: 'caller_watched', caller: 'key:7' },
    'key:7 has passed on more than 100 failures in 10 minutes and names no source',
  ],
])('tells of %o', (happening, words) => {
  expect(wordsOf(happening, '192.0.2.1', nameOf)).toBe(words);
});
