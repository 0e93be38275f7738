/** Sessions that applications keep of users: what becomes of one is written with its events, in one step. */

import { type Deed, reportOf, tell } from '../../events/recorded.ts';
import { ServiceError } from '../../foundation/errors/errors.ts';
import type { Dn } from '../../foundation/text/dn.ts';
import type { Log } from '../../ports/log/log.ts';
import type { Ledger, StateBefore, TimedValue } from '../../ports/store/ledger.ts';
import type { Transaction } from '../../table/method.ts';
import type { AccountName } from '../login-request.ts';
import type { LoginCall } from '../view.ts';

/** What becomes of a session, and what is told of it. */
export interface SessionStep<T> {
  readonly result: T;
  readonly values: ReadonlyMap<string, TimedValue | null>;
  /** Texts of events, in their order. */
  readonly told: readonly string[];
  /** What was asked for is not done, which may be asked again and again. */
  readonly isRefused?: boolean;
}

export interface StepView extends Pick<LoginCall, 'clock' | 'host'> {
  readonly store: Pick<Ledger, 'commit'>;
  readonly log: Pick<Log, 'info'>;
  readonly transaction: Transaction;
}

/**
 * Values and events in one step.
 * @param deedOf what is told of a text, and of whether it is `done` or `refused`
 */
export async function writeStep<T>(
  keys: readonly string[],
  deedOf: (text: string, outcome: 'done' | 'refused') => Deed,
  decide: (found: StateBefore) => SessionStep<T>,
  call: StepView,
): Promise<T> {
  const settled = await call.store.commit({
    durable: keys,
    decide: (found) => {
      const { result, values, told, isRefused } = decide(found);
      const reports = told.map((text) =>
        reportOf(deedOf(text, isRefused ? 'refused' : 'done'), call.transaction, call),
      );
      const events = reports.flatMap(({ event }) => event ?? []);
      return { result: { result, reports }, values, events };
    },
  });
  tell(settled.reports, call.log);
  return settled.result;
}

/** Whose session it is. */
export interface SessionOwner {
  readonly dn: Dn;
  readonly name: AccountName;
  /** IP address of the end user, where it is known. */
  readonly source?: string | undefined;
}

/** What it is called where it is told. */
export interface NamedStep extends Pick<LoginCall, 'names' | 'operation'> {
  readonly application: { readonly name: string };
}

/** What is told of a session, for {@link writeStep}. @param words what it is called, by the user's name */
export const sessionDeed =
  (
    { dn, name, source }: SessionOwner,
    words: (user: string) => string,
    { names, application, operation }: NamedStep,
  ) =>
  (text: string, outcome: 'done' | 'refused'): Deed => {
    const user = `${name.domain}\\${name.username}`;
    return {
      application: names.theirs(application.name),
      ...{ dn, source },
      text: `${words(JSON.stringify(user))}: ${text}`,
      facts: { user, operation, outcome },
    };
  };

/** @returns the id of a session @throws ServiceError `invalid_params` if it cannot be one */
export function readSessionId(session: string | undefined): string {
  if (session !== undefined && isSessionId(session)) return session;
  throw new ServiceError('invalid_params', { detail: 'Parameter session is no session id' });
}

export const isSessionId = (text: string): boolean => /^[A-Za-z0-9]{16}$/.test(text);
