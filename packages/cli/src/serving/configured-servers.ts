/** Servers by both layers of their configuration: the file, and the settings at run time. */
import type { ServedApplications } from '@watchword/core/operator';
import type { OpenedEngines } from '@watchword/engines/installation';
import type { ServerCommand } from '../program.ts';
import { withRuntimeSettings } from './layers.ts';
import { configured, Reload, type ReloadOptions } from './reload.ts';
import { closingOnError, type RunningServers, startServers } from './servers.ts';

export interface ConfiguredServers<A extends ServedApplications> {
  readonly running: RunningServers<A>;
  readonly reload: Reload;
}

/** @param engines by the file, which are closed with the servers @throws StartError, ConfigError, ServiceError `unavailable` */
export async function startConfigured<const A extends ServedApplications>(
  commands: readonly ServerCommand[],
  engines: OpenedEngines,
  options: ReloadOptions & { readonly applications: A },
): Promise<ConfiguredServers<A>> {
  const { applications } = options;
  const layered = await closingOnError(engines, () => withRuntimeSettings(options.loaded, engines));
  const effective = await closingOnError(engines, () => engines.reopen(layered.config));
  await closeReplaced(engines, effective);
  const renew = () => reload.renew();
  const running: RunningServers<A> = await startServers(commands, {
    ...{ config: layered.config, applications, renew },
    engines: configured(effective, layered, options),
  });
  const reload: Reload = new Reload(options, { running, engines: effective });
  options.log.setLevel(layered.config.log.level);
  return { running, reload };
}

/** Closes the engines that only the file has named. */
async function closeReplaced(before: OpenedEngines, { directory }: OpenedEngines): Promise<void> {
  const { mail, sms, push } = before.senders ?? {};
  await Promise.all([mail?.close(), sms?.close(), push?.close()]);
  before.yubico?.close();
  if (before.directory !== directory) await before.directory.close();
}
