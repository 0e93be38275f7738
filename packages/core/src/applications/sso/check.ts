/** A session is looked at, goes on, and ends. */

import { writeStep } from '../../events/recorded-step.ts';
import { noSession } from '../../foundation/errors/errors.ts';
import type { Found } from '../../login/account.ts';
import { findAccountAgain } from '../../login/account-lookup.ts';
import { type LoginContext, readContext } from '../../login/context.ts';
import { read } from '../../table/setting.ts';
import {
  entryOf,
  findSession,
  type KeptSsoSession,
  namedIn,
  readUserSessions,
  type SsoCall,
  type SsoSession,
  secondsUntil,
  sessionValue,
  userSessionsValue,
} from './session.ts';
import { ssoSettings } from './settings.ts';
import { checkData } from './start.ts';

export interface CheckRequest {
  readonly session?: string | undefined;
  /** Replaces what is kept; left out: that stays. */
  readonly data?: string | undefined;
}

export interface CheckedSession {
  readonly data: string;
  /** Seconds that are left. */
  readonly timeout: number;
}

/**
 * A session ends where its user is there no more, or may not log in any more. A caller whose client policy does not admit
 * the user is refused, and the session goes on elsewhere.
 * @throws ServiceError `invalid_params`; `not_found` where it has ended; `unavailable`
 */
export async function checkSession(
  { session: id, data }: CheckRequest,
  call: SsoCall,
): Promise<CheckedSession> {
  const given = data === undefined ? undefined : checkData(data);
  const kept = await findSession(id, call);
  const { session } = kept;
  const context = readContext(session.request, { ...call, caller: session.caller });
  const { account } = await findAccountAgain(session.dn, context, call);
  // A user created again under the same name is another one.
  if (account?.id !== session.id) {
    await endSession(kept, context.reportedAddress, 'ended: the user may not log in any more', call);
    throw noSession();
  }
  if (!(await isAdmittedHere(session, context, call))) throw noSession();
  const isRenewed = read(account.settings, ssoSettings.SessionRenew);
  const now = call.clock.now();
  const ends = isRenewed ? now + read(account.settings, ssoSettings.SessionTimeout) * 1000 : session.ends;
  const after = { ...session, ends, data: given ?? session.data };
  await goOn(kept, { after, now, isChanged: isRenewed || given !== undefined }, call);
  return { data: after.data, timeout: secondsUntil(ends, now) };
}

/** Judges by the policy of the present caller, where that is not the one under which the session began. */
async function isAdmittedHere(
  { dn, request }: SsoSession,
  begun: LoginContext,
  call: SsoCall,
): Promise<boolean> {
  const context = readContext({ username: request.username, domain: request.domain }, call);
  if (context.policy.name === begun.policy.name) return true;
  const { account }: Found = await findAccountAgain(dn, context, call);
  return account !== undefined;
}

interface GoingOn {
  readonly after: SsoSession;
  readonly now: number;
  readonly isChanged: boolean;
}

/** If it has not been ended meanwhile. */
async function goOn(kept: KeptSsoSession, { after, now, isChanged }: GoingOn, call: SsoCall): Promise<void> {
  const { key, hashed } = kept;
  const named = namedIn(kept);
  const isThere = await writeStep(
    [key, named],
    entryOf(after, call),
    (found) => {
      const all = readUserSessions(found.value(named), now);
      if (!found.value(key) || !all.has(hashed)) return { result: false, values: new Map(), texts: [] };
      const { ends } = after;
      const values = new Map([
        [key, sessionValue(key, after, { keys: call.keys, now })],
        [named, userSessionsValue(new Map([...all, [hashed, ends] as const]), now)],
      ]);
      return { result: true, values: isChanged ? values : new Map(), texts: [] };
    },
    call,
  );
  if (!isThere) throw noSession();
}

/** @throws ServiceError `invalid_params`; `not_found` where it has ended already; `unavailable` */
export async function stopSession(id: string | undefined, call: SsoCall): Promise<void> {
  if (!(await endSession(await findSession(id, call), undefined, 'ended', call))) throw noSession();
}

/** @returns false: it had ended before */
async function endSession(
  kept: KeptSsoSession,
  source: string | undefined,
  auditText: string,
  call: SsoCall,
): Promise<boolean> {
  const { key, hashed, session } = kept;
  const named = namedIn(kept);
  return writeStep(
    [key, named],
    entryOf({ ...session, source }, call),
    (found) => {
      const now = call.clock.now();
      const all = new Map(readUserSessions(found.value(named), now));
      const isNamed = all.delete(hashed);
      const values = new Map([
        [key, null],
        ...(isNamed ? [[named, userSessionsValue(all, now)] as const] : []),
      ]);
      return { result: isNamed, values, texts: isNamed ? [auditText] : [] };
    },
    call,
  );
}
