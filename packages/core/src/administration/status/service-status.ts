/** The status operation, which every web service has. */
import type { ServiceConfig } from '../../config/config.ts';
import { version } from '../../foundation/version.ts';
import type { System } from '../../ports/system.ts';
import { flagField, textField } from '../../table/field.ts';
import { operation } from '../../table/operation.ts';
import type { Readiness } from './readiness.ts';

/** The state of a service. */
export interface ServiceState {
  readonly readiness: () => Promise<Readiness>;
  readonly system: System;
  readonly config: Pick<ServiceConfig, 'ws_url'>;
}

/** Returns whether the service's servers are up, and lines of text, whose words are our choice. */
async function statusOf({
  readiness,
  system,
  config,
}: ServiceState): Promise<{ status: boolean; message: string }> {
  const { servers: up } = await readiness();
  const { host, platform, uptime, memory } = system.facts();
  const lines = [
    `Server: Watchword ${version}`,
    `System: ${platform}`,
    `Listener: ${config.ws_url}`,
    `Uptime: ${uptime}s (${Math.floor(uptime / 86_400)} days)`,
    `Cluster Node: ${host}`,
    `Local Memory: ${megabytes(memory.used)} of ${megabytes(memory.total)}`,
    // What nodes share is in the store: sessions, counters, claims.
    `Shared Memory: ${stateOf(up, 'session')}`,
    `Connectors: ${Array.from(up.keys(), (name) => `${name} ${stateOf(up, name)}`).join(', ')}`,
  ];
  return { status: [...up.values()].every(Boolean), message: lines.join('\n') };
}

const megabytes = (bytes: number): string => `${Math.round(bytes / (1 << 20))}M`;

const stateOf = (up: ReadonlyMap<string, boolean>, name: string): string => (up.get(name) ? 'ok' : 'down');

/** Makes the row of the operation. @param sorry the answer where the state is unknown */
export const statusOperation = (sorry: string) =>
  operation({
    summary: 'Tells how the service is.',
    request: {},
    response: { status: flagField, message: textField },
    refuse: () => ({ status: false, message: sorry }),
    run: (_, call: ServiceState) => statusOf(call),
  });
