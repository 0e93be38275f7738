/**
 * The configuration of a server from one YAML file and the environment. Every mistake is an error that names
 * file and line (or the variable), the key, what is wrong and the cure, and no value.
 */
import { basename, dirname, resolve } from 'node:path';
import {
  ConfigError,
  configJsonSchema,
  readConfig,
  type ServerConfig,
  type Vocabulary,
} from '@watchword/core';
import { StartError } from '@watchword/core/foundation';
import { eachDirectory, isMap, namedDirectories, type Path, valueAt } from '@watchword/core/operator';
import { isOpenToOthers, readTextFile, whyUnreadable } from '@watchword/node';
import { applyEnvironment, type Environment, type Overridden } from './environment.ts';
import { absoluteGateways, gatewaysWithFiles, secretFilesOf } from './gateway-files.ts';
import { NamedFiles } from './named-files.ts';
import { readYaml, type Source } from './yaml-source.ts';

export interface LoadedConfig {
  /** The configuration with absolute paths, and with `bind_password` also where it is in a file. */
  readonly config: ServerConfig;
  /** Warnings about permitted but unwise settings: whole sentences. */
  readonly warnings: readonly string[];
  /** The settings as file and environment have them, without defaults. */
  readonly settings: unknown;
  /**
   * Reads other settings in place of {@link settings}, with paths relative to the same folder.
   * @param origin the origin of settings that neither file nor environment has, for errors
   * @throws ConfigError
   */
  readonly read: (settings: unknown, origin?: string) => LoadedConfig;
}

/**
 * @param path the YAML file; left out, all settings come from the environment. Paths in it are relative to its folder.
 * @param vocabulary what may be said of applications
 * @throws ConfigError with every problem found; StartError if the file cannot be read
 */
export function loadConfig(
  path: string | undefined,
  environment: Environment,
  vocabulary: Vocabulary,
): LoadedConfig {
  const source =
    path === undefined ? { data: {}, lineOf: () => undefined } : readYaml(readText(path), basename(path));
  const overridden = applyEnvironment(source.data, environment, configJsonSchema(vocabulary));
  if (path !== undefined && isMap(overridden.data) && Object.keys(overridden.data).length === 0)
    throw new StartError(
      `The configuration file ${path} is empty. Write the settings there, docs/reference/settings.md lists them; or remove it, and the command init makes one.`,
    );
  const name = path === undefined ? 'the environment' : basename(path);
  const read = (settings: unknown, origin = name): LoadedConfig =>
    locating(locator({ source, overridden, name, settings, origin }), () => {
      const config = withAbsolutePaths(
        readConfig(settings, vocabulary),
        path === undefined ? '.' : dirname(path),
      );
      const warnings = [
        ...overridden.warnings,
        ...unwise(config),
        ...openSecrets(config, holdsPassword(source) ? path : undefined),
      ];
      return { config: withFiles(config), warnings, settings, read };
    });
  return read(overridden.data);
}

function readText(path: string): string {
  try {
    return readTextFile(path);
  } catch (cause) {
    throw new StartError(`The configuration file ${path} cannot be read (${whyUnreadable(cause)}).`, {
      cause,
    });
  }
}

type LdapConfig = Extract<ServerConfig['directory'], { type: 'ldap' }>;

interface Origin {
  readonly source: Source;
  readonly overridden: Overridden;
  readonly name: string;
  /** The settings that are read. */
  readonly settings: unknown;
  /** The origin of those that neither file nor environment has. */
  readonly origin: string;
}

/** Returns a function that names the origin of a setting: `watchword.yaml, line 12` or `environment variable WATCHWORD_DATA`. */
function locator({ source, overridden, name, settings, origin }: Origin): (path: Path) => string {
  return (path) => {
    const override = overridden.overrides.findLast((one) =>
      one.path.every((key, index) => path[index] === key),
    );
    if (override) return `environment variable ${override.variable}`;
    if (valueAt(source.data, path) === undefined && valueAt(settings, path) !== undefined) return origin;
    const line = source.lineOf(path);
    return line === undefined ? name : `${name}, line ${line}`;
  };
}

function locating<T>(locate: (path: Path) => string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new ConfigError(error.problems.map((problem) => ({ ...problem, where: locate(problem.path) })));
  }
}

function withAbsolutePaths(config: ServerConfig, folder: string): ServerConfig {
  const absolute = <T extends object>(settings: T, ...keys: readonly (keyof T)[]): T => {
    const found = keys.flatMap((key) => {
      const file = settings[key];
      return typeof file === 'string' ? [[key, resolve(folder, file)]] : [];
    });
    return { ...settings, ...Object.fromEntries(found) };
  };
  const { acme, ca, license, manager, ws, store, log } = config;
  return {
    ...absolute(config, 'data', 'keys_file'),
    ...(acme && {
      acme: { ...absolute(acme, 'ca'), ...(acme.eab && { eab: absolute(acme.eab, 'key_file') }) },
    }),
    store: store.type === 'postgres' ? absolute(store, 'ca', 'password_file') : store,
    ...absoluteGateways(config, absolute),
    ...eachDirectory(config, ({ directory }) =>
      directory.type === 'ldap' ? absolute(directory, 'ca', 'bind_password_file') : directory,
    ),
    log: absolute(log, 'file'),
    ca: absolute(ca, 'certificate', 'key'),
    license: absolute(license, 'file', 'key'),
    manager: absolute(manager, 'certificate', 'key'),
    ws: absolute(ws, 'certificate', 'key', 'client_ca'),
  };
}

