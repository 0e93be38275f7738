/** The state of an installation besides its directories, opened in the engine that the configuration names. */

import type { ServerConfig } from '@watchword/core';
import type { KeyRing } from '@watchword/core/ports';
import * as folder from './folder.ts';
import type { KeptEngines, ReadableEngines } from './kept-engines.ts';
import * as database from './shared-database.ts';

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

/** Opens the state as {@link openKept}, and creates nothing. */
export const openReadable = (config: ServerConfig): Promise<ReadableEngines> =>
  database.isShared(config) ? database.openReadable(config) : folder.openReadable(config);

/** Loads the packages of the engine, and opens nothing. */
export const loadKept = (config: ServerConfig): Promise<unknown> =>
  database.isShared(config) ? import('@watchword/postgres') : import('@watchword/embedded/storage');
