import type { Dn } from '../foundation/text/dn.ts';

/** The configuration of a service in its two layers, as the host of the service has read it. */
export interface RuntimeConfiguration {
  /** The version of the settings at run time that the service was made with. */
  readonly version: string;
  /** The JSON Schema of a configuration file (2020-12). */
  readonly schema: Readonly<Record<string, unknown>>;
  /** The settings of the file and the environment, before defaults. */
  readonly file: Readonly<Record<string, unknown>>;
  /** The settings at run time, before defaults. */
  readonly runtime: Readonly<Record<string, unknown>>;
  /**
   * Checks other settings at run time, as the host would serve them.
   * @throws StartError with every problem, if no server could start with them; or if the caller could change them no more
   */
  check(runtime: Readonly<Record<string, unknown>>, caller: ConfigurationCaller): Promise<void>;
}

/** The administrator who changes the configuration. */
export interface ConfigurationCaller {
  readonly administrator: Dn;
  /** The address of the request; undefined: a call in process. */
  readonly address: string | undefined;
}
