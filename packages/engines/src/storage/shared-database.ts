/** The state in a database that machines share. */
import { mkdir } from 'node:fs/promises';
import type { ServerConfig } from '@watchword/core';
import { ServiceError, StartError } from '@watchword/core/foundation';
import { parseHost } from '@watchword/core/operator';
import type { ImportCounts, KeyRing, StoreContents } from '@watchword/core/ports';
import { systemClock } from '@watchword/node';
import type { Database, PostgresOptions } from '@watchword/postgres';
import { readNamed } from '../secrets/pair-file.ts';
import type { KeptEngines } from './kept-engines.ts';
import { nameOfKept } from './name.ts';

export type SharedStore = Extract<ServerConfig['store'], { type: 'postgres' }>;

export type SharedConfig = ServerConfig & { readonly store: SharedStore };

const engine = () => import('@watchword/postgres');

/** @throws StartError with the sentence of the server, if it does not let us in or has not the schema of this version */
async function openDatabase(config: SharedConfig): Promise<Database> {
  const { assertUpToDate, Database } = await engine();
  const database = new Database(optionsOf(config.store));
  try {
    await assertUpToDate(database);
    return database;
  } catch (error) {
    await database.close();
    throw notOpened(config, error);
  }
}

/** Words an error of opening. PostgreSQL's own words are the cause: they name the role and the host, and no password. */
export function notOpened(config: SharedConfig, error: unknown): unknown {
  if (!(error instanceof ServiceError)) return error;
  const why = error.cause instanceof Error ? error.cause.message : error.message;
  return new StartError(`${capital(nameOfKept(config))} cannot be used (${why}).`, { cause: error });
}

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

export function optionsOf(store: SharedStore): PostgresOptions {
  const { hosts, database, user, password = '', ca, allow_plain, timeout_s, connections } = store;
  return {
    hosts: hosts.flatMap((text) => parseHost(text, 5432) ?? []),
    ...{ database, user, password, connections, timeout_ms: timeout_s * 1000 },
    tls: allow_plain ? false : { ...(ca !== undefined && { ca: readNamed(ca) }) },
  };
}

/** One value is there as soon as any server has started. */
export async function holdsState(config: SharedConfig): Promise<boolean> {
  const { openStore, Steps } = await engine();
  const database = await openDatabase(config);
  try {
    const kept = openStore(new Steps(database), { lasting: true });
    return (await kept.get('secret:digest')) !== undefined;
  } finally {
    await database.close();
  }
}

/** Opens the state; the data folder of the machine has only the certificates of its servers. */
export async function openKept(config: SharedConfig, signer: KeyRing): Promise<KeptEngines> {
  await mkdir(config.data, { recursive: true, mode: 0o700 });
  return openReadable(config, signer);
}

/** @param signer left out: the event log is only read */
export async function openReadable(config: SharedConfig, signer?: KeyRing): Promise<KeptEngines> {
  const postgres = await engine();
  const database = await openDatabase(config);
  try {
    const steps = new postgres.Steps(database, {
      eventDays: config.event_log_days,
      ...(signer && { signer }),
    });
    return {
      environment: undefined,
      folder: await postgres.openState(steps, nameOfKept(config)),
      store: postgres.openLedger(steps, systemClock),
      ephemeral: postgres.openStore(steps, { lasting: false }),
      events: postgres.openEventLog(steps),
      patience: database.patience,
      entryRecords: postgres.openEntryRecords(steps),
      certificates: postgres.openCertificateRecords(steps),
      close: () => database.close(),
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** An hour: it is one transaction. */
const longestMove = 3_600_000;

/** Takes all of it into the database, or nothing. @throws StartError if something is kept there already */
export async function moveInto(config: SharedConfig, from: StoreContents): Promise<ImportCounts> {
  const { assertUpToDate, Database, importContents } = await engine();
  const database = new Database({ ...optionsOf(config.store), timeout_ms: longestMove });
  try {
    await assertUpToDate(database);
    return await importContents(database, from);
  } catch (error) {
    throw notOpened(config, error);
  } finally {
    await database.close();
  }
}

/** Whether many machines share it. */
export const isShared = (config: ServerConfig): config is SharedConfig => config.store.type === 'postgres';
