/** Sessions that applications keep of users: a change of a session is written with its events, in one step. */

import { ServiceError } from '../foundation/errors/errors.ts';
import type { Dn } from '../foundation/text/dn.ts';
import type { Log } from '../ports/log/log.ts';
import type { KeptState, Ledger, TimedValue } from '../ports/store/ledger.ts';
import type { Names } from '../table/dialect.ts';
import type { Transaction } from '../table/method.ts';
import { type Deed, type RecordingPorts, reportOf, tell } from './recorded.ts';

/** A change of a session, and what is logged of it. */
export interface SessionStep<T> {
  readonly result: T;
  readonly values: ReadonlyMap<string, TimedValue | null>;
  /** Texts of events, in their order. */
  readonly told: readonly string[];
  /** What was asked for is not done, which may be asked again and again. */
  readonly isRefused?: boolean;
}

export interface StepView extends Pick<RecordingPorts, 'clock' | 'host'> {
  readonly store: Pick<Ledger, 'commit'>;
  readonly log: Pick<Log, 'info'>;
  readonly transaction: Transaction;
}

/**
 * Writes values and events in one step.
 * @param deedOf makes the deed of a text, which is `done` or `refused`
 */
export async function writeStep<T>(
  keys: readonly string[],
  deedOf: (text: string, outcome: 'done' | 'refused') => Deed,
  decide: (found: KeptState) => SessionStep<T>,
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

/** The user of a session. */
export interface SessionOwner {
  readonly dn: Dn;
  readonly name: { readonly username: string; readonly domain: string };
  /** IP address of the end user, where it is known. */
  readonly source?: string | undefined;
}

/** The words of the call that changes a session. */
export interface NamedStep {
  readonly names: Names;
  /** Its published name. */
  readonly operation: string;
  readonly application: { readonly name: string };
}

/** Makes the deeds of a session, for {@link writeStep}. @param words name the session, by the user's name */
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
