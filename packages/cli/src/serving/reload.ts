/** Reload: a running server reads its configuration again and serves it, all of it or nothing. */
import { ConfigError, type ServerConfig } from '@watchword/core';
import { StartError } from '@watchword/core/foundation';
import type { ServedApplications } from '@watchword/core/operator';
import type { Log } from '@watchword/core/ports';
import type { OpenedEngines } from '@watchword/engines/installation';
import type { LoadedConfig } from '../config-file/config-file.ts';
import { changedSettings, needingRestart, withValuesOf } from './changed-settings.ts';
import type { RunningServers } from './servers.ts';

export interface ReloadOptions {
  readonly running: RunningServers<ServedApplications>;
  readonly engines: OpenedEngines;
  readonly log: Log & { setLevel(level: ServerConfig['log']['level']): void };
  /** The program, for the log. */
  readonly program: string;
  /** The configuration that the server has started with. */
  readonly loaded: LoadedConfig;
  /** Reads the configuration. @throws ConfigError, StartError */
  readonly read: () => Promise<LoadedConfig>;
}

export class Reload {
  readonly #options: ReloadOptions;
  #engines: OpenedEngines;
  #loaded: LoadedConfig;
  #present: Promise<void> = Promise.resolve();
  #isDue = false;

  constructor(options: ReloadOptions) {
    this.#options = options;
    this.#engines = options.engines;
    this.#loaded = options.loaded;
  }

  /** Reloads after the reload that is under way. Several calls meanwhile make one. Resolves, whatever is wrong: the log has it. */
  request(): Promise<void> {
    if (this.#isDue) return this.#present;
    this.#isDue = true;
    this.#present = this.#present.then(() => {
      this.#isDue = false;
      return this.#reload();
    });
    return this.#present;
  }

  /** Resolves when no reload is under way or due. */
  settled(): Promise<void> {
    return this.#present;
  }

  async #reload(): Promise<void> {
    const { log, program } = this.#options;
    try {
      const { changed, needRestart } = await this.#apply();
      log.info('configuration reloaded', { program, changed });
      if (needRestart.length > 0)
        log.warn(
          `these settings have changed and need a restart; the server keeps those that it started with: ${needRestart.join(', ')}`,
          { program },
        );
    } catch (error) {
      const why = error instanceof StartError || error instanceof ConfigError ? error.message : undefined;
      log.error(
        `the configuration was not reloaded, and the one before stays in force${why ? `: ${why}` : ''}`,
        {
          program,
          ...(why === undefined && { error }),
        },
      );
    }
  }

  async #apply() {
    const { running, log, program, read } = this.#options;
    const { config: before } = running;
    const written = await read();
    const kept = needingRestart(before, written.config);
    const loaded =
      kept.length === 0 ? written : written.read(withValuesOf(written.settings, this.#loaded.settings, kept));
    const engines = await this.#engines.reopen(loaded.config);
    await running.replace(loaded.config, engines);
    this.#engines = engines;
    this.#loaded = loaded;
    log.setLevel(loaded.config.log.level);
    for (const warning of loaded.warnings) log.warn(warning, { program });
    return {
      changed: changedSettings(before, loaded.config),
      needRestart: kept.map((path) => path.join('.')),
    };
  }
}
