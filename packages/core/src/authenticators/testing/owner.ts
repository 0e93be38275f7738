/** Test owners of authenticators, and states of the store, without a directory. */
import { createSecretKey } from 'node:crypto';
import { systemRandom } from '../../../../node/src/machine/index.ts';
import type { DataChanges, StoredData } from '../../directory/data/data.ts';
import { hotp } from '../../foundation/oath/hotp.ts';
import { ocra } from '../../foundation/oath/ocra.ts';
import { Dn } from '../../foundation/text/dn.ts';
import { KeyRing } from '../../ports/keys.ts';
import type { KeyState } from '../../ports/store/ledger.ts';
import { TestClock } from '../../testing/test-clock.ts';
import type { AuthenticatorOwner, CodeUser } from '../authenticator.ts';
import { suiteOf } from '../ocra-token.ts';
import type { Token } from '../token.ts';
import { authenticatorsOf } from '../user-authenticators.ts';

export const secret = Buffer.from('12345678901234567890');
export const keys = new KeyRing([Buffer.alloc(32, 7)], systemRandom);
export const clock = new TestClock();
/** The time step of {@link clock}. */
export const step = Math.floor(clock.now() / 30_000);

type TokenOf<Type extends Token['type']> = Extract<Token, { readonly type: Type }>;
const usual = { slot: 1, secret, enabled: true } as const;
export const totpToken: TokenOf<'TOTP'> = { ...usual, type: 'TOTP', state: { step: 0, drift: 0 } };
export const hotpToken: TokenOf<'HOTP'> = { ...usual, type: 'HOTP', state: { counter: 5 } };
export const ocraToken: TokenOf<'OCRA'> = { ...usual, type: 'OCRA', state: { counter: 0, drift: 0 } };

/** Returns the code of a counter or a time step. */
export const codeAt = (counter: number): string =>
  hotp({ secret: createSecretKey(secret), digits: 6 }, counter);

/** Returns the answer of {@link ocraToken} to a question, now. */
export function answerTo(question: string): string {
  const suite = suiteOf(ocraToken);
  if (!suite) throw new Error('the usual suite is none');
  return ocra(createSecretKey(secret), suite, { question, counter: 0, time: clock.now() });
}

export const dataOf = (...changes: readonly DataChanges[]): StoredData => {
  const all = new Map(changes.flatMap((each) => [...each]));
  return { keys: [...all.keys()], get: (key) => all.get(key) ?? undefined };
};

export interface OwnerOptions extends Partial<Omit<AuthenticatorOwner, 'settings'>> {
  /** Settings without the prefix `Otp.`. */
  readonly settings?: Readonly<Record<string, string>>;
}

export const ownerOf = ({ settings = {}, ...more }: OwnerOptions = {}): AuthenticatorOwner => ({
  dn: Dn.parse('uid=alice,dc=example,dc=org'),
  id: 'alice',
  data: dataOf(),
  tokens: [],
  channels: {},
  source: 'here',
  settings: new Map(Object.entries(settings).map(([name, value]) => [`Otp.${name}`, value])),
  ...more,
});

/** Returns an owner with its authenticators. */
export function userOf(options: OwnerOptions = {}): CodeUser {
  const owner = ownerOf(options);
  return { ...owner, authenticators: authenticatorsOf(owner, { clock, keys }) };
}

/** Returns a state of the store from values and claims by key. */
export const knownOf = (
  values: ReadonlyMap<string, Uint8Array> = new Map(),
  claims: ReadonlyMap<string, number> = new Map(),
): KeyState => ({ value: (key) => values.get(key), claimed: (key) => claims.get(key) });
