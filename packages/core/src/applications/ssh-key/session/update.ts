/** Updates an SSH session: renews it, stores its recording and audit logs, or ends it. */

import { type SessionStep, writeStep } from '../../../events/recorded-step.ts';
import { noSession, ServiceError } from '../../../foundation/errors/errors.ts';
import { read } from '../../../table/setting.ts';
import { type NextPart, nextPart, type RecordedView, recordingId } from '../recording/recording.ts';
import { sshkeySettings } from '../settings.ts';
import { findSshUserAgain } from '../user.ts';
import {
  contextOf,
  entryOf,
  findSession,
  type Session,
  type SessionCall,
  sessionKey,
  sessionValue,
} from './session.ts';

export interface UpdateRequest {
  readonly session?: string | undefined;
  readonly stop?: boolean | undefined;
  /** The output since the last update. */
  readonly data?: Uint8Array | undefined;
  /** Lines of the system's audit log, UTF-8. */
  readonly logs?: Uint8Array | undefined;
}

/** Most lines of a request that are events, and most characters of each. */
const [mostLines, longestLine] = [500, 1024];

/** Ports that a recorded session needs besides. */
export type RecordedCall = SessionCall & Pick<RecordedView, 'keys' | 'config'>;

/**
 * Ends with its time, and where its user is there no more or may not log in over SSH any more.
 * @throws ServiceError `invalid_params`; `not_found` where the session has ended; `too_large` where the recording is full: all but
 *   `data` is done then; `unavailable`
 */
export async function updateSession(request: UpdateRequest, call: RecordedCall): Promise<void> {
  const session = await findSession(request.session, call);
  const lines = linesOf(request.logs);
  const { stop = false } = request;
  const data = request.data?.length ? request.data : undefined;
  if (!stop || lines.length > 0 || data) {
    const { settings } = (await findSshUserAgain(session, contextOf(session, call), call)).account;
    if (lines.length > 0 && !read(settings, sshkeySettings.RecordAuditLogs)) throw unwanted('logs');
    if (data && !read(settings, sshkeySettings.RecordSessions)) throw unwanted('data');
  }
  const update = { session, key: sessionKey(request.session ?? ''), lines, stop };
  for (let left = tries; left > 0; left -= 1) {
    const id = recordingId(request.session ?? '');
    const { id: entry, name, where, begun } = session;
    const part = data && (await nextPart({ id, entry, name, where, begun }, data, call));
    const end = await write(update, part, call);
    if (end === 'gone') throw noSession();
    if (end === 'kept') return;
    if (end !== 'again')
      throw new ServiceError('too_large', { detail: 'Parameter data: the recording is full' });
  }
  throw new ServiceError('unavailable', { detail: 'the session is recorded by several at once; try again' });
}

/** Each that fails means that another part of the same session came at that moment. */
const tries = 20;

interface SessionUpdate {
  readonly session: Session;
  readonly key: string;
  readonly lines: readonly string[];
  readonly stop: boolean;
}

type UpdateEnd = 'gone' | ReturnType<NextPart['write']>['end'];

function write(
  { session, key, lines, stop }: SessionUpdate,
  part: NextPart | undefined,
  call: RecordedCall,
): Promise<UpdateEnd> {
  const { reportedAddress: source } = contextOf(session, call);
  return writeStep(
    [key, ...(part?.keys ?? [])],
    entryOf({ ...session, source }, call),
    (found): SessionStep<UpdateEnd> => {
      const nothing = { values: new Map(), texts: [] };
      if (!found.value(key)) return { result: 'gone', ...nothing };
      const now = call.clock.now();
      const { end, values } = part?.write(found, now) ?? { end: 'kept' as const, values: new Map() };
      if (end === 'again') return { result: end, ...nothing };
      const after = stop ? null : sessionValue(session, now);
      const texts = [
        ...lines.map((line) => `audit: ${line}`),
        ...(end === 'full' ? ['its recording is full, and nothing more is kept of it'] : []),
        ...(stop ? ['ended'] : []),
      ];
      return { result: end, values: new Map([[key, after], ...values]), texts };
    },
    call,
  );
}

/** Refuses a part of a session that is not recorded: the session knew that from its beginning. */
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
