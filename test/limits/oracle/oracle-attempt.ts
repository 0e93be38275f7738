/** Oracle: its input and output. */
import type { Person } from './oracle-people.ts';
import type { Caller, Source } from './oracle-sources.ts';

/** What the login mode wants, after everything that changes it. */
export type Mode = 'LDAP' | 'OTP' | 'LDAPOTP';

export interface Challenge {
  /** The password was right. */
  readonly afterPassword: boolean;
  readonly begun: number;
  /** Where it began, and who passed it on there. */
  readonly source: Source;
}

export type Credentials =
  | { readonly password?: string; readonly code?: string }
  /** Password, code or both in one field. */
  | { readonly text: string }
  | { readonly answer: string; readonly challenge: Challenge }
  /** Of otpPKILogin: it is the user's, and good. */
  | { readonly certificate: boolean };

export interface Attempt {
  /** When the request came, in milliseconds since 1970. */
  readonly at: number;
  readonly person: Person;
  readonly caller: Caller;
  readonly source?: string;
  readonly mode: Mode;
  readonly credentials: Credentials;
}

export type Judged =
  | { readonly kind: 'granted'; readonly concat: number; readonly at: number }
  | { readonly kind: 'challenge'; readonly challenge: Challenge; readonly at: number }
  /** A wrong attempt without a lockout in force. */
  | { readonly kind: 'failed'; readonly at: number }
  /** Milliseconds until it may be different. */
  | { readonly kind: 'refused'; readonly left: number; readonly at: number };
