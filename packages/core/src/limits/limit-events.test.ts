import { expect, it } from 'vitest';
import { type LimitEvent, wordsOf } from './limit-events.ts';

const until = Date.UTC(2026, 0, 2, 3, 4, 5);
const nameOf = (key: string) => (key === 't' ? 'token 1' : undefined);

it.each<[LimitEvent, string]>([
  [
    { kind: 'refusal', isKnown: true, until },
    'refused at 192.0.2.1 from now on, until 2026-01-02 03:04:05: too many failures in a row',
  ],
  [
    { kind: 'refusal', isKnown: false, until: undefined },
    'refused at all unknown places (last at 192.0.2.1) from now on, until an administrator unblocks: too many failures in a row',
  ],
  [
    { kind: 'allowance', isKnown: true, until },
    'nothing is judged at 192.0.2.1 until 2026-01-02 03:04:05: too many attempts were half right',
  ],
  [
    { kind: 'closed', key: undefined },
    'the password is not tried alone at unknown places: 100 wrong ones in a row',
  ],
  [{ kind: 'closed', key: 't' }, 'token 1 is not tried alone at unknown places: 100 wrong ones in a row'],
  [
    { kind: 'disabled', key: 'u' },
    'a one-time password is disabled: 100 wrong codes behind the right password',
  ],
  [{ kind: 'forgotten' }, '192.0.2.1 is known no more: too many failures there'],
  [
    { kind: 'calm', caller: 'key:7' },
    'key:7 has passed on more than 100 failures in 10 minutes and names no source',
  ],
])('tells of %o', (happening, words) => {
  expect(wordsOf(happening, '192.0.2.1', nameOf)).toBe(words);
});
