/** What comes of a code in a login: right ones are used up and grant it, wrong ones are blamed on what they are of. */

import { ServiceError } from '../errors.ts';
import type { View } from '../method.ts';
import { read } from '../setting.ts';
import type { Account } from './account.ts';
import { type Blamed, refused, type Verdict } from './attempt.ts';
import type { RightCode } from './codes.ts';
import type { Factor } from './login-request.ts';
import type { Reading } from './secrets.ts';
import { otpSettings } from './settings.ts';
import { tryCode } from './tried-code.ts';

export interface CodeGround {
  readonly account: Account;
  readonly view: View;
}

export interface CodeOptions {
  /** The password is right, or was when the challenge began. */
  readonly behind: boolean;
  /** What has to succeed before a right code is used up. @throws ServiceError which ends the login */
  readonly first?: () => Promise<void>;
}

export async function judgeCode(
  { code = '', concat }: Pick<Reading, 'code' | 'concat'>,
  ground: CodeGround,
  { behind, first = async () => {} }: CodeOptions,
): Promise<Verdict> {
  const tried = await tryCode(code, behind, ground);
  if (!tried.right) return refused(`${behind ? 'password right, ' : ''}${tried.why}`, 'address', 'token');
  await first();
  return spend(tried.right, ground, { behind, concat });
}

/** A code that is right logs in once. */
async function spend(
  right: RightCode,
  { account }: CodeGround,
  { behind, concat }: { behind: boolean; concat: number },
): Promise<Verdict> {
  const { factor } = right;
  switch (await right.use()) {
    case 'ours':
      return granted(account, { by: behind ? ['password', factor] : [factor], concat });
    case 'taken':
      // Whoever knows a right code does not guess: it counts, but not towards the end of the token.
      return refused('another login was faster with the same code', 'address', 'token');
    case 'unkept':
      return unkept(factor);
  }
}

/** Nobody's failure, and the code was not used up. What is wrong with the entry, the log tells. */
const unkept = (factor: Factor): Verdict => ({
  outcome: new ServiceError('unavailable', { detail: 'the state of the code cannot be kept' }),
  blamed: [],
  text: `refused: right, but the state of the ${factor} code could not be kept on the entry`,
});

/**
 * Forgotten are the failures of what was shown (concepts.md §7, 7). A password alone gives back no guesses at codes,
 * nor a code those at the password: whoever has one of them would guess the other without end.
 */
export const granted = (
  { settings }: Pick<Account, 'settings'>,
  { by, concat }: { by: readonly ('password' | Factor)[]; concat: number },
): Verdict => ({
  outcome: { kind: 'granted', data: read(settings, otpSettings.ReplyData) ?? '', concat },
  blamed: [],
  forgiven: by.map((factor): Blamed => (factor === 'password' ? 'user' : 'token')),
  text: `granted by ${by.join(' and ')}`,
});
