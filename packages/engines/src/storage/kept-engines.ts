/** Engines of the store, as a data folder and a shared database give them. */
import type { DataFolder, Ports, Store } from '@watchword/core/ports';
import type { Environment } from '@watchword/embedded';

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
