/** All that an installation keeps but for its directories, opened in the engine that the configuration names. */

import type { ServerConfig } from '@watchword/core';
import type { DataFolder, KeyRing, Ports, Store } from '@watchword/core/ports';
import type { Environment } from '@watchword/embedded';
import * as folder from './folder.ts';
import * as database from './shared-database.ts';

export interface KeptEngines
  extends Pick<Ports, 'store' | 'momentary' | 'events' | 'patience' | 'entryRecords' | 'certificates'> {
  /** What the place that it is kept in knows of itself. */
  readonly folder: DataFolder;
  /** What an embedded directory stands in. */
  readonly environment: Environment | undefined;
  close(): Promise<void>;
}

/** What can be read of it while nothing may be made. */
export interface ReadableEngines extends Omit<KeptEngines, 'momentary' | 'events' | 'store'> {
  readonly store: Store;
}

/** Whether something is kept there already. @throws StartError, ServiceError if it cannot be looked at */
export const holdsState = (config: ServerConfig): Promise<boolean> =>
  database.isShared(config) ? database.holdsState(config) : folder.holdsState(config);

/** @throws StartError where servers have kept something that is missing */
export const refuseMissing = async (config: ServerConfig): Promise<void> => {
  if (!database.isShared(config)) await folder.refuseMissing(config);
};

/** @param signer signs the checkpoints of the event log @throws StartError, ServiceError if it cannot be opened */
export const openKept = (config: ServerConfig, signer: KeyRing): Promise<KeptEngines> =>
  database.isShared(config) ? database.openKept(config, signer) : folder.openKept(config, signer);

/** As {@link openKept}, and makes nothing. */
export const openReadable = (config: ServerConfig): Promise<ReadableEngines> =>
  database.isShared(config) ? database.openReadable(config) : folder.openReadable(config);

/** Loads the packages of the engine, and opens nothing. */
export const loadKept = (config: ServerConfig): Promise<unknown> =>
  database.isShared(config) ? import('@watchword/postgres') : import('@watchword/embedded/keeping');
