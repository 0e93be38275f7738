/** Commits a change of a session of an application together with its events. */

import { ServiceError } from '../foundation/errors/errors.ts';
import type { Dn } from '../foundation/text/dn.ts';
import type { Log } from '../ports/log/log.ts';
import type { KeyState, Ledger, TimedValue } from '../ports/store/ledger.ts';
import type { Names } from '../table/dialect.ts';
import type { Transaction } from '../table/method.ts';
import { auditReportOf, logReports, type NewAuditEvent, type RecordingPorts } from './recorded.ts';

/** A change of a session, and the events of it. */
export interface SessionStep<T> {
  readonly result: T;
  readonly values: ReadonlyMap<string, TimedValue | null>;
  /** Texts of events, in their order. */
  readonly texts: readonly string[];
  /** Whether the change was refused: equal refusals in a row are one event. */
  readonly isRefused?: boolean;
}

export interface StepView extends Pick<RecordingPorts, 'clock' | 'host'> {
  readonly store: Pick<Ledger, 'commit'>;
  readonly log: Pick<Log, 'info'>;
  readonly transaction: Transaction;
}

/**
 * Commits values and events together, then logs.
 * @param entryOf makes the audit entry of a text
 */
export async function writeStep<T>(
  keys: readonly string[],
  entryOf: (text: string, outcome: 'done' | 'refused') => NewAuditEvent,
  decide: (found: KeyState) => SessionStep<T>,
  call: StepView,
): Promise<T> {
  const settled = await call.store.commit({
    durable: keys,
    decide: (found) => {
      const { result, values, texts, isRefused } = decide(found);
      const reports = texts.map((text) =>
        auditReportOf(entryOf(text, isRefused ? 'refused' : 'done'), call.transaction, call),
      );
      const events = reports.flatMap(({ event }) => event ?? []);
      return { result: { result, reports }, values, events };
    },
  });
  logReports(settled.reports, call.log);
  return settled.result;
}

/** The user of a session. */
export interface SessionOwner {
  readonly dn: Dn;
  readonly name: { readonly username: string; readonly domain: string };
  /** The IP address of the end user, if known. */
  readonly source?: string | undefined;
}

/** The words of the call that changes a session. */
export interface NamedStep {
  readonly names: Names;
  /** The published name. */
  readonly operation: string;
  readonly application: { readonly name: string };
}

/** Makes the audit entries of a session, for {@link writeStep}. @param words describe the session of a user name */
export const sessionEntry =
  (
    { dn, name, source }: SessionOwner,
    words: (user: string) => string,
    { names, application, operation }: NamedStep,
  ) =>
  (text: string, outcome: 'done' | 'refused'): NewAuditEvent => {
    const user = `${name.domain}\\${name.username}`;
    return {
      application: names.theirs(application.name),
      ...{ dn, source },
      text: `${words(JSON.stringify(user))}: ${text}`,
      facts: { user, operation, outcome },
    };
  };

/** Checks a session id. @throws ServiceError `invalid_params` if it is malformed */
export function readSessionId(session: string | undefined): string {
  if (session !== undefined && isSessionId(session)) return session;
  throw new ServiceError('invalid_params', { detail: 'Parameter session is not a session id' });
}

export const isSessionId = (text: string): boolean => /^[A-Za-z0-9]{16}$/.test(text);
