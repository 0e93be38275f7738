/** Engines of the store, as a data folder and a shared database give them. */
import type { DataFolder, Ports, Store } from '@watchword/core/ports';
import type { Environment } from '@watchword/embedded';

export interface KeptEngines
  extends Pick<Ports, 'store' | 'ephemeral' | 'events' | 'patience' | 'entryRecords' | 'certificates'> {
  /** The data folder, or the part of the database in its place. */
  readonly folder: DataFolder;
  /** The LMDB environment of an embedded directory. */
  readonly environment: Environment | undefined;
  close(): Promise<void>;
}

/** Engines that are read only: nothing is made where it is missing. */
export interface ReadableEngines extends Omit<KeptEngines, 'ephemeral' | 'events' | 'store'> {
  readonly store: Store;
}
