/**
 * Settings that can be changed at run time, and the two layers of a configuration: the settings of the file, and those at run time. Where both
 * have a setting, the file wins (docs/concepts/policies-and-settings.md#configuration-layers).
 */
import { isDeepStrictEqual } from 'node:util';
import type { ConfigProblem } from './problems.ts';
import { isMap } from './schema-node.ts';

/** Settings as written, before defaults. */
export type ConfigSettings = Readonly<Record<string, unknown>>;

/**
 * Settings of the file only: a machine needs them before it reads its store, or they decide how administrators sign in. A mistake in those
 * would shut every administrator out.
 */
const fileOnly: ReadonlySet<string> = new Set([
  ...['data', 'keys_file', 'store', 'ca', 'event_log_days', 'license', 'log'],
  ...['directory', 'directories', 'stores', 'schema'],
  ...['manager', 'ws', 'acme', 'ldap_door', 'proxy_headers', 'dialect', 'names'],
  ...['auth_mode', 'admin_auth', 'manager_auth'],
]);

/** Settings whose change needs a fresh second factor: they decide who administers, and who is believed. */
const sensitive: ReadonlySet<string> = new Set([
  ...[
    'super_admins',
    'manager_clients',
    'trusted_callers',
    'request_settings',
    'reverse_proxies',
    'api_keys',
  ],
]);

/** Levels of maps whose keys belong to a layer each; of a setting that is not listed, one layer has the whole value. */
const levels: Readonly<Record<string, number>> = {
  ...{ clients: 1, openid_clients: 1, api_keys: 1, sms_accounts: 1, roles: 1, option_sets: 1 },
  ...{ domains: 1, settings: 1, limits: 1, messages: 1, texts: 2, websrvs: 2, webapps: 2 },
};

/** Names of settings whose values are secrets, hashes of secrets, or may have secrets in them, at any depth. */
const secretName = /(?:^|_)(?:password|secret|key|hash|sha256)$|^headers$/;

export const canChangeAtRunTime = (name: string): boolean => !fileOnly.has(name);

/** Returns the names of changed settings that need a fresh second factor. */
export const sensitiveNames = (before: ConfigSettings, after: ConfigSettings): readonly string[] =>
  [...sensitive].filter((name) => !isDeepStrictEqual(before[name], after[name]));

/** Lists what settings at run time may not have: settings of the file, and paths of files on a machine. */
export function runtimeProblems(settings: ConfigSettings): readonly ConfigProblem[] {
  return Object.entries(settings).flatMap(([name, value]) => {
    if (!canChangeAtRunTime(name))
      return [
        {
          path: [name],
          message: 'cannot be changed at run time',
          cure: 'change it in the configuration file',
        },
      ];
    return ['mail', 'sms', 'push', 'yubico'].includes(name) ? filePaths(name, value) : [];
  });
}

/** A path would name a file on every node, and tell whether it is there. */
function filePaths(name: string, value: unknown): readonly ConfigProblem[] {
  const given = isMap(value) ? Object.keys(value) : [];
  return given
    .filter((key) => key === 'ca' || key === 'folder' || key.endsWith('_file'))
    .map((key) => ({
      path: [name, key],
      message: 'names a file of a machine, which cannot be set at run time',
      cure: 'write the value itself, or set it in the configuration file',
    }));
}

/** Merges the two layers. */
export function mergeLayers(file: ConfigSettings, runtime: ConfigSettings): ConfigSettings {
  return merged(file, runtime, (name) => levels[name] ?? 0);
}

function merged(
  file: ConfigSettings,
  runtime: ConfigSettings,
  depthOf: (key: string) => number,
): ConfigSettings {
  const keys = new Set([...Object.keys(runtime), ...Object.keys(file)]);
  return Object.fromEntries(
    Array.from(keys, (key) => {
      const [ours, theirs] = [file[key], runtime[key]];
      const depth = depthOf(key);
      if (depth > 0 && isMap(ours) && isMap(theirs)) return [key, merged(ours, theirs, () => depth - 1)];
      return [key, ours ?? theirs];
    }),
  );
}

/** Applies a JSON Merge Patch (RFC 7396): null removes a member. */
export function mergePatch(settings: unknown, patch: unknown): unknown {
  if (!isMap(patch)) return patch;
  const before = isMap(settings) ? settings : {};
  const kept = Object.entries(before).filter(([key]) => !Object.hasOwn(patch, key));
  const set = Object.entries(patch)
    .filter(([, value]) => value !== null)
    .map(([key, value]) => [key, mergePatch(before[key], value)] as const);
  return Object.fromEntries([...kept, ...set]);
}

/** Returns a value without the secrets in it. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isMap(value)) return value;
  const shown = Object.entries(value).filter(([name]) => !secretName.test(name));
  return Object.fromEntries(shown.map(([name, inner]) => [name, withoutSecrets(inner)]));
}

/** Returns settings with the secrets that others have at the same places, where they have none of their own. */
export function keepSecrets(before: unknown, after: ConfigSettings): ConfigSettings {
  if (!isMap(before)) return after;
  const kept = Object.entries(before).filter(
    ([name]) => secretName.test(name) && !Object.hasOwn(after, name),
  );
  const set = Object.entries(after).map(
    ([name, value]) => [name, isMap(value) ? keepSecrets(before[name], value) : value] as const,
  );
  return Object.fromEntries([...set, ...kept]);
}

/** The longest path that {@link changedSettings} lists: `clients.vpn`, `websrvs.otp`. */
const listedDepth = 2;

/** Lists the paths of changed settings, without their values: `clients.vpn`, `ws_url`. */
export function changedSettings(
  before: unknown,
  after: unknown,
  path: readonly string[] = [],
): readonly string[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (path.length === listedDepth || !isMap(before) || !isMap(after)) return listed(before, after, path);
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys.flatMap((key) => changedSettings(before[key], after[key], [...path, key]));
}

/** A map that comes or goes is listed by its keys. */
function listed(before: unknown, after: unknown, path: readonly string[]): readonly string[] {
  const map = isMap(before) ? before : after;
  const isWhole = before === undefined || after === undefined;
  if (path.length < listedDepth && isWhole && isMap(map) && Object.keys(map).length > 0)
    return Object.keys(map).map((key) => [...path, key].join('.'));
  return [path.join('.')];
}
