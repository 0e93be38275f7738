/** What an attempt would try alone, and whether it shows more than one factor: what the limits go by (concepts.md §7, 5–6). */
import { distinctAuthenticators } from '../../authenticators/code/codes.ts';
import type { Attempter } from '../../limits/attempter.ts';
import type { Account } from '../account/account.ts';
import { codeOnly, readSecrets, wantedFactors, wholeReadings } from '../proof/readings.ts';
import type { LoginView } from '../view.ts';
import type { LoginAttempt, ShownAnswer, ShownSecrets } from './evidence.ts';

export type Ways = Pick<Attempter, 'alone' | 'together'>;

export function waysOf(attempt: LoginAttempt, view: LoginView): Ways {
  const { found, evidence } = attempt;
  switch (evidence.kind) {
    case 'secrets':
      return waysOfSecrets({ ...attempt, evidence }, view);
    case 'answer':
      return waysOfAnswer(evidence, found.account, view);
    case 'certificate':
      // It guesses nothing, so it counts as complete under a refusal (concepts.md §7, 5).
      return { alone: { password: false, codes: [] }, together: 'both' };
  }
}

function waysOfSecrets(
  { visit, found, evidence }: LoginAttempt<ShownSecrets>,
  view: Pick<LoginView, 'clock' | 'keys'>,
): Ways {
  const { account } = found;
  const preset = account ?? found.preset;
  const wanted = preset && wantedFactors(preset, visit);
  if (!wanted) return { alone: { password: !preset, codes: [] }, together: 'nothing' };
  const [reading] = readSecrets(evidence, codeOnly);
  const triesCode = !wanted.password && reading?.code !== undefined;
  return {
    alone: { password: wanted.password, codes: triesCode ? codeKeys(account, view) : [] },
    together: wholeReadings(evidence).length > 0 ? 'both' : 'nothing',
  };
}

/** Behind a right password it is judged as a whole by whom it was begun by; without one, it is a code alone. */
function waysOfAnswer(
  { otp, isByBeginner, challenge: { behind, begun } }: ShownAnswer,
  account: Account | undefined,
  view: Pick<LoginView, 'clock' | 'keys'>,
): Ways {
  const isWhole = account !== undefined && behind && otp !== undefined && isByBeginner;
  const codes = !behind && otp !== undefined ? codeKeys(account, view) : [];
  return { alone: { password: false, codes }, together: isWhole ? { answer: { begun } } : 'nothing' };
}

const codeKeys = (
  account: Account | undefined,
  view: Pick<LoginView, 'clock' | 'keys'>,
): readonly string[] => (account ? distinctAuthenticators(account, view).map(({ key }) => key) : []);
