/**
 * Uses up what was proved: of all who show the same code, or answer the same challenge, one is let in. From here on an
 * attempt has a verdict.
 */
import { useCode } from '../authenticators/code/used-code.ts';
import { ServiceError } from '../errors/errors.ts';
import { read } from '../table/setting.ts';
import type { Visit } from './attempt/login-visit.ts';
import { admitsChallenge, beginChallenge, takeChallenge } from './challenge.ts';
import { type Asks, type Failed, type LoginProof, type Right, unjudged } from './proof/proof.ts';
import { loginSettings } from './settings.ts';
import type { Verdict } from './verdict.ts';
import type { LoginView } from './view.ts';

/** @throws ServiceError `not_found` where another answer to the challenge was faster; `unavailable` */
export async function claim(proof: LoginProof, visit: Visit, view: LoginView): Promise<Verdict> {
  switch (proof.kind) {
    case 'failed':
      return refused(proof);
    case 'asks':
      return ask(proof, visit, view);
    case 'right':
      return use(proof, view);
  }
}

const refused = ({ why, counts, isNoEvent }: Failed): Verdict => ({
  outcome: { kind: 'refused' },
  counts,
  text: `refused: ${why}`,
  ...(isNoEvent && { isNoEvent }),
});

/** A challenge of its own for each who is asked; without a password, as many as a place may begin. */
async function ask(
  { whose, factor, behind, passedOn }: Asks,
  visit: Visit,
  view: LoginView,
): Promise<Verdict> {
  if (!behind && !(await admitsChallenge(visit, view)))
    return refused(unjudged('too many challenges were begun from there'));
  const outcome = await beginChallenge(whose, { visit, factor, behind, view });
  const text = `${behind ? 'password right' : 'no code'}, waiting for ${factor}`;
  const asked: Verdict = { outcome, counts: { end: 'neither', passedOn }, text };
  return behind ? asked : { ...asked, isNoEvent: true, isHeldBack: true };
}

/** The session is taken before the code is claimed: two codes do not make two logins of one challenge. */
async function use(proof: Right, view: LoginView): Promise<Verdict> {
  const { account, code, session, otherwise } = proof;
  if (session !== undefined) await takeChallenge(session, view);
  if (!code) return granted(proof);
  await view.mark.assure(account.dn);
  switch (await useCode(code, account, view)) {
    case 'ours':
      return granted(proof);
    case 'taken':
      // Whoever knows a right code does not guess: it counts, but not towards the end of the token.
      return {
        outcome: { kind: 'refused' },
        counts: { end: 'failed', isHalfRight: true, ...otherwise },
        text: 'refused: another login was faster with the same code',
      };
    case 'unkept':
      return unkept(proof);
  }
}

function granted({ account, first, code, concat, passedOn }: Right): Verdict {
  const by = [first, code?.of.kind].filter((one) => one !== undefined);
  const used = [first === 'password' ? first : undefined, code?.of.key].filter((one) => one !== undefined);
  return {
    outcome: { kind: 'granted', data: read(account.settings, loginSettings.ReplyData) ?? '', concat },
    counts: { end: 'granted', used, passedOn },
    text: `granted by ${by.join(' and ')}`,
  };
}

/** Nobody's failure, and the code was not used up. What is wrong with the entry, the log tells. */
const unkept = ({ code, otherwise }: Right): Verdict => ({
  outcome: new ServiceError('unavailable', { detail: 'the state of the code cannot be kept' }),
  counts: { end: 'neither', ...otherwise },
  text: `refused: right, but the state of the ${code?.of.kind} code could not be kept on the entry`,
});
