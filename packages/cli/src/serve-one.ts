/** One of the bundled servers on its sockets: with TLS, after its proxies, and with no more connections than its open files permit. */
import type { Server } from 'node:net';
import type { ServerConfig } from '@watchword/core';
import type { Handler } from '@watchword/core/http';
import type { Engines, LdapService } from '@watchword/core/ports';
import { serverTls } from '@watchword/engines/installation';
import type { LdapListener } from '@watchword/ldap';
import { openFileLimit } from '@watchword/node';
import {
  behindProxies,
  type ConnectionLimits,
  type Listener,
  limitConnections,
  secureOptions,
  serve,
} from '@watchword/node/http';

/** @throws StartError */
export async function serveOne(
  server: 'manager' | 'ws',
  handler: Handler,
  { config, engines, share }: { config: ServerConfig; engines: Engines; share: number },
): Promise<Listener> {
  const { keys, clock, log } = engines;
  const { host, port } = config[server];
  const tls = await serverTls(server, { config, keys });
  const { reverse_proxies: proxies, proxy_headers: headers } = config;
  const known = behindProxies(handler, { proxies, headers, ca: tls.ca, clock, log });
  const portSetting = `${server}.port or WATCHWORD_${server.toUpperCase()}__PORT`;
  const connections = connectionLimits(config, share);
  return serve(known, { host, port, portSetting, tls, log, connections });
}

/** The LDAP door of the web services' server, on the ports that it is configured with. @throws StartError */
export async function serveLdapDoor(
  service: LdapService,
  { config, engines, share }: { config: ServerConfig; engines: Engines; share: number },
): Promise<readonly LdapListener[]> {
  const { ldap_door: door } = config;
  if (!door) return [];
  const { serveLdap } = await import('@watchword/ldap');
  const { keys, clock, log } = engines;
  const { ca: _, ...own } = await serverTls('ws', { config, keys });
  const limits = connectionLimits(config, share);
  const shared = {
    ...{ host: door.host, policy: door.client, tls: secureOptions(own), log },
    bases: [...new Set(Object.values(config.domains).map(({ base }) => base))],
    limit: (server: Server) => limitConnections(server, limits, { clock, log }),
  };
  const listeners: LdapListener[] = [];
  try {
    for (const [scheme, setting, port] of [
      ['ldaps', 'ldaps_port', door.ldaps_port],
      ['ldap', 'port', door.port],
    ] as const) {
      if (port === undefined) continue;
      const portSetting = `ldap_door.${setting} or WATCHWORD_LDAP_DOOR__${setting.toUpperCase()}`;
      listeners.push(await serveLdap(service, { ...shared, scheme, port, portSetting }));
    }
    return listeners;
  } catch (error) {
    await Promise.all(listeners.map((listener) => listener.close()));
    throw error;
  }
}

/** @param share how many servers of this process there are */
function connectionLimits(
  { limits, reverse_proxies, trusted_callers }: ServerConfig,
  share: number,
): ConnectionLimits {
  const files = openFileLimit();
  const most = files === undefined ? undefined : Math.floor((files * filesOfConnections) / share);
  const exempt = [...reverse_proxies, ...trusted_callers];
  return { perAddress: limits.connections_per_address, exempt, most };
}

/** The share of open files for connections; the rest is for the data folder and directories. */
const filesOfConnections = 0.75;
