/**
 * What a configuration may say of applications, as plain data: whoever hands the applications in makes it of their
 * rows. The configuration knows none of them itself.
 */
import type { Setting } from '../table/setting-row.ts';

export interface Vocabulary {
  /** The applications there are, by their names. */
  readonly applications: Readonly<Record<string, ApplicationWords>>;
  /** Every method in our words: `Get_User_DN`, `Otp.HOTP_Register`. */
  readonly methods: readonly string[];
}

/** What an application is called, and what may be set of it. */
export interface ApplicationWords {
  readonly name: string;
  /** The word of its web service. */
  readonly service: string;
  /** It has a web service or pages: its word has somebody who reads it. */
  readonly isServed: boolean;
  /** It has pages for people, and no web service. */
  readonly isWebApplication: boolean;
  readonly settings: Readonly<Record<string, Setting>>;
}

/** What the paths and the event log call the servers themselves. */
export const reservedWords: readonly string[] = ['manager', 'manag', 'ws'];
