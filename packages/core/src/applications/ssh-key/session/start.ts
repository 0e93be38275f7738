/** Begins an SSH session: verifies its user, its duration, and that its key has a use left. */

import { writeStep } from '../../../events/recorded-step.ts';
import { ServiceError } from '../../../foundation/errors/errors.ts';
import { randomSession } from '../../../ports/random.ts';
import { read } from '../../../table/setting.ts';
import { sshkeySettings } from '../settings.ts';
import { findSshUser, type SshUser } from '../user.ts';
import { isGood, usesIn, usesKey, usesValue } from '../uses.ts';
import { entryOf, type Session, type SessionCall, sessionKey, sessionValue } from './session.ts';

export interface StartRequest {
  /** The account of the system that is logged in to. */
  readonly username?: string | undefined;
  /** The owner of the key that opened the session. Optional; default: the account's user. */
  readonly identity?: string | undefined;
  readonly domain?: string | undefined;
  /** The name of the system. */
  readonly server?: string | undefined;
  /** The command. Optional; default: a shell. */
  readonly command?: string | undefined;
  readonly terminal?: boolean | undefined;
  readonly client?: string | undefined;
  readonly source?: string | undefined;
}

export interface StartedSession {
  readonly session: string;
  /** Seconds until it ends, and until it is locked without input; 0: never. */
  readonly maxtime: number;
  readonly locktime: number;
  readonly welcome: string;
  /** `Yes`, and the rules of audit or `Yes`; empty: nothing is kept. */
  readonly record: string;
  readonly auditd: string;
  readonly create: boolean;
  readonly offline: boolean;
}

/** Longest name of a system and longest command, in characters. */
const [longestServer, longestCommand] = [255, 4096];
/** Most characters of a command in the event log. */
const loggedCommand = 256;

/**
 * `unknown`: there is no such user, or it may not log in over SSH. `unenrolled`: it has no key that is good, or another session
 * was faster with the last use.
 * @throws ServiceError `invalid_params`, `invalid_source`, `unavailable`
 */
export async function startSession(
  { username, identity, domain, client, source, ...request }: StartRequest,
  call: SessionCall,
): Promise<StartedSession | 'unknown' | 'unenrolled'> {
  assertShort('username', username, longestServer);
  assertShort('server', request.server, longestServer);
  assertShort('command', request.command, longestCommand);
  const asked = { username: identity ?? username, domain, client, source };
  const user = await findSshUser(asked, call);
  if (!user) return 'unknown';
  const { key, account, name, loginContext } = user;
  if (!key) return 'unenrolled';
  const now = call.clock.now();
  const maxtime = read(account.settings, sshkeySettings.MaxSessionTime);
  const session: Session = {
    ...{ dn: account.dn, id: account.id, name, request: asked, caller: call.caller, begun: now },
    where: whereOf(username, request),
    ends: maxtime === 0 ? undefined : now + maxtime * 1000,
  };
  const id = randomSession(call.random);
  const counted = usesKey(account.id, key);
  const isBegun = await writeStep(
    [counted, sessionKey(id)],
    entryOf({ ...session, source: loginContext.reportedAddress }, call),
    (found) => {
      const uses = usesIn(found.value(counted));
      const values = new Map([[sessionKey(id), sessionValue(session, now)]]);
      if (!isGood(key, now, uses))
        return {
          ...{ result: false, values: new Map(), isRefused: true },
          texts: ['refused: its key has expired or is used up'],
        };
      if (key.maxUse !== undefined) values.set(counted, usesValue(uses + 1));
      return { result: true, values, texts: [beginning(request, key.maxUse, uses + 1)] };
    },
    call,
  );
  if (!isBegun) return 'unenrolled';
  return { session: id, maxtime, ...termsOf(user) };
}

function assertShort(parameter: string, text: string | undefined, most: number): void {
  if (text !== undefined && text.length > most)
    throw new ServiceError('invalid_params', {
      detail: `Parameter ${parameter} is longer than ${most} characters`,
    });
}

const termsOf = ({ account: { settings } }: SshUser): Omit<StartedSession, 'session' | 'maxtime'> => ({
  locktime: read(settings, sshkeySettings.LockSessionTime),
  welcome: read(settings, sshkeySettings.WelcomeMessage) ?? '',
  record: read(settings, sshkeySettings.RecordSessions) ? 'Yes' : '',
  auditd: read(settings, sshkeySettings.RecordAuditLogs)
    ? (read(settings, sshkeySettings.AuditRule) ?? 'Yes')
    : '',
  create: read(settings, sshkeySettings.CreateAccount),
  offline: read(settings, sshkeySettings.OfflineLogin),
});

const whereOf = (username: string | undefined, { server = 'a system' }: StartRequest): string =>
  `as ${JSON.stringify(username ?? '')} at ${JSON.stringify(server)}`;

function beginning({ command, terminal }: StartRequest, maxUse: number | undefined, uses: number): string {
  const what = command === undefined ? '' : `, command ${JSON.stringify(command.slice(0, loggedCommand))}`;
  const use = maxUse === undefined ? '' : `, use ${uses} of ${maxUse} of its key`;
  return `begun${what}${terminal === true ? ', with a terminal' : ''}${use}`;
}
