/** The rows of the operation table for the SSH public key server. */

import { assertSource } from '../../administration/policy/caller.ts';
import { statusOperation } from '../../administration/status/service-status.ts';
import { isGranted } from '../../login/login.ts';
import type { Dialect } from '../../table/dialect.ts';
import {
  bytesField,
  flagField,
  integerField,
  mapField,
  mapsField,
  textField,
  type WireMap,
} from '../../table/field.ts';
import { operation } from '../../table/operation.ts';
import {
  type ChangeAnswer,
  messageOf,
  neutral,
  type PasswordAnswer,
  type RefusedStart,
  refusal,
  refuse,
  refuseAsServer,
  refusedStart,
  type SessionTerms,
  type SshAnswer,
  success,
  type UnlockAnswer,
  type UserKeys,
  wrongPassword,
} from './answers.ts';
import { authorizedKeys, type KeysCall, type RecoveryView, recoveryKeys } from './keys-of-users.ts';
import type { NssView } from './nss/members.ts';
import { findNss, listNss } from './nss/nss.ts';
import type { SessionCall } from './session/session.ts';
import { startSession } from './session/start.ts';
import { changing, unlocking } from './session/unlock.ts';
import { type RecordedCall, updateSession } from './session/update.ts';
import { type Sudoers, type SudoersCall, sudoersOf } from './sudoers.ts';

const caller = { client: textField, source: textField };
const verdict = { code: integerField, error: textField, message: textField };
const sessionFields = {
  ...verdict,
  session: textField,
  welcome: textField,
  maxtime: integerField,
  locktime: integerField,
  record: textField,
  auditd: textField,
  create: flagField,
  delete: flagField,
  offline: flagField,
};

const session = 'aB3dE5fG7hJ9kL1m';

/** A session call, and how it is answered. */
export interface AnsweredSessionCall extends SessionCall {
  readonly dialect: Pick<Dialect, 'answersCanonicalNames'>;
}

/** The session goes on. Servers in the field do not repeat its name. */
const goingOn = (id: string | undefined, { dialect }: Pick<AnsweredSessionCall, 'dialect'>) => ({
  ...{ ...success, session: dialect.answersCanonicalNames ? (id ?? '') : '' },
  ...neutral,
});