/** Reads every file that is named, now and not at the first login; the password takes its place. */
function withFiles(config: ServerConfig): ServerConfig {
  const files = new NamedFiles();
  for (const holder of ['ca', 'manager', 'ws'] as const) {
    for (const key of ['certificate', 'key'] as const) files.read([holder, key], config[holder][key]);
  }
  files.read(['ws', 'client_ca'], config.ws.client_ca);
  for (const key of ['file', 'key'] as const) files.read(['license', key], config.license[key]);
  const directories = eachDirectory(config, ({ path, directory }) => {
    if (directory.type !== 'ldap') return directory;
    files.read([...path, 'ca'], directory.ca);
    const password = files.readSecret([...path, 'bind_password_file'], directory.bind_password_file);
    return password === undefined ? directory : { ...directory, bind_password: password };
  });
  const gateways = gatewaysWithFiles(config, files);
  return files.checked({
    ...config,
    ...(config.acme && { acme: acmeWithFiles(config.acme, files) }),
    ...directories,
    ...gateways,
    store: storeWithFiles(config.store, files),
  });
}

function storeWithFiles(store: ServerConfig['store'], files: NamedFiles): ServerConfig['store'] {
  if (store.type !== 'postgres') return store;
  files.read(['store', 'ca'], store.ca);
  const { password_file, ...rest } = store;
  const password = files.readSecret(['store', 'password_file'], password_file);
  return password === undefined ? store : { ...rest, password };
}

function acmeWithFiles(acme: NonNullable<ServerConfig['acme']>, files: NamedFiles) {
  files.read(['acme', 'ca'], acme.ca);
  const key = files.readSecret(['acme', 'eab', 'key_file'], acme.eab?.key_file);
  return acme.eab && key !== undefined ? { ...acme, eab: { key_id: acme.eab.key_id, key } } : acme;
}

function sendsPlain({ allow_plain, start_tls, urls }: LdapConfig): boolean {
  return allow_plain && !start_tls && urls.some((url) => /^ldap:/i.test(url));
}

function unwise(config: ServerConfig): string[] {
  const { super_admins } = config;
  const warnings = namedDirectories(config)
    .filter(({ directory }) => directory.type === 'ldap' && sendsPlain(directory))
    .map(
      ({ path }) =>
        `${path.join('.')}.allow_plain is on: passwords cross the network to the directory in clear`,
    );
  if (config.store.type === 'postgres' && config.store.allow_plain)
    warnings.push('store.allow_plain is on: all that is kept crosses the network to the database in clear');
  const { mail, sms, push } = config;
  for (const [way, gateway] of Object.entries({ mail, sms, push })) {
    if (gateway && 'allow_plain' in gateway && gateway.allow_plain)
      warnings.push(`${way}.allow_plain is on: codes cross the network to the gateway in clear`);
  }
  const { manager, ws } = config;
  if (ws.port !== 0 && ws.port === manager.port && ws.host === manager.host)
    warnings.push(
      `manager.port and ws.port are both ${ws.port}: on one machine only one of the servers can start`,
    );
  const { relying_party: party } = config;
  for (const origin of party?.origins ?? []) {
    if (party && !`.${new URL(origin).hostname}`.endsWith(`.${party.id}`))
      warnings.push(
        `relying_party.origins has ${origin}, which is not of ${party.id}: browsers ask for devices there only where https://${party.id}/.well-known/webauthn lists it`,
      );
  }
  if (super_admins.length === 0) warnings.push('super_admins is empty: nobody may use the Manager');
  return warnings;
}

function holdsPassword({ data }: Source): boolean {
  const others = valueAt(data, ['directories']);
  const paths = [
    ['store', 'password'],
    ['mail', 'password'],
    ['sms', 'secret'],
    ['push', 'secret'],
    ['acme', 'eab', 'key'],
    ['directory', 'bind_password'],
    ...Object.keys(isMap(others) ? others : {}).map((name) => ['directories', name, 'bind_password']),
  ];
  return paths.some((path) => valueAt(data, path) !== undefined);
}

/** Files that hold a secret and can be read by others. */
function openSecrets(config: ServerConfig, ownFile: string | undefined): string[] {
  const passwordFiles = namedDirectories(config).map(({ directory }) =>
    directory.type === 'ldap' ? directory.bind_password_file : undefined,
  );
  const ofStore = config.store.type === 'postgres' ? config.store.password_file : undefined;
  return [
    ...new Set([
      ownFile,
      ofStore,
      ...secretFilesOf(config),
      ...passwordFiles,
      config.ca.key,
      config.manager.key,
      config.ws.key,
      config.acme?.eab?.key_file,
    ]),
  ]
    .filter((file) => file !== undefined && isOpenToOthers(file))
    .map((file) => `${file} holds a secret and can be read by others; run: chmod 600 ${file}`);
}
