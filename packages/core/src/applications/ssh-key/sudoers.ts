/** The commands that a user may run by sudo on the calling system. */
import { ServiceError } from '../../foundation/errors/errors.ts';
import type { LoginRequest } from '../../login/request.ts';
import { read } from '../../table/setting.ts';
import { sudoersLines } from './lines/sudo-commands.ts';
import { sshkeySettings } from './settings.ts';
import { type FindingCall, findSshUser } from './user.ts';

export type SudoersCall = FindingCall;

export type Sudoers = { readonly sudoAdvanced: string; readonly sudoCommands: string };

/** A line for each command, and lines as they are; empty: none. @throws ServiceError `not_found` for a user who is not there or may not log in over SSH */
export async function sudoersOf(request: LoginRequest, call: SudoersCall): Promise<Sudoers> {
  const user = await findSshUser(request, call);
  if (!user) throw new ServiceError('not_found', { detail: 'there is no such user' });
  const { account, name } = user;
  const commands = read(account.settings, sshkeySettings.SudoCommands);
  return {
    sudoAdvanced: read(account.settings, sshkeySettings.SudoAdvanced) ?? '',
    sudoCommands: sudoersLines(name.username, commands).join('\n'),
  };
}
