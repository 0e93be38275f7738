/** The configuration of the bundled servers, judged by all that is known before anything is opened. */

import { ConfigError, type ServerConfig, type Vocabulary } from '@watchword/core';
import { StartError } from '@watchword/core/foundation';
import { checkNamedAuthority, licenseWarnings, openLicense } from '@watchword/engines/installation';
import { type LoadedConfig, loadConfig } from './config-file/config-file.ts';

/**
 * Without a file all settings may stand in the environment; who has none there has forgotten the file.
 * @throws ConfigError, StartError, as `loadConfig` does
 */
export function readNamedConfiguration(
  config: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
  vocabulary: Vocabulary,
): LoadedConfig {
  try {
    return loadConfig(config, environment, vocabulary);
  } catch (error) {
    if (config !== undefined || !(error instanceof ConfigError)) throw error;
    throw new StartError(`No configuration file is named (--config FILE).\n${error.message}`, {
      cause: error,
    });
  }
}

/**
 * Looks into the files of licence and certificate authority.
 * @returns warnings, whole sentences
 * @throws StartError if one of them is no good
 */
export async function judgeFiles(config: ServerConfig): Promise<readonly string[]> {
  return [...(await checkNamedAuthority(config.ca)), ...licenseWarnings(openLicense(config))];
}
