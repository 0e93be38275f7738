/** What most guides begin with: `npm start` has run, in the reader's folder, and its servers listen. */
import { join } from 'node:path';
import { quickStart, type Running } from '@watchword/quickstart';
import { codes } from './codes.ts';
import { openPlace } from './place.ts';
import { usePorts, withPorts } from './ports.ts';
import type { TypescriptGround } from './program.ts';
import { openShell } from './shell.ts';

export interface Stand extends TypescriptGround {
  readonly facts: Running['facts'];
  /** The lines that the servers have logged. */
  readonly logged: readonly string[];
  /** A code of alice's token that is good now; each time another one. */
  nextCode(): string;
  /** Ends the servers, until they are started again. */
  stop(): Promise<void>;
  /** Ends the servers and starts them again, with what the environment says of settings. */
  restart(settings: Readonly<Record<string, string>>): Promise<void>;
}

/** What a reader has to know is in the environment: `PASSWORD` is the administrator's, `ALICE_PASSWORD` alice's. */
export async function openStand(): Promise<Stand> {
  const place = await openPlace();
  const ports = await usePorts(4443, 8443, 6360);
  const ours = { WATCHWORD_MANAGER__PORT: `${ports.get(4443)}`, WATCHWORD_WS__PORT: `${ports.get(8443)}` };
  const logged: string[] = [];
  const start = (settings = {}) =>
    quickStart({
      ...{ data: join(place.folder, 'data'), environment: { ...ours, ...settings } },
      ...{ progress: nobody, warn: nobody, logTo: { write: (line) => logged.push(line) } },
    });
  let running: Running | undefined = await start();
  const { facts } = running;
  const stop = async () => {
    await running?.servers.close();
    running = undefined;
  };
  const [alice] = facts.users;
  if (!alice?.token) throw new Error('alice has no token');
  // Of a first start: nobody has changed them.
  const { password: PASSWORD = '' } = facts.admin;
  const { password: ALICE_PASSWORD = '' } = alice;
  const environment = { PASSWORD, ALICE_PASSWORD };
  const shell = openShell({ folder: place.folder, environment });
  return {
    ...{ folder: place.folder, shell, facts, environment, logged, nextCode: codes(alice.token) },
    here: (text) => withPorts(text, ports),
    stop,
    restart: async (settings) => {
      await stop();
      running = await start(settings);
    },
    close: async () => {
      await shell.close();
      await stop();
      await place.close();
    },
  };
}

const nobody = (): void => undefined;
