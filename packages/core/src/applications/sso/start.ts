/** Begins an SSO session for a user whom a web site has logged in. */
import { userSessionsKey } from '../../directory/entry/sessions.ts';
import { writeStep } from '../../events/recorded-step.ts';
import { ServiceError } from '../../foundation/errors/errors.ts';
import { nameOf } from '../../login/account.ts';
import { findActing } from '../../login/attempt.ts';
import type { LoginRequest } from '../../login/request.ts';
import { randomSession } from '../../ports/random.ts';
import { read } from '../../table/setting.ts';
import {
  entryOf,
  hashOf,
  keyOfHash,
  mostOfUser,
  readUserSessions,
  type SsoCall,
  type SsoSession,
  sessionValue,
  userSessionsValue,
} from './session.ts';
import { ssoSettings } from './settings.ts';

export interface SsoStartRequest
  extends Pick<LoginRequest, 'username' | 'domain' | 'client' | 'source' | 'settings'> {
  readonly data?: string | undefined;
}

export interface StartedSsoSession {
  readonly session: string;
  /** Seconds for which it lives. */
  readonly timeout: number;
}

/** Longest data in characters. */
const longestData = 16_384;

/** @throws ServiceError `invalid_params` */
export function checkData(data: string): string {
  if (data.length <= longestData) return data;
  throw new ServiceError('invalid_params', {
    detail: `Parameter data is longer than ${longestData} characters`,
  });
}

/**
 * Undefined: there is no such user, or it may not log in; the log has why.
 * @throws ServiceError `invalid_params`; `invalid_source` where `source` is no address; `unavailable`
 */
export async function startSession(
  { data = '', ...request }: SsoStartRequest,
  call: SsoCall,
): Promise<StartedSsoSession | undefined> {
  const kept = checkData(data);
  const acting = await findActing(request, 'no single sign-on for a user', call);
  if (!acting) return undefined;
  const { account, loginContext } = acting;
  const timeout = read(account.settings, ssoSettings.SessionTimeout);
  const now = call.clock.now();
  const times = { begun: now, ends: now + timeout * 1000 };
  const whose = { dn: account.dn, id: account.id, name: nameOf(account) };
  const id = randomSession(call.random);
  await begin(
    id,
    { ...whose, request, caller: call.caller, ...times, data: kept },
    loginContext.reportedAddress,
    call,
  );
  return { session: id, timeout };
}

async function begin(
  id: string,
  session: SsoSession,
  source: string | undefined,
  call: SsoCall,
): Promise<void> {
  const hashed = hashOf(id);
  const [key, named] = [keyOfHash(hashed), userSessionsKey(session.id)];
  const now = session.begun;
  await writeStep(
    [key, named],
    entryOf({ ...session, source }, call),
    (found) => {
      const others = [...readUserSessions(found.value(named), now)].slice(1 - mostOfUser);
      const all = new Map([...others, [hashed, session.ends] as const]);
      const value = sessionValue(key, session, { keys: call.keys, now });
      const values = new Map([
        [key, value],
        [named, userSessionsValue(all, now)],
      ]);
      return { result: undefined, values, texts: ['begun'] };
    },
    call,
  );
}
