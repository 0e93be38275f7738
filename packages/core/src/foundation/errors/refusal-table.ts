/**
 * The refusal table of the web services: the words in `error` where `code` is 0, and their sentences. All services share the words; a service
 * may have its own sentences.
 */
import { errorTable, ServiceError } from './errors.ts';

export const refusalTable = {
  AuthFailed: 'Invalid username or password',
  BadRequest: 'Invalid request',
  NoSession: 'Session not started or timedout',
  ServerError: 'Server error',
  RequestFailed: 'Request failed',
  PasswordPolicy: 'Password does not match the password policy',
} as const;

export type RefusalCode = keyof typeof refusalTable;

export type Refusal<Word extends RefusalCode = RefusalCode> = {
  readonly code: 0;
  readonly error: Word;
  readonly message: string;
};

/** A refusal that a thrown error may become. */
export type ThrownRefusal = Refusal<'AuthFailed' | 'BadRequest' | 'NoSession' | 'ServerError'>;

export interface Refusals {
  refusal<Word extends RefusalCode>(word: Word): Refusal<Word>;
  /** Turns a thrown error into a refusal, by the error table: `refuse` of an operation's row. */
  refuse(thrown: unknown): ThrownRefusal;
}

/**
 * Makes the refusals of one service: answers with `code` 0, a word and a sentence.
 * @param own sentences that differ from {@link refusalTable}
 * @returns `refusal` for a word, and `refuse` for a thrown error
 * @see docs/concepts/login.md#uniform-answer
 * @example
 * ```ts
 * import { refusalsOf } from '@watchword/core/application';
 *
 * const { refusal } = refusalsOf({ RequestFailed: 'The barrier is closed' });
 * console.log(refusal('RequestFailed').message); // The barrier is closed
 * ```
 */
export function refusalsOf(own: Partial<Record<RefusalCode, string>> = {}): Refusals {
  const sentences = { ...refusalTable, ...own };
  const refusal = <Word extends RefusalCode>(error: Word) =>
    ({ code: 0, error, message: sentences[error] }) as const;
  return { refusal, refuse: (thrown) => refusal(wordOf(thrown)) };
}

function wordOf(thrown: unknown): ThrownRefusal['error'] {
  const row = thrown instanceof ServiceError ? errorTable[thrown.reason] : undefined;
  return row && 'refusal' in row ? row.refusal : 'ServerError';
}
