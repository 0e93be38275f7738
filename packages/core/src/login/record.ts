/** What the log and the event log are told of an attempt to log in (concepts.md §8). */

import { type Deed, deedOfHappening, type Report, reportOf } from '../events/recorded.ts';
import { tellName } from '../events/told-name.ts';
import { ServiceError } from '../foundation/errors/errors.ts';
import type { Refused } from '../limits/attempter.ts';
import type { Happening } from '../limits/kept/events.ts';
import type { Found } from './account.ts';
import type { LoginAttempt } from './credentials.ts';
import type { LoginEnding } from './verdict.ts';
import type { LoginCall } from './view.ts';

/** Of what an attempt has come to, and what of it concerns more than itself: a refusal that has begun, a token that is disabled. */
export function reportsOf(
  attempt: LoginAttempt,
  verdict: LoginEnding,
  happened: readonly Happening[],
  call: LoginCall,
): readonly Report[] {
  const reports = [reportOf(deedOf(attempt, verdict, call), call.transaction, call)];
  if (happened.length === 0) return reports;
  for (const deed of deedsOf(attempt, happened, call)) reports.push(reportOf(deed, call.transaction, call));
  return reports;
}

function deedOf(attempt: LoginAttempt, verdict: LoginEnding, call: LoginCall): Deed {
  const { loginContext, found, begun } = attempt;
  const { text, isNoEvent } = verdict;
  const asking = asker(attempt, call);
  const who = JSON.stringify(asking.user);
  const where = JSON.stringify(loginContext.policy.name);
  const claimed = loginContext.source === undefined ? loginContext.request.source : undefined;
  const source = sourceText(loginContext.source, claimed);
  return {
    application: call.names.theirs(call.application.name),
    source: loginContext.source,
    dn: found.account ? found.dn : undefined,
    text: `Login of ${who} at ${where}${source}: ${text}`,
    facts: factsOf(asking, verdict, { milliseconds: call.clock.now() - begun, claimed }),
    isNoEvent,
  };
}

/** @param claimed what a stranger says of its users */
function factsOf(
  { user, operation }: ReturnType<typeof asker>,
  verdict: LoginEnding,
  { milliseconds, claimed }: { readonly milliseconds: number; readonly claimed: string | undefined },
) {
  const facts = { user, operation, outcome: endOf(verdict), reason: reasonOf(verdict), milliseconds };
  return claimed === undefined ? facts : Object.assign(facts, { claimedSource: claimed });
}

/** Each is an event of its own. */
export function deedsOf(
  attempt: LoginAttempt,
  happened: readonly Happening[],
  call: LoginCall,
): readonly Deed[] {
  if (happened.length === 0) return [];
  const { loginContext, found } = attempt;
  const isThere = found.account !== undefined || found.isNobody !== true;
  const affected = {
    application: call.names.theirs(call.application.name),
    source: loginContext.source,
    ...(isThere && { dn: found.dn }),
    user: asker(attempt, call).user,
    place: loginContext.place,
    nameOf: (key: string) => nameOf(key, found),
  };
  return happened.map((happening) => deedOfHappening(happening, affected));
}

/** As the log calls what a key stands for. */
function nameOf(key: string, { account }: Found): string | undefined {
  if (!account) return undefined;
  return account.authenticators.find((one) => one.key === key)?.name;
}

/** Not in the event log: whoever is refused already must not fill the disk. */
export function tellRefusal(attempt: LoginAttempt, { why, secondsLeft }: Refused, call: LoginCall): void {
  const { id, client } = call.transaction;
  const facts = { outcome: 'refused', reason: 'too_many_attempts', why, secondsLeft };
  call.log.warn('a login was refused', { transaction: id, client, ...asker(attempt, call), ...facts });
}

/** What a stranger says of its users is told as such: it may be any address, and nothing goes by it. */
function sourceText(source: string | undefined, claimed: string | undefined): string {
  if (claimed !== undefined) return `, claimed source ${claimed}`;
  return source === undefined ? '' : `, source ${source}`;
}

/** Who asks for what, for the log. */
function asker({ loginContext: { named }, found }: LoginAttempt, call: LoginCall) {
  const isKnown = found.account !== undefined || found.isNobody !== true;
  const { name: given, short = given } = named;
  // Nobody's name is counted in one place, however it is written.
  const name = tellName(isKnown ? given : short, isKnown, call);
  return { user: named.domain ? `${named.domain.name}\\${name}` : name, operation: call.operation };
}

const endOf = ({ outcome }: LoginEnding): string =>
  outcome instanceof ServiceError ? 'failed' : outcome.kind;

function reasonOf({ outcome, text }: LoginEnding): string | undefined {
  if (outcome instanceof ServiceError) return outcome.reason;
  return outcome.kind === 'refused' ? text.replace(/^refused: /, '') : undefined;
}
