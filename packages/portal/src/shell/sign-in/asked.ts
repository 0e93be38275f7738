/** The question of a challenge in the language of the page; the server names its parts. */
import type { Challenge } from '../../api/session.ts';
import type { signInTexts } from '../../texts/sign-in/index.ts';

type Asked = Extract<keyof typeof signInTexts.en, `asks${string}`>;

/** Questions by the kind of code that the web services name. */
const codes: Readonly<Record<string, Asked>> = {
  TOKEN: 'asksToken',
  LIST: 'asksList',
  SMS: 'asksSms',
  MAIL: 'asksMail',
  EMERG: 'asksEmergency',
};

export function askedBy({ otpChallenge, question, u2fChallenge }: Challenge): Asked {
  if (otpChallenge === undefined) return u2fChallenge === undefined ? 'asksCode' : 'asksKey';
  if (question !== undefined) return 'asksQuestion';
  return codes[otpChallenge] ?? 'asksCode';
}
