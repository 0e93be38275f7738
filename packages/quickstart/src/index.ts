/** `npm start`: both servers in one process on an embedded directory, with an administrator and demo users. */
import { join } from 'node:path';
import { createLog, loadConfig } from '@watchword/core/adapters/system';
import { openEngines, type RunningServers, startServers } from '@watchword/core/start';
import { managerCommand } from '@watchword/server-manager';
import { webServiceCommand } from '@watchword/server-ws';
import { ensureConfig } from './config.ts';
import { ensurePeople, type QuickStart, writeQuickStart } from './people.ts';

export { describeText } from './describe.ts';
export type { Person, QuickStart } from './people.ts';

export interface QuickStartOptions {
  /** The data folder, absolute. */
  readonly data: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Told what is being done, a line at a time. */
  readonly progress: (line: string) => void;
  readonly logTo: { write(line: string): unknown };
}

export interface Running {
  readonly facts: QuickStart;
  readonly servers: RunningServers;
}

/** Starts everything, making on the first start what is not there. @throws StartError, ConfigError */
export async function quickStart({
  data,
  environment,
  progress,
  logTo,
}: QuickStartOptions): Promise<Running> {
  const path = await ensureConfig(data, progress);
  const { config } = loadConfig(path, environment);
  const engines = await openEngines(config, createLog(config.log, logTo));
  const people = await closingOnError(engines, () => ensurePeople({ config, engines, progress }));
  const servers = await startServers([managerCommand, webServiceCommand], config, engines);
  const [manager, ws] = servers.listeners;
  const facts: QuickStart = {
    // The name that the certificate and its readers know; whichever address the servers listen on, it is one.
    manager_url: `https://localhost:${manager?.port}/manag/`,
    ws_url: `https://localhost:${ws?.port}/`,
    ca: join(config.data, 'ca.pem'),
    ...people,
  };
  await closingOnError(servers, async () => writeQuickStart(config.data, facts));
  return { facts, servers };
}

async function closingOnError<T>(open: { close(): Promise<void> }, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    await open.close();
    throw error;
  }
}
