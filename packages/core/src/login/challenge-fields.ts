/** A challenge in the fields that doors answer it in (webservices.md §4), and as pages are told of it. */
import type { LoginChallenge, LoginOutcome } from './login-request.ts';

export type ChallengeOutcome = Extract<LoginOutcome, { readonly kind: 'challenge' }>;
type ChallengeFields = Omit<LoginChallenge, 'code' | 'error'>;

export function challengeFields({
  session,
  timeout,
  factor,
  devices,
  question,
}: ChallengeOutcome): ChallengeFields {
  const code = factor && `Enter your ${factor} password${question === undefined ? '' : ` for ${question}`}`;
  const key = devices && (code ? 'use your security key' : 'Use your security key');
  return {
    ...{ message: [code, key].filter(Boolean).join(' or '), session, timeout },
    ...(factor && { otpChallenge: factor === 'EMERGENCY' ? 'EMERG' : factor }),
    ...(devices && { u2fChallenge: JSON.stringify(devices) }),
  };
}

/** What a page is told: it says in its own language what is asked for, so it needs the parts of the sentence. */
export type PageChallenge = ChallengeFields & {
  /** What an OCRA token is asked. */
  readonly question?: string;
};

export const pageChallenge = (outcome: ChallengeOutcome): PageChallenge => ({
  ...challengeFields(outcome),
  ...(outcome.question !== undefined && { question: outcome.question }),
});
