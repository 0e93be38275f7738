/** Warns about web services that can be called from the network without authentication of the caller; the checks of a start print it. */

import { ServicePolicies } from '../../../administration/policy/service-policies.ts';
import type { ServedApplications } from '../../../applications/context/call.ts';
import type { ServerConfig } from '../../../config/config.ts';
import { coversAllAddresses, isLoopback } from '../../../foundation/text/network.ts';
import { Names } from '../../../table/dialect.ts';

/** Returns warnings about services that judge users and require nothing of callers. @returns whole sentences */
export function openServiceWarnings(
  config: Pick<ServerConfig, 'names' | 'websrvs' | 'ws'>,
  applications: ServedApplications,
): readonly string[] {
  const { host, port } = config.ws;
  if (isLoopback(host) || host.toLowerCase() === 'localhost') return [];
  const names = new Names(config.names);
  const services = new ServicePolicies({ config, names });
  return Object.values(applications)
    .filter(({ service, judgesUsers }) => {
      const { enabled, require } = services.find(service);
      return enabled && require === 'none' && judgesUsers;
    })
    .map(({ service }) => {
      const externalName = names.theirs(service);
      return (
        `websrvs.${externalName}.require is none, and ws listens on ${host}:${port}: any client that can reach it may try passwords there; ` +
        `set it to api_key (watchword-ws --make-api-key makes a key), certificate or either, or ws.host to 127.0.0.1.`
      );
    });
}

/** Returns warnings about rights of callers that are granted to every address. @returns whole sentences */
export function trustWarnings({
  trusted_callers,
  request_settings,
}: Pick<ServerConfig, 'trusted_callers' | 'request_settings'>): readonly string[] {
  const advice = 'name the addresses of your calling systems';
  return [
    ...(trusted_callers.some(coversAllAddresses)
      ? [
          `trusted_callers includes every address: any client that can reach ws may claim any source address; ${advice}.`,
        ]
      : []),
    ...((request_settings ?? []).some(coversAllAddresses)
      ? [
          `request_settings includes every address: any client that can reach ws may ask for a login with one factor; ${advice}.`,
        ]
      : []),
  ];
}
