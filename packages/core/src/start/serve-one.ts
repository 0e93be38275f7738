/** One of the bundled servers on its socket: with TLS, behind its proxies, and no more connections than it can have. */
import { behindProxies, type ConnectionLimits, type Listener, serve } from '../adapters/http/index.ts';
import { openFileLimit } from '../adapters/system/index.ts';
import type { ServerConfig } from '../config/config.ts';
import type { Handler } from '../http/http.ts';
import type { Engines } from './engines.ts';
import { serverTls } from './secrets/certificates.ts';

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
  return serve(known, { host, port, portSetting, tls, log, connections, ownProcess: true });
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

/** What is left is for the data folder, the connections to directories, and what is opened for a moment. */
const filesOfConnections = 0.75;
