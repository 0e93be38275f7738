/** What an attempt would try alone, and whether it shows more than one factor: what the limits go by (concepts.md §7, 5–6). */

import { deviceClaimKeys, usableDevices } from '../../authenticators/device.ts';
import { knownCodesKeys } from '../../authenticators/user-authenticators.ts';
import type { Attempter } from '../../limits/attempter.ts';
import type { Account } from '../account/account.ts';
import { codeOnly, readSecrets, showsBoth, type Wanted, wantedFactors } from '../proof/readings.ts';
import type { LoginAttempt, ShownAnswer, ShownSecrets } from './evidence.ts';

export type Ways = Pick<Attempter, 'alone' | 'together' | 'reads' | 'foreseen'>;

export function waysOf(attempt: LoginAttempt): Ways {
  const { found, evidence } = attempt;
  const { account } = found;
  const reads = account && knownCodesKeys(account);
  const foreseen = account && [account.lastLoginKey];
  switch (evidence.kind) {
    case 'secrets': {
      const { alone, together } = waysOfSecrets(attempt, evidence);
      return { alone, together, reads, foreseen };
    }
    case 'answer':
      return {
        ...waysOfAnswer(evidence, account),
        reads: reads && [...reads, ...deviceReads(evidence, account)],
        foreseen,
      };
    case 'certificate':
      // It guesses nothing, so it counts as complete under a refusal (concepts.md §7, 5).
      return { alone: { password: false, codes: [] }, together: 'both' };
  }
}

function waysOfSecrets({ visit, found }: LoginAttempt, evidence: ShownSecrets): Ways {
  const { account } = found;
  const preset = account ?? found.preset;
  const wanted = preset && wantedFactors(preset, visit);
  if (!wanted) return { alone: { password: !preset, codes: [] }, together: 'nothing' };
  const triesCode = !wanted.password && wanted.code && readSecrets(evidence, codeOnly)[0]?.code !== undefined;
  return {
    alone: { password: wanted.password, codes: triesCode ? codeKeys(account) : noCodes },
    // No text shows a device, and a code is no stand-in for one.
    together: canStandIn(wanted) && showsBoth(evidence) ? 'both' : 'nothing',
  };
}

const noCodes: readonly string[] = [];

const canStandIn = ({ code, device }: Wanted): boolean => code || !device;

/** Behind a right password it is judged as a whole by whom it was begun by; without one, it is a code alone. */
function waysOfAnswer(
  { otp, assertion, isByBeginner, challenge: { behind, begun } }: ShownAnswer,
  account: Account | undefined,
): Ways {
  const isShown = otp !== undefined || assertion !== undefined;
  const isWhole = account !== undefined && behind && isShown && isByBeginner;
  const codes = !behind && otp !== undefined ? codeKeys(account) : [];
  return { alone: { password: false, codes }, together: isWhole ? { answer: { begun } } : 'nothing' };
}

/** How far the counters of devices have come. */
const deviceReads = ({ assertion }: ShownAnswer, account: Account): readonly string[] =>
  assertion === undefined ? [] : usableDevices(account.data).flatMap(deviceClaimKeys);

const codeKeys = (account: Account | undefined): readonly string[] =>
  account ? account.authenticators.map(({ key }) => key) : [];
