/** The state in the data folder of one machine. */
import { existsSync, readdirSync } from 'node:fs';
import { basename } from 'node:path';
import type { ServerConfig } from '@watchword/core';
import { StartError } from '@watchword/core/foundation';
import type { KeyRing } from '@watchword/core/ports';
import { bootId, systemClock } from '@watchword/node';
import type { KeptEngines, ReadableEngines } from './kept-engines.ts';

const embedded = () => import('@watchword/embedded/storage');

export const holdsState = async ({ data }: ServerConfig): Promise<boolean> =>
  (await embedded()).holdsDatabase(data);

/** Files that servers leave in a data folder beside its database. */
const leftByServers = /^(?:ca\.pem|ca-key\.pem|run-[0-9a-f]{32})$/;

/**
 * Refuses a data folder whose database is missing where servers have run: a new one would have no entries, and know of no code that was
 * used.
 * @throws StartError that names what is there
 */
export async function refuseMissing({ data, directory, keys_file }: ServerConfig): Promise<void> {
  if (!existsSync(data) || (await (await embedded()).holdsDatabase(data))) return;
  const left = readdirSync(data).filter((name) => leftByServers.test(name));
  // Keys alone may have been put there for a new folder, but not for a directory that is lost with its database.
  if (directory.type === 'embedded' && existsSync(keys_file)) left.push(basename(keys_file));
  const [first] = left;
  if (first === undefined) return;
  throw new StartError(
    `The database data.mdb is missing in the data folder ${data}, where ${first} is left. Put it back from a backup; to begin with an empty one, type this first: watchword-manager ${directory.type === 'embedded' ? 'init' : 'restored --taken "YYYY-MM-DD HH:MM:SS"'} --config FILE`,
  );
}

export async function openKept(
  { data, event_log_days: days }: ServerConfig,
  signer: KeyRing,
): Promise<KeptEngines> {
  const engine = await embedded();
  const environment = await engine.openEnvironment(data);
  try {
    const events = await engine.openEventLog(environment, { days, signer });
    await engine.dropEnds(environment);
    const ephemeral = await engine.openEphemeral(data, bootId());
    return {
      environment,
      folder: engine.dataFolder(environment, data),
      store: engine.openLedger({ lasting: environment, ephemeral }, systemClock, events),
      ephemeral: engine.openStore(ephemeral, systemClock, engine.maxEphemeralRecords),
      events,
      patience: engine.openPatience(environment, systemClock),
      entryRecords: engine.openEntryRecords(environment),
      certificates: engine.openCertificateRecords(environment),
      close: async () => {
        await ephemeral.close();
        await environment.close();
      },
    };
  } catch (error) {
    await environment.close();
    throw error;
  }
}

/** Opens a folder for reading, after a check of all its pages. */
export async function openReadable({ data }: ServerConfig): Promise<ReadableEngines> {
  const engine = await embedded();
  await engine.assertSound(data, { pages: Number.POSITIVE_INFINITY });
  const environment = await engine.openEnvironment(data);
  return {
    environment,
    folder: engine.dataFolder(environment, data),
    store: engine.openStore(environment, systemClock),
    entryRecords: engine.openEntryRecords(environment),
    certificates: engine.openCertificateRecords(environment),
    close: () => environment.close(),
  };
}
