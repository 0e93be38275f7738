/** A code of a login, tried against all that it could be of: a token, a printed list, an emergency password. */
import type { View } from '../method.ts';
import type { Account } from './account.ts';
import { type Authenticator, authenticatorsOf, type RightCode } from './codes.ts';
import { noteState } from './kept-state.ts';
import { tokenChanges } from './token-data.ts';
import { beginGuess, forgetWrongCodes, type Guess, isClosedAlone, mostWrongCodes } from './wrong-codes.ts';

export type TriedCode =
  | { readonly right: RightCode }
  /** For the log, never for the caller. */
  | { readonly right?: undefined; readonly why: string };

/** @param behind the code stands behind a right password */
export async function tryCode(
  code: string,
  behind: boolean,
  { account, view }: { account: Account; view: View },
): Promise<TriedCode> {
  const guesses = await beginGuesses(authenticatorsOf(account, view), behind, view);
  for (const { authenticator } of guesses) {
    const right = await authenticator.find(code);
    if (!right) continue;
    await Promise.all(guesses.map(({ guess }) => guess.spare()));
    return { right: forgetting(right, authenticator, view) };
  }
  const ends = await Promise.all(guesses.map((one) => countWrong(one, behind, { account, view })));
  return { why: [whyNot(code, guesses), ...ends.filter((end) => end !== undefined)].join('; ') };
}

/** Some of what this user has is tried only behind a right password, after too many wrong codes. */
export async function hasClosedAlone(account: Account, view: View): Promise<boolean> {
  const keys = authenticatorsOf(account, view).map(({ key }) => key);
  return (await Promise.all(keys.map((key) => isClosedAlone(key, view.core.store)))).includes(true);
}

interface Tried {
  readonly authenticator: Authenticator;
  readonly guess: Guess;
}

/** The same secret in two slots is one authenticator. */
async function beginGuesses(
  authenticators: readonly Authenticator[],
  behind: boolean,
  { core: { store } }: View,
): Promise<readonly Tried[]> {
  const keys = authenticators.map(({ key }) => key);
  const distinct = authenticators.filter(({ key }, index) => keys.indexOf(key) === index);
  const begun = distinct.map(async (authenticator) => {
    const guess = await beginGuess(authenticator.key, behind, store);
    return guess ? [{ authenticator, guess }] : [];
  });
  return (await Promise.all(begun)).flat();
}

const forgetting = (right: RightCode, { key }: Authenticator, { core: { store } }: View): RightCode => ({
  ...right,
  use: async () => {
    const use = await right.use();
    if (use === 'ours') await forgetWrongCodes(key, store);
    return use;
  },
});

function whyNot(code: string, tried: readonly Tried[]): string {
  if (tried.length === 0) return 'nothing that the code could be tried with';
  return tried.some(({ authenticator }) => authenticator.wasUsed(code))
    ? 'the code was used before, or one after it (replay)'
    : 'wrong code';
}

/** @returns what came of too many wrong codes, in words */
async function countWrong(
  { authenticator: { name, slot }, guess }: Tried,
  behind: boolean,
  { account, view }: { account: Account; view: View },
): Promise<string | undefined> {
  if ((await guess.fail()) < mostWrongCodes) return undefined;
  if (!behind) return `${name} is tried only behind the right password after too many wrong codes`;
  // Where the entry cannot be written, the count alone keeps it from being tried.
  const disabled = () => tokenChanges(slot ?? 1, { enabled: false });
  if (slot !== undefined) await noteState(account, disabled, view);
  return `${name} is disabled after too many wrong codes`;
}
