/** The signed-in user, as logins name the user. */
import type { SignedIn } from '../../api/session.ts';

export interface LoginName {
  readonly username: string;
  readonly domain: string;
}

export const nameOf = ({ username = '', domain = '' }: SignedIn): LoginName => ({ username, domain });
