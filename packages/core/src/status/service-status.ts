/** The status operation of a web service (webservices.md §4, otpStatus): the same for each. */
import type { Core } from '../core.ts';
import { version } from '../version.ts';
import { probeServers } from './probes.ts';

/** True if what the service needs is up, and lines of text about it. */
export async function statusOf(core: Core): Promise<{ status: boolean; message: string }> {
  const up = await probeServers(core);
  const connectors = Array.from(up, ([name, isUp]) => `${name} ${isUp ? 'ok' : 'down'}`).join(', ');
  const lines = [`Server: Watchword ${version}`, `Connectors: ${connectors}`];
  return { status: [...up.values()].every(Boolean), message: lines.join('\n') };
}
