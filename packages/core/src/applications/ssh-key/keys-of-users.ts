/** The operation that sshd calls: the keys with which a user may log in at this moment. */
import type { ServiceConfig } from '../../config/config.ts';
import type { LoginRequest } from '../../login/request.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Store } from '../../ports/store/store.ts';
import { read } from '../../table/setting.ts';
import { authorizedKey } from './lines/authorized-key.ts';
import { variablesOf } from './lines/environment.ts';
import type { Restrictions } from './lines/restrictions.ts';
import { sshkeySettings } from './settings.ts';
import { type FindingCall, findSshUser, type SshUser } from './user.ts';
import { isGood, usesIn, usesKey } from './uses.ts';

export interface KeysCall extends FindingCall {
  readonly store: Pick<Store, 'get'>;
  readonly clock: Clock;
}

/** The source of the recovery keys. */
export interface RecoveryView {
  readonly config: Pick<ServiceConfig, 'ssh_recovery_keys'>;
}

/** The line of the user; empty: it is there and has no key that is good. Undefined: it is not there, or may not. */
export async function authorizedKeys(request: LoginRequest, call: KeysCall): Promise<string | undefined> {
  const user = await findSshUser(request, call);
  if (!user) return undefined;
  const { key, account, name } = user;
  if (!key || !(await isUsable(user, call))) return '';
  const variables = variablesOf(read(account.settings, sshkeySettings.EnvVariables) ?? '');
  const service = call.names.theirs('sshkey');
  return authorizedKey(key, { service, name, variables, restrictions: restrictionsOf(user) }) ?? '';
}

/** Options that close a session, in sshd's words. */
const closing = [
  [sshkeySettings.AgentForwarding, 'no-agent-forwarding'],
  [sshkeySettings.PortForwarding, 'no-port-forwarding'],
  [sshkeySettings.X11Forwarding, 'no-X11-forwarding'],
  [sshkeySettings.PTYAllocation, 'no-pty'],
] as const;

const restrictionsOf = ({ account: { settings } }: SshUser): Restrictions => ({
  addresses: read(settings, sshkeySettings.AddressFilter),
  forwards: read(settings, sshkeySettings.ForwardFilter),
  command: read(settings, sshkeySettings.RemoteCommand),
  closed: closing.filter(([row]) => !read(settings, row)).map(([, option]) => option),
});

async function isUsable({ key, account }: SshUser, { store, clock }: KeysCall): Promise<boolean> {
  if (!key) return false;
  const uses = key.maxUse === undefined ? undefined : await store.get(usesKey(account.id, key));
  return isGood(key, clock.now(), usesIn(uses));
}

/** Those of administrators, that log in as anybody, one a line; nothing of them is kept with users. */
export const recoveryKeys = ({ config }: RecoveryView): string => config.ssh_recovery_keys.join('\n');
