/** Sign-in to the self-service portal, under the client policy `SelfDesk`. */
import { loginAtPage } from '../../../login/login.ts';
import type { DeskLogin } from './door.ts';

/** A code that is shown counts, also where the login mode of the policy ignores codes. */
export const deskLogin: DeskLogin = ({ u2fResponse: assertion, ...shown }, asking) =>
  loginAtPage(
    { ...shown, assertion },
    {
      client: 'SelfDesk',
      application: { name: 'SelfDesk', service: 'selfdesk' },
      operation: 'SelfDesk',
      demand: shown.otp === undefined ? undefined : { mode: 'LDAPOTP' },
    },
    asking,
  );
