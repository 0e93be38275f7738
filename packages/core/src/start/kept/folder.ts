/** What is kept in the data folder of one machine. */
import { bootOf, systemClock } from '../../adapters/system/index.ts';
import type { ServerConfig } from '../../config/config.ts';
import type { KeyRing } from '../../ports/keys.ts';
import type { KeptEngines, ReadableEngines } from './kept.ts';

const embedded = () => import('../../adapters/embedded/keeping.ts');

export const holdsState = async ({ data }: ServerConfig): Promise<boolean> =>
  (await embedded()).holdsDatabase(data);

export async function openKept(
  { data, event_log_days: days }: ServerConfig,
  signer: KeyRing,
): Promise<KeptEngines> {
  const engine = await embedded();
  const environment = await engine.openEnvironment(data);
  try {
    const events = await engine.openEventLog(environment, { days, signer });
    await engine.dropEnds(environment);
    const momentary = await engine.openMomentary(data, bootOf());
    return {
      environment,
      folder: engine.dataFolder(environment, data),
      store: engine.openLedger({ lasting: environment, momentary }, systemClock, events),
      momentary: engine.openStore(momentary, systemClock, engine.mostMomentary),
      events,
      entryRecords: engine.openEntryRecords(environment),
      certificates: engine.openCertificateRecords(environment),
      close: async () => {
        await momentary.close();
        await environment.close();
      },
    };
  } catch (error) {
    await environment.close();
    throw error;
  }
}

/** All of its pages are looked at. */
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
