/** Reload: running servers read both layers of their configuration again and serve them, all of it or nothing. */
import {
  configJsonSchema,
  createCore,
  type ServerConfig,
  serviceSettings,
  vocabularyOf,
} from '@watchword/core';
import { StartError } from '@watchword/core/foundation';
import {
  assertOutside,
  assertStillAdmitted,
  changedSettings,
  type ServedApplications,
} from '@watchword/core/operator';
import type { Log, RuntimeConfiguration } from '@watchword/core/ports';
import type { OpenedEngines } from '@watchword/engines/installation';
import type { LoadedConfig } from '../config-file/config-file.ts';
import { needingRestart, withValuesOf } from './fixed-settings.ts';
import { type LayeredConfig, withRuntimeSettings } from './layers.ts';
import type { RunningServers } from './servers.ts';

export interface ReloadOptions {
  readonly log: Log & { setLevel(level: ServerConfig['log']['level']): void };
  /** The program, for the log. */
  readonly program: string;
  readonly applications: ServedApplications;
  /** The file as the servers have started with it. */
  readonly loaded: LoadedConfig;
  /** Reads the file. @throws ConfigError, StartError */
  readonly read: () => Promise<LoadedConfig>;
}

/** Servers after their start, and their engines. */
interface Started {
  readonly running: Pick<RunningServers<ServedApplications>, 'config' | 'replace'>;
  readonly engines: OpenedEngines;
}

/** Messages of the log after the file was read again. */
const aboutFile = {
  done: 'configuration reloaded',
  failed: 'the configuration was not reloaded, and the one before stays in force',
};

/** Messages of the log for another version of the settings at run time. */
const aboutVersion = {
  done: 'settings at run time taken over',
  failed: 'the settings at run time were not taken over, and those before stay in force',
};

export class Reload {
  readonly #options: ReloadOptions;
  readonly #running: Started['running'];
  #engines: OpenedEngines;
  #loaded: LoadedConfig;
  #present: Promise<boolean> = Promise.resolve(true);
  #isDue = false;
  /** The next reload reads the file again. */
  #rereadsFile = false;

  constructor(options: ReloadOptions, { running, engines }: Started) {
    this.#options = options;
    this.#running = running;
    this.#engines = engines;
    this.#loaded = options.loaded;
  }

  /**
   * Reloads after the reload that is under way; several calls meanwhile make one.
   * @returns whether the configuration is in force; if not, the log has the reason
   */
  request(): Promise<boolean> {
    this.#rereadsFile = true;
    return this.#schedule();
  }

  /** Serves the settings at run time that are in force, with the file as it was read last. @returns as {@link request} */
  renew(): Promise<boolean> {
    return this.#schedule();
  }

  #schedule(): Promise<boolean> {
    if (this.#isDue) return this.#present;
    this.#isDue = true;
    this.#present = this.#present.then(() => {
      this.#isDue = false;
      return this.#reload();
    });
    return this.#present;
  }

  /** Resolves when no reload is under way or due. */
  async settled(): Promise<void> {
    await this.#present;
  }

  async #reload(): Promise<boolean> {
    const { log, program } = this.#options;
    const rereads = this.#rereadsFile;
    this.#rereadsFile = false;
    const words = rereads ? aboutFile : aboutVersion;
    try {
      const { changed, needRestart } = await this.#apply(rereads);
      log.info(words.done, { program, changed });
      if (needRestart.length > 0)
        log.warn(
          `these settings have changed and need a restart; the server keeps those that it started with: ${needRestart.join(', ')}`,
          { program },
        );
      return true;
    } catch (error) {
      const why = error instanceof StartError ? `: ${error.message}` : '';
      log.error(`${words.failed}${why}`, {
        program,
        ...(why === '' && { error }),
      });
      return false;
    }
  }

  async #apply(rereads: boolean) {
    const { log, program, read } = this.#options;
    const { config: before } = this.#running;
    const written = rereads ? await read() : this.#loaded;
    const kept = needingRestart(before, written.config);
    const loaded =
      kept.length === 0 ? written : written.read(withValuesOf(written.settings, this.#loaded.settings, kept));
    const layered = await withRuntimeSettings(loaded, this.#engines);
    const engines = await this.#engines.reopen(layered.config);
    await this.#running.replace(layered.config, configured(engines, layered, this.#options));
    this.#engines = engines;
    this.#loaded = loaded;
    log.setLevel(layered.config.log.level);
    if (rereads) for (const warning of layered.warnings) log.warn(warning, { program });
    return {
      changed: changedSettings(before, layered.config),
      needRestart: kept.map((path) => path.join('.')),
    };
  }
}

/** Adds the configuration to the engines of a service, which changes it at run time. */
export function configured(
  engines: OpenedEngines,
  layered: LayeredConfig,
  { applications }: Pick<ReloadOptions, 'applications'>,
): OpenedEngines & { readonly configuration: RuntimeConfiguration } {
  const { version, file, runtime, withRuntime } = layered;
  const check: RuntimeConfiguration['check'] = async (other, caller) => {
    const config = withRuntime(other);
    await assertOutside(other, engines);
    const opened = await engines.reopen(config);
    try {
      await assertStillAdmitted(caller, createCore(serviceSettings(config), opened, applications));
    } finally {
      const { mail, sms, push } = opened.senders ?? {};
      await Promise.all([mail?.close(), sms?.close(), push?.close()]);
      opened.yubico?.close();
      if (opened.directory !== engines.directory) await opened.directory.close();
    }
  };
  const schema = { ...configJsonSchema(vocabularyOf(applications)) };
  return { ...engines, configuration: { version, file, runtime, schema, check } };
}
