/**
 * The words of the applications as plain data, made from their rows: the configuration depends on no application.
 */
import type { Setting } from '../table/setting-row.ts';

export interface Vocabulary {
  /** The applications by name. */
  readonly applications: Readonly<Record<string, ApplicationVocabulary>>;
  /** Every method in our words: `Get_User_DN`, `Otp.HOTP_Register`. */
  readonly methods: readonly string[];
}

/** The names and settings of an application. */
export interface ApplicationVocabulary {
  readonly name: string;
  /** The word of the web service. */
  readonly service: string;
  /** Whether it has a web service or pages, so that its word is in use. */
  readonly isServed: boolean;
  /** Whether it has pages for people, and no web service. */
  readonly isWebApplication: boolean;
  readonly settings: Readonly<Record<string, Setting>>;
}

/** Words of the servers in paths and in the event log. */
export const reservedNames: readonly string[] = ['manager', 'manag', 'ws'];
