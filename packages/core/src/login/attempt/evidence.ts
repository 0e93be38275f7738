/** What somebody shows to be let in, and by whom: as a login carries it, before anything of it is judged. */
import type { Found } from '../account/account.ts';
import type { Challenge } from '../challenge.ts';
import type { LoginSecrets } from '../login-request.ts';
import type { Visit } from './login-visit.ts';

export type Evidence = ShownSecrets | ShownAnswer | ShownCertificate;

export interface ShownSecrets {
  readonly kind: 'secrets';
  readonly secrets: LoginSecrets;
  /** How long a code at the end of a text may be, in characters. */
  readonly lengths: readonly number[];
}

export interface ShownAnswer {
  readonly kind: 'answer';
  readonly otp: string | undefined;
  /** What a FIDO2 device has signed, as it came. */
  readonly assertion: string | undefined;
  readonly session: string;
  readonly challenge: Challenge;
  /** The caller that the challenge was begun by passes it on. */
  readonly isByBeginner: boolean;
}

export interface ShownCertificate {
  readonly kind: 'certificate';
  /** Undefined: what was shown is no certificate. */
  readonly der: Uint8Array | undefined;
}

/** An attempt to log in, by whatever door it came. */
export interface LoginAttempt<Shown extends Evidence = Evidence> {
  readonly visit: Visit;
  readonly found: Found;
  readonly evidence: Shown;
  /** When the request came, in milliseconds since 1970. */
  readonly begun: number;
}
