/** Checks, renews and ends SSO sessions, for the methods of the SSO web service. */

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
  /** New data of the session. Optional; default: the data stay. */
  readonly data?: string | undefined;
}

export interface CheckedSession {
  readonly data: string;
  /** Seconds until the session expires. */
  readonly timeout: number;
}

/**
 * Checks a session, and renews it if the settings say so. If its user no longer exists or may no longer log in, the session ends. If only
 * the client policy of this caller does not admit the user, the caller is refused and the session continues for others.
 * @throws ServiceError `invalid_params`; `not_found` if it has ended; `unavailable`
 */
export async function checkSession(
  { session: id, data }: CheckRequest,
  call: SsoCall,
): Promise<CheckedSession> {
  const newData = data === undefined ? undefined : checkData(data);
  const stored = await findSession(id, call);
  const { session } = stored;
  const context = readContext(session.request, { ...call, caller: session.caller });
  const { account } = await findAccountAgain(session.dn, context, call);
  // A user deleted and created again under the same name is another user.
  if (account?.id !== session.id) {
    await endSession(stored, context.reportedAddress, 'ended: the user may not log in any more', call);
    throw noSession();
  }
  if (!(await isAdmittedHere(session, context, call))) throw noSession();
  const isRenewed = read(account.settings, ssoSettings.SessionRenew);
  const now = call.clock.now();
  const ends = isRenewed ? now + read(account.settings, ssoSettings.SessionTimeout) * 1000 : session.ends;
  const after = { ...session, ends, data: newData ?? session.data };
  await renewSession(stored, { after, now, isChanged: isRenewed || newData !== undefined }, call);
  return { data: after.data, timeout: secondsUntil(ends, now) };
}

/** Returns whether the client policy of the present caller admits the user; the policy under which the session began has done so. */
async function isAdmittedHere(
  { dn, request }: SsoSession,
  beginContext: LoginContext,
  call: SsoCall,
): Promise<boolean> {
  const context = readContext({ username: request.username, domain: request.domain }, call);
  if (context.policy.name === beginContext.policy.name) return true;
  const { account }: Found = await findAccountAgain(dn, context, call);
  return account !== undefined;
}

interface Renewal {
  readonly after: SsoSession;
  readonly now: number;
  readonly isChanged: boolean;
}

/** Writes the renewed session. @throws ServiceError `not_found` if it was ended meanwhile */
async function renewSession(
  kept: KeptSsoSession,
  { after, now, isChanged }: Renewal,
  call: SsoCall,
): Promise<void> {
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

/** Ends a session. @throws ServiceError `invalid_params`; `not_found` if it has ended already; `unavailable` */
export async function stopSession(id: string | undefined, call: SsoCall): Promise<void> {
  if (!(await endSession(await findSession(id, call), undefined, 'ended', call))) throw noSession();
}

/** Ends a session, with an audit entry. @returns false if it had ended before */
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
