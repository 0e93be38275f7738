/** The last code of a token: its record, and when it is good again. */
import { describe, expect, it } from 'vitest';
import type { AuthenticatorOwner, RightCode, TokenAuthenticator } from './authenticator.ts';
import { isRepeatedCode, keptLastCode, lastCodeKeyOf } from './last-code.ts';
import {
  clock,
  codeAt,
  hotpToken,
  keys,
  knownOf,
  type OwnerOptions,
  ownerOf,
  userOf,
} from './testing/owner.ts';

const settings = { LastOTPTime: '60' };
const alice = { settings, tokens: [hotpToken] };
const [counter, code] = [5, codeAt(5)];
const after = { counter: counter + 1 };
const tokenOf = (options: OwnerOptions) => userOf(options).authenticators[0] as TokenAuthenticator;
const of = tokenOf(alice);
const used: RightCode = {
  ...{ kind: 'token', of, code },
  verdict: { type: 'HOTP', state: after, claim: counter },
};

/** The state of the store after a login with {@link used}. */
function loggedIn(owner: AuthenticatorOwner = ownerOf(alice)): Map<string, Uint8Array> {
  const kept = keptLastCode(used, owner, { keys, clock });
  return new Map([...kept].flatMap(([key, value]) => (value ? [[key, value.value]] : [])));
}

interface Shown {
  readonly code?: string;
  readonly of?: TokenAuthenticator;
  readonly accepted?: number;
  readonly owner?: AuthenticatorOwner;
  /** Milliseconds after the login. */
  readonly later?: number;
  readonly kept?: Map<string, Uint8Array>;
}

function isGoodAgain({
  accepted = counter,
  owner = ownerOf(alice),
  later = 0,
  kept,
  ...shown
}: Shown): boolean {
  const at = clock.now() + later;
  const moment = { ...clock, now: () => at, sleep: clock.sleep, every: clock.every };
  const authenticator = shown.of ?? { ...of, token: { ...hotpToken, state: after } };
  const again = { code: shown.code ?? code, of: authenticator, accepted };
  return isRepeatedCode(again, owner, { known: knownOf(kept ?? loggedIn()), keys, clock: moment });
}

describe('the last code', () => {
  it.each<[string, Shown]>([
    ['at once', {}],
    ['with spaces', { code: `${code.slice(0, 3)} ${code.slice(3)}` }],
    ['just before the time is over', { later: 59_999 }],
    ['where no claim is known', { accepted: -1 }],
  ])('is good again %s', (_, shown) => {
    expect(isGoodAgain(shown)).toBe(true);
  });

  it.each<[string, Shown]>([
    ['another code', { code: codeAt(6) }],
    ['when the time is over', { later: 60_000 }],
    ['of a time that is yet to come', { later: -1 }],
    ['from another source', { owner: ownerOf({ ...alice, source: 'there' }) }],
    [
      'from a caller that does not distinguish its users',
      { owner: ownerOf({ ...alice, source: undefined }) },
    ],
    ['without the setting', { owner: ownerOf({ ...alice, settings: {} }) }],
    ['of another user', { owner: ownerOf({ ...alice, id: 'bob' }) }],
    ['of another token', { of: tokenOf({ ...alice, tokens: [{ ...hotpToken, secret: Buffer.alloc(20) }] }) }],
    ['of a token that went on', { of: { ...of, token: { ...hotpToken, state: { counter: counter + 2 } } } }],
    ['before a later claim', { accepted: counter + 1 }],
    ['of which nothing is kept', { kept: new Map() }],
  ])('is not good again: %s', (_, shown) => {
    expect(isGoodAgain(shown)).toBe(false);
  });
});

describe('the record of a login', () => {
  const kept = (right: RightCode, options: OwnerOptions) => {
    const owner = ownerOf({ ...alice, ...options });
    return [...keptLastCode(right, owner, { keys, clock })].map(([, value]) => value?.seconds);
  };
  const emergency = { digest: Buffer.alloc(16), start: 0, end: 0, uses: 0 };
  const other: RightCode = {
    kind: 'emergency',
    of: { kind: 'EMERGENCY', key: '', name: '', wrongCodes: '', emergency },
  };

  it('is the code of a token, for as long as the setting says', () => {
    expect(kept(used, {})).toEqual([60]);
    const [sealed] = [...loggedIn().values()];
    expect(Buffer.from(sealed ?? []).toString('latin1')).not.toContain(code);
  });

  it('ends the one before with any other code, and from a caller that does not distinguish its users', () => {
    expect(kept(other, {})).toEqual([undefined]);
    expect(kept(used, { source: undefined })).toEqual([undefined]);
  });

  it('stays as it is with the last code again, and without the setting', () => {
    expect(kept({ kind: 'again', of }, {})).toEqual([]);
    expect(kept(used, { settings: {} })).toEqual([]);
  });

  it('is read only when a code can be good again', () => {
    const isLookedFor = (options: OwnerOptions) =>
      lastCodeKeyOf(ownerOf({ ...alice, ...options })) !== undefined;
    expect(isLookedFor({})).toBe(true);
    expect(isLookedFor({ settings: {} })).toBe(false);
    expect(isLookedFor({ source: undefined })).toBe(false);
  });
});
