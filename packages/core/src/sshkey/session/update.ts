/** A session is heard of: it goes on, its audit logs are kept, or it ends (webservices.md §5). */
import { noSession, ServiceError } from '../../errors/errors.ts';
import { writeStep } from '../../login/session/step.ts';
import { read } from '../../table/setting.ts';
import { sshkeySettings } from '../settings.ts';
import { findSshUserAgain } from '../user.ts';
import { deedOf, findSession, type SessionCall, sessionKey, sessionValue, visitOf } from './session.ts';

export interface UpdateRequest {
  readonly session?: string | undefined;
  readonly stop?: boolean | undefined;
  /** What was shown: recorded by nothing in this version. */
  readonly data?: Uint8Array | undefined;
  /** Lines of the system's audit log, UTF-8. */
  readonly logs?: Uint8Array | undefined;
}

/** As many lines of a request are events, and so much of each, in characters. */
const [mostLines, longestLine] = [500, 1024];

/**
 * Ends with its time, and where its user is there no more or may not log in over SSH any more.
 * @throws ServiceError `invalid_params`; `not_found` where the session has ended; `unavailable`
 */
export async function updateSession(
  { session: id, stop = false, data, logs }: UpdateRequest,
  call: SessionCall,
): Promise<void> {
  const session = await findSession(id, call);
  const visit = visitOf(session, call);
  const lines = linesOf(logs);
  if (!stop || lines.length > 0 || data) {
    const { settings } = (await findSshUserAgain(session, visit, call)).account;
    if (lines.length > 0 && !read(settings, sshkeySettings.RecordAuditLogs)) throw unwanted('logs');
    if (data && data.length > 0) throw unwanted('data');
  }
  const key = sessionKey(id ?? '');
  const isThere = await writeStep(
    [key],
    deedOf({ ...session, source: visit.source }, call),
    (found) => {
      if (!found.value(key)) return { result: false, values: new Map(), told: [] };
      const after = stop ? null : sessionValue(session, call.clock.now());
      const told = [...lines.map((line) => `audit: ${line}`), ...(stop ? ['ended'] : [])];
      return { result: true, values: new Map([[key, after]]), told };
    },
    call,
  );
  if (!isThere) throw noSession();
}

/** The session was told when it began that nothing is recorded: what comes all the same is not thrown away unsaid. */
const unwanted = (field: string): ServiceError =>
  new ServiceError('invalid_params', { detail: `Parameter ${field}: the session is not recorded` });

function linesOf(logs: Uint8Array | undefined): readonly string[] {
  const lines = Buffer.from(logs ?? [])
    .toString('utf8')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '');
  if (lines.length > mostLines || lines.some((line) => line.length > longestLine))
    throw new ServiceError('invalid_params', {
      detail: `Parameter logs has more than ${mostLines} lines, or one of more than ${longestLine} characters`,
    });
  return lines;
}
