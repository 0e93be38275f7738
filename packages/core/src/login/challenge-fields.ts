/** A challenge in the fields that doors answer it in (webservices.md §4). */
import type { LoginChallenge, LoginOutcome } from './login-request.ts';

type ChallengeOutcome = Extract<LoginOutcome, { readonly kind: 'challenge' }>;

export function challengeFields({
  session,
  timeout,
  factor,
  devices,
  question,
}: ChallengeOutcome): Omit<LoginChallenge, 'code' | 'error'> {
  const code = factor && `Enter your ${factor} password${question === undefined ? '' : ` for ${question}`}`;
  const key = devices && (code ? 'use your security key' : 'Use your security key');
  return {
    ...{ message: [code, key].filter(Boolean).join(' or '), session, timeout },
    ...(factor && { otpChallenge: factor === 'EMERGENCY' ? 'EMERG' : factor }),
    ...(devices && { u2fChallenge: JSON.stringify(devices) }),
  };
}
