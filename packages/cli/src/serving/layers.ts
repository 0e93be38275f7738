/** The two layers of a configuration, read as one: the file with the environment, and the settings at run time. */
import { ConfigError, type ServerConfig } from '@watchword/core';
import { StartError } from '@watchword/core/foundation';
import { type ConfigSettings, isMap, mergeLayers, readRuntimeSettings } from '@watchword/core/operator';
import type { Engines } from '@watchword/core/ports';
import type { LoadedConfig } from '../config-file/config-file.ts';

/** A configuration of both layers. */
export interface LayeredConfig extends Pick<LoadedConfig, 'config' | 'warnings'> {
  /** The number of the version of the settings at run time. */
  readonly version: string;
  readonly file: ConfigSettings;
  readonly runtime: ConfigSettings;
  /** Reads other settings at run time with the same file. @throws ConfigError */
  readonly withRuntime: (runtime: ConfigSettings) => ServerConfig;
}

/**
 * Reads the settings at run time that are in force.
 * @throws StartError if they do not fit with the file; ServiceError `unavailable`
 */
export async function withRuntimeSettings(
  loaded: LoadedConfig,
  engines: Pick<Engines, 'store' | 'keys'>,
): Promise<LayeredConfig> {
  const { number, settings: runtime } = await readRuntimeSettings(engines);
  const file = isMap(loaded.settings) ? loaded.settings : {};
  const merged = (other: ConfigSettings) => loaded.read(mergeLayers(file, other), 'the settings at run time');
  const layers = { version: String(number), file, runtime };
  const withRuntime = (other: ConfigSettings) => merged(other).config;
  if (Object.keys(runtime).length === 0) return { ...layers, ...loaded, withRuntime };
  try {
    const { config, warnings } = merged(runtime);
    return { ...layers, config, warnings: [...loaded.warnings, ...warnings], withRuntime };
  } catch (cause) {
    if (!(cause instanceof ConfigError)) throw cause;
    throw new StartError(
      `The settings at run time, version ${number}, do not fit with the configuration file. Mend the file, or go back to another version: watchword-manager config --restore NUMBER --config FILE\n${cause.message}`,
      { cause },
    );
  }
}