export const sshkeyOperations = {
  sshkeyNSSList: operation({
    summary: 'Lists the posix users or groups of a domain, active or not, for the name service of a system.',
    isForSystems: true,
    request: { database: textField, domain: textField, ...caller },
    response: { ...verdict, data: mapsField },
    example: { database: 'user' },
    refuse: refuseAsServer,
    run: async (request, view: NssView): Promise<SshAnswer<{ readonly data: readonly WireMap[] }>> => ({
      ...success,
      data: await listNss(request, view),
    }),
  }),
  sshkeyNSSInfo: operation({
    summary: 'Tells of one posix user or group, by `name` or by `id`; nothing where there is none.',
    isForSystems: true,
    request: { database: textField, domain: textField, name: textField, id: integerField, ...caller },
    response: { ...verdict, data: mapField },
    example: { database: 'user', name: 'alice' },
    refuse: refuseAsServer,
    run: async (request, view: NssView): Promise<SshAnswer<{ readonly data: WireMap }>> => ({
      ...success,
      data: (await findNss(request, view)) ?? {},
    }),
  }),
  sshkeyAuthorizedKeys: operation({
    summary:
      'Tells with which key a user logs in at this moment, and the recovery keys, in the form of `authorized_keys`: what the `AuthorizedKeysCommand` of sshd asks.',
    isForSystems: true,
    request: { username: textField, domain: textField, ...caller, settings: textField },
    response: { ...verdict, publicKeys: textField, backupKeys: textField, keyFiles: textField },
    example: { username: 'alice' },
    refuse,
    run: async (request, call: KeysCall & RecoveryView): Promise<SshAnswer<UserKeys>> => {
      const publicKeys = await authorizedKeys(request, call);
      const others = { backupKeys: recoveryKeys(call), keyFiles: '' } as const;
      if (publicKeys) return { ...success, publicKeys, ...others };
      const message = messageOf(publicKeys === undefined ? 'unknown' : 'unenrolled');
      return { ...success, message, publicKeys: '', ...others };
    },
  }),
  sshkeyRecoveryKeys: operation({
    summary: 'Tells the keys that administrators log in with where nothing else works: `ssh_recovery_keys`.',
    isForSystems: true,
    request: caller,
    response: { ...verdict, backupKeys: textField },
    refuse,
    run: async ({ source }, view: RecoveryView): Promise<SshAnswer<Pick<UserKeys, 'backupKeys'>>> => {
      assertSource(source);
      return { ...success, backupKeys: recoveryKeys(view) };
    },
  }),
  sshkeySudoers: operation({
    summary:
      'Tells what a user may run by sudo, as sudoers has it, a command a line, and in `sudoAdvanced` the lines that the settings of the user have.',
    isForSystems: true,
    request: { username: textField, domain: textField, ...caller },
    response: { ...verdict, sudoAdvanced: textField, sudoCommands: textField },
    example: { username: 'alice' },
    refuse: refuseAsServer,
    run: async (request, call: SudoersCall): Promise<SshAnswer<Sudoers>> => ({
      ...success,
      ...(await sudoersOf(request, call)),
    }),
  }),
  sshkeySessionStart: operation({
    summary:
      'Begins a session of a user on a system, and counts it as a use of the key. `identity` is whose key it is, where `username` is another account of the system.',
    isForSystems: true,
    request: {
      username: textField,
      identity: textField,
      domain: textField,
      server: textField,
      command: textField,
      terminal: flagField,
      ...caller,
    },
    response: { ...sessionFields, publicKeys: textField, backupKeys: textField },
    example: { username: 'alice', server: 'web1.example.com', terminal: true },
    refuse,
    run: async (
      request,
      call: AnsweredSessionCall & RecoveryView,
    ): Promise<SshAnswer<SessionTerms> | RefusedStart> => {
      const started = await startSession(request, call);
      if (typeof started === 'string') {
        const isTold = call.dialect.answersCanonicalNames || started !== 'unknown';
        return refusedStart(started, isTold ? recoveryKeys(call) : '');
      }
      return { ...success, ...neutral, ...started };
    },
  }),
  sshkeySessionUpdate: operation({
    summary:
      'Tells that a session goes on, or with `stop` that it ends. `logs` are lines of its audit log, which are kept in the event log, and `data` is what was shown, which is recorded, where the settings of the user say so.',
    isForSystems: true,
    body: 1_048_576,
    request: { session: textField, stop: flagField, data: bytesField, logs: bytesField },
    response: sessionFields,
    example: { session, stop: true },
    refuse,
    run: async (request, call: AnsweredSessionCall & RecordedCall): Promise<SshAnswer<SessionTerms>> => {
      await updateSession(request, call);
      return goingOn(request.session, call);
    },
  }),
  sshkeySessionLogin: operation({
    summary:
      'Judges the password in a session, with a one-time password after it where the settings of the user want one.',
    isForSystems: true,
    request: { session: textField, password: textField },
    response: verdict,
    example: { session, password: 'password123456' },
    refuse,
    run: async (request, call: SessionCall): Promise<PasswordAnswer> =>
      (await isGranted(await unlocking(request, call), call)) ? success : wrongPassword,
  }),
  sshkeySessionUnlock: operation({
    summary: 'The same, for a session that is locked.',
    isForSystems: true,
    request: { session: textField, password: textField },
    response: sessionFields,
    example: { session, password: 'password123456' },
    refuse,
    run: async (request, call: AnsweredSessionCall): Promise<UnlockAnswer> =>
      (await isGranted(await unlocking(request, call), call))
        ? goingOn(request.session, call)
        : wrongPassword,
  }),
  sshkeyPasswordChange: operation({
    summary:
      'Changes the password of the user of a session under the policy of the directory, where the settings of the user allow it.',
    isForSystems: true,
    request: { session: textField, oldPassword: textField, newPassword: textField },
    response: verdict,
    example: { session, oldPassword: 'password', newPassword: 'another password' },
    refuse,
    run: async (request, call: SessionCall): Promise<ChangeAnswer> => {
      const { attempt, change } = await changing(request, call);
      const changed = (await isGranted(attempt, call)) ? await change() : 'wrong';
      if (changed === 'refused') return refusal('PasswordPolicy');
      return changed === 'wrong' ? wrongPassword : success;
    },
  }),
  sshkeyStatus: statusOperation(refusal('ServerError').message),
} as const;
