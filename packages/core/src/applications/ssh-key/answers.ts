/** The results of the SSH public key server; `code` decides which fields a result has. */
import { isReason } from '../../foundation/errors/errors.ts';
import { type Refusal, refusalsOf, type ThrownRefusal } from '../../foundation/errors/refusal-table.ts';

const { refusal, refuse } = refusalsOf();

export { refusal, refuse };

export const success = { code: 1, error: '', message: 'Operation success' } as const;
export const wrongPassword = { code: 2, error: 'AuthFailed', message: 'Invalid password' } as const;

const unknownUser = 'Invalid user or user not found';
const unenrolled = 'Account missing required data or SSH enrollment needed';

/** A success; with the message beside it, where it is about a user who has no key, or who is not there. */
type Success = { readonly code: 1; readonly error: ''; readonly message: string };

export type SshAnswer<Fields = object> = (Success & Fields) | ThrownRefusal;

export type PasswordAnswer = typeof success | typeof wrongPassword | ThrownRefusal;

export type UnlockAnswer = SshAnswer<SessionTerms> | typeof wrongPassword;

export type ChangeAnswer = PasswordAnswer | Refusal<'PasswordPolicy'>;

export type UserKeys = {
  /** Lines of `authorized_keys`. */
  readonly publicKeys: string;
  readonly backupKeys: string;
  /** No key of a file on the system counts. */
  readonly keyFiles: '';
};

export type SessionTerms = {
  readonly session: string;
  readonly welcome: string;
  /** Seconds until it ends, and until it is locked without input; 0: never. */
  readonly maxtime: number;
  readonly locktime: number;
  /** `Yes`: what is shown is recorded; else empty. */
  readonly record: string;
  /** Audit logs are kept: the rules for that, or `Yes`; else empty. */
  readonly auditd: string;
  readonly create: boolean;
  readonly delete: boolean;
  readonly offline: boolean;
};

/** Beside it: whether the system may go by what it remembers, and by which keys it may be entered all the same. */
export type RefusedStart = Refusal<'RequestFailed'> & {
  readonly offline: boolean;
  readonly publicKeys: string;
  readonly backupKeys: string;
};

/** Fields of an answer that says nothing to a session. */
export const neutral = {
  ...{ welcome: '', maxtime: 0, locktime: 0, record: '', auditd: '' },
  ...{ create: false, delete: false, offline: false },
} as const;

/** Why there is no key: no such user, or none that is good. */
export type Missing = 'unknown' | 'unenrolled';

export const messageOf = (why: Missing): string => (why === 'unknown' ? unknownUser : unenrolled);

export const refusedStart = (why: Missing, backupKeys: string): RefusedStart => ({
  ...{ ...refusal('RequestFailed'), message: messageOf(why) },
  ...{ offline: false, publicKeys: '', backupKeys },
});

/** Answers an unknown user or domain, where the interface says so. */
export const refuseAsServer = (thrown: unknown): ThrownRefusal =>
  isReason(thrown, 'not_found') ? refusal('ServerError') : refuse(thrown);
