/** Who is signed in, as logins name them. */
import type { SignedIn } from '../../api/session.ts';

export interface LoginName {
  readonly username: string;
  readonly domain: string;
}

export const nameOf = ({ username = '', domain = '' }: SignedIn): LoginName => ({ username, domain });
