/** The audit of a login: its audit entry, and its line in the log. */

import { loggedName } from '../events/logged-name.ts';
import { type AuditReport, auditReportOf, limitAuditEvent, type NewAuditEvent } from '../events/recorded.ts';
import { ServiceError } from '../foundation/errors/errors.ts';
import type { LimitEvent } from '../limits/limit-events.ts';
import type { Refused } from '../limits/limits-attempt.ts';
import type { Found } from './account.ts';
import type { LoginAttempt } from './credentials.ts';
import type { LoginEnding } from './verdict.ts';
import type { LoginCall } from './view.ts';

/** Returns the event of an ending, and one for each event of the limits: a lockout that began, a token that is disabled. */
export function auditEventOf(
  attempt: LoginAttempt,
  ending: LoginEnding,
  happened: readonly LimitEvent[],
  call: LoginCall,
): readonly AuditReport[] {
  const reports = [auditReportOf(loginEntry(attempt, ending, call), call.transaction, call)];
  if (happened.length === 0) return reports;
  for (const entry of limitEntries(attempt, happened, call))
    reports.push(auditReportOf(entry, call.transaction, call));
  return reports;
}

function loginEntry(attempt: LoginAttempt, ending: LoginEnding, call: LoginCall): NewAuditEvent {
  const { loginContext, found, begun } = attempt;
  const { text, isNoEvent } = ending;
  const asking = requester(attempt, call);
  const who = JSON.stringify(asking.user);
  const where = JSON.stringify(loginContext.policy.name);
  const claimed = loginContext.reportedAddress === undefined ? loginContext.request.source : undefined;
  const source = sourceText(loginContext.reportedAddress, claimed);
  return {
    application: call.names.theirs(call.application.name),
    source: loginContext.reportedAddress,
    dn: found.account ? found.dn : undefined,
    text: `Login of ${who} at ${where}${source}: ${text}`,
    facts: factsOf(asking, ending, { milliseconds: call.clock.now() - begun, claimed }),
    isNoEvent,
  };
}

/** @param claimed the source that an untrusted caller reports */
function factsOf(
  { user, operation }: ReturnType<typeof requester>,
  ending: LoginEnding,
  { milliseconds, claimed }: { readonly milliseconds: number; readonly claimed: string | undefined },
) {
  const facts = { user, operation, outcome: endOf(ending), reason: reasonOf(ending), milliseconds };
  return claimed === undefined ? facts : Object.assign(facts, { claimedSource: claimed });
}

/** Returns an event for each event of the limits. */
export function limitEntries(
  attempt: LoginAttempt,
  happened: readonly LimitEvent[],
  call: LoginCall,
): readonly NewAuditEvent[] {
  if (happened.length === 0) return [];
  const { loginContext, found } = attempt;
  const isThere = found.account !== undefined || found.isUnknownUser !== true;
  const affected = {
    application: call.names.theirs(call.application.name),
    source: loginContext.reportedAddress,
    ...(isThere && { dn: found.dn }),
    user: requester(attempt, call).user,
    place: loginContext.source,
    nameOf: (key: string) => nameOf(key, found),
  };
  return happened.map((happening) => limitAuditEvent(happening, affected));
}

/** Returns the name of an authenticator in the log, by its key. */
function nameOf(key: string, { account }: Found): string | undefined {
  if (!account) return undefined;
  return account.authenticators.find((one) => one.key === key)?.name;
}

/** Logs an attempt that was not admitted. It is no event: a caller that is refused must not fill the disk. */
export function logRefusal(
  attempt: LoginAttempt,
  { reason: why, secondsLeft }: Refused,
  call: LoginCall,
): void {
  const { id, client } = call.transaction;
  const facts = { outcome: 'refused', reason: 'too_many_attempts', why, secondsLeft };
  call.log.warn('a login was refused', { transaction: id, client, ...requester(attempt, call), ...facts });
}

/** Marks the source that an untrusted caller reports: it may be any address, and nothing depends on it. */
function sourceText(source: string | undefined, claimed: string | undefined): string {
  if (claimed !== undefined) return `, claimed source ${claimed}`;
  return source === undefined ? '' : `, source ${source}`;
}

/** Returns the user and the operation for the log. */
function requester({ loginContext: { named }, found }: LoginAttempt, call: LoginCall) {
  const isKnown = found.account !== undefined || found.isUnknownUser !== true;
  const { name: given, short = given } = named;
  // A name without a user is counted once, however it is spelled.
  const name = loggedName(isKnown ? given : short, isKnown, call);
  return { user: named.domain ? `${named.domain.name}\\${name}` : name, operation: call.operation };
}

const endOf = ({ outcome }: LoginEnding): string =>
  outcome instanceof ServiceError ? 'failed' : outcome.kind;

function reasonOf({ outcome, text }: LoginEnding): string | undefined {
  if (outcome instanceof ServiceError) return outcome.reason;
  return outcome.kind === 'refused' ? text.replace(/^refused: /, '') : undefined;
}
