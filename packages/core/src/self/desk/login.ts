/** Who signs in to the own page: by the one login, under the client policy `SelfDesk`. */
import { answerChallenge, login } from '../../login/login.ts';
import type { LoginCall } from '../../login/view.ts';
import { modeSettings } from '../../policy/login-mode.ts';
import type { DeskAsking, DeskLogin } from './door.ts';

export const deskLogin: DeskLogin = ({ session, username, domain, ...shown }, asking) => {
  const named = { username, domain };
  const { password = '', otp, u2fResponse } = shown;
  if (session !== undefined)
    return answerChallenge({ ...named, session, otp, assertion: u2fResponse }, callOf(asking));
  // Whoever shows a code wants it to count, whatever the mode of their logins ignores.
  const settings = otp === undefined ? undefined : `${modeSettings.LoginMode.name}=LDAPOTP`;
  const request = { ...named, client: 'SelfDesk', settings };
  return login({ ...request, password, otp }, callOf(asking));
};

/** The browser is the caller: it is counted where it stands, also at the loopback of a proxy that tells no more (concepts.md §7). */
const callOf = ({ view, address, transaction, gone }: DeskAsking): LoginCall => ({
  ...view,
  ...{ transaction, gone },
  caller: { address, choosesPolicy: true },
  application: { name: 'SelfDesk', service: 'selfdesk' },
  operation: 'SelfDesk',
});
