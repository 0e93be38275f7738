/** What the log and the event log are told of an attempt to log in (concepts.md §8). */

import { authenticatorsOf } from '../authenticators/code/codes.ts';
import { ServiceError } from '../errors/errors.ts';
import { recordDeed, recordHappenings } from '../events/recorded.ts';
import { tellName } from '../events/told-name.ts';
import type { Refused } from '../limits/attempter.ts';
import type { Happening } from '../limits/kept/events.ts';
import type { Found } from './account/account.ts';
import type { Visit } from './login-visit.ts';
import type { Verdict } from './verdict.ts';
import type { LoginCall } from './view.ts';

export interface Recorded {
  readonly visit: Visit;
  readonly found: Found;
  readonly call: LoginCall;
  /** When the request came, in milliseconds since 1970. */
  readonly begun: number;
}

export async function recordVerdict(attempt: Recorded, verdict: Verdict): Promise<void> {
  const { visit, found, call, begun } = attempt;
  const { transaction } = call;
  const { text, isNoEvent } = verdict;
  const who = JSON.stringify(asker(attempt).user);
  const where = JSON.stringify(visit.policy.name);
  const claimed = visit.source === undefined ? visit.request.source : undefined;
  const source = sourceText(visit.source, claimed);
  const deed = {
    application: call.names.theirs('Otp'),
    source: visit.source,
    ...(found.account && { dn: found.dn }),
    text: `Login of ${who} at ${where}${source}: ${text}`,
    facts: {
      ...{ ...asker(attempt), ...ending(verdict), milliseconds: call.clock.now() - begun },
      ...(claimed !== undefined && { claimedSource: claimed }),
    },
    isNoEvent,
  };
  await recordDeed(deed, transaction, call);
}

/** What came of an attempt beyond itself: a refusal that has begun, a token that is disabled. */
export async function recordHappened(attempt: Recorded, happened: readonly Happening[]): Promise<void> {
  const { visit, found, call } = attempt;
  const { transaction } = call;
  const isThere = found.account !== undefined || found.isNobody !== true;
  const affected = {
    application: call.names.theirs('Otp'),
    source: visit.source,
    ...(isThere && { dn: found.dn }),
    user: asker(attempt).user,
    place: visit.place,
    nameOf: (key: string) => nameOf(key, attempt),
  };
  await recordHappenings(happened, affected, transaction, call);
}

/** As the log calls what a key stands for. */
function nameOf(key: string, { found, call }: Recorded): string | undefined {
  if (!found.account) return undefined;
  return authenticatorsOf(found.account, call).find((one) => one.key === key)?.name;
}

/** Not in the event log: whoever is refused already must not fill the disk. */
export function tellRefusal(attempt: Recorded, { why, secondsLeft }: Refused): void {
  const { id, client } = attempt.call.transaction;
  const { log } = attempt.call;
  const facts = { outcome: 'refused', reason: 'too_many_attempts', why, secondsLeft };
  log.warn('a login was refused', { transaction: id, client, ...asker(attempt), ...facts });
}

/** What a stranger says of its users is told as such: it may be any address, and nothing goes by it. */
function sourceText(source: string | undefined, claimed: string | undefined): string {
  if (claimed !== undefined) return `, claimed source ${claimed}`;
  return source === undefined ? '' : `, source ${source}`;
}

/** Who asks for what, for the log. */
function asker({ visit: { named }, found, call }: Recorded) {
  const isKnown = found.account !== undefined || found.isNobody !== true;
  const name = tellName(named.name, isKnown, call);
  return { user: named.domain ? `${named.domain.name}\\${name}` : name, operation: call.operation };
}

function ending({ outcome, text }: Verdict): { outcome: string; reason?: string } {
  if (outcome instanceof ServiceError) return { outcome: 'failed', reason: outcome.reason };
  if (outcome.kind !== 'refused') return { outcome: outcome.kind };
  return { outcome: 'refused', reason: text.replace(/^refused: /, '') };
}
