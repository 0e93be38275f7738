/** Checks what a network may ask of open web services: whether passwords are right, or more. */

import { ServicePolicies } from '../../../administration/policy/service-policies.ts';
import type { ServedApplications } from '../../../applications/context/call.ts';
import type { ServerConfig } from '../../../config/config.ts';
import { coversAllAddresses, isLoopback } from '../../../foundation/text/network.ts';
import { Names } from '../../../table/dialect.ts';

/** @returns whole sentences */
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
      const word = names.theirs(service);
      return (
        `websrvs.${word}.require is none, and ws listens on ${host}:${port}: whoever reaches it may try passwords there; ` +
        `set it to api_key (watchword-ws --make-api-key makes a key), certificate or either, or ws.host to 127.0.0.1.`
      );
    });
}

/** Warns of callers that are believed without a proof. @returns whole sentences */
export function trustWarnings({
  trusted_callers,
  request_settings,
}: Pick<ServerConfig, 'trusted_callers' | 'request_settings'>): readonly string[] {
  const name = 'name the addresses of your calling systems';
  return [
    ...(trusted_callers.some(coversAllAddresses)
      ? [`trusted_callers names everybody: whoever reaches ws is believed what source it names; ${name}.`]
      : []),
    ...((request_settings ?? []).some(coversAllAddresses)
      ? [`request_settings names everybody: whoever reaches ws may log in with one factor; ${name}.`]
      : []),
  ];
}
