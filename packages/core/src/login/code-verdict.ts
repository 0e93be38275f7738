/** What comes of a code in a login: right ones are used up and grant it, wrong ones are blamed on what they are of. */

import type { CodeHolder, Factor, RightCode } from '../authenticators/code/authenticator.ts';
import { type AdmittedAccount, tryCode } from '../authenticators/code/tried-code.ts';
import { ServiceError } from '../errors/errors.ts';
import { read } from '../table/setting.ts';

import type { Reading } from './secrets.ts';
import { loginSettings } from './settings.ts';
import { refused, type Verdict } from './verdict.ts';

export interface CodeOptions {
  /** The password is right, or was when the challenge began. */
  readonly behind: boolean;
  /** Wrong passwords that the directory was asked about before the right one. */
  readonly passedOn?: number;
  /** What has to succeed before a right code is used up. @throws ServiceError which ends the login */
  readonly first?: () => Promise<void>;
}

/** A wrong one is half right behind a right password, and counts as such where no password is wanted (§7, 3). */
export async function judgeCode(
  { code = '', concat }: Pick<Reading, 'code' | 'concat'>,
  admitted: AdmittedAccount,
  { behind, passedOn = 0, first = async () => {} }: CodeOptions,
): Promise<Verdict> {
  const tried = await tryCode(code, behind, admitted);
  if (!tried.right) {
    const wrongCodes = tried.tried.map((key) => ({ key, behind }));
    const counts = { isHalfRight: true, wrongCodes, passedOn };
    return refused(`${behind ? 'password right, ' : ''}${tried.why}`, counts);
  }
  await first();
  const { account, view } = admitted;
  await view.mark.assure(account.dn);
  return spend(tried, account, { behind, concat, passedOn });
}

/** A code that is right logs in once. */
async function spend(
  { right, key }: { right: RightCode; key: string },
  account: CodeHolder,
  { behind, concat, passedOn }: { behind: boolean; concat: number; passedOn: number },
): Promise<Verdict> {
  const { factor } = right;
  switch (await right.use()) {
    case 'ours': {
      const password = behind ? (['password'] as const) : [];
      return granted(account, { by: [...password, factor], used: [...password, key], concat, passedOn });
    }
    case 'taken':
      // Whoever knows a right code does not guess: it counts, but not towards the end of the token.
      return refused('another login was faster with the same code', { isHalfRight: true, passedOn });
    case 'unkept':
      return unkept(factor);
  }
}

/** Nobody's failure, and the code was not used up. What is wrong with the entry, the log tells. */
const unkept = (factor: Factor): Verdict => ({
  outcome: new ServiceError('unavailable', { detail: 'the state of the code cannot be kept' }),
  counts: { end: 'neither' },
  text: `refused: right, but the state of the ${factor} code could not be kept on the entry`,
});

interface Granted {
  readonly by: readonly ('password' | Factor)[];
  /** `password`, and keys of codes: their rows end (concepts.md §7, 7). */
  readonly used: readonly string[];
  readonly concat: number;
  readonly passedOn?: number;
}

export const granted = (
  { settings }: Pick<CodeHolder, 'settings'>,
  { by, used, concat, passedOn = 0 }: Granted,
): Verdict => ({
  outcome: { kind: 'granted', data: read(settings, loginSettings.ReplyData) ?? '', concat },
  counts: { end: 'granted', used, passedOn },
  text: `granted by ${by.join(' and ')}`,
});
