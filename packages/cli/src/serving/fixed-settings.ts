/** Settings that a running server cannot change. */
import { isDeepStrictEqual } from 'node:util';
import type { ServerConfig } from '@watchword/core';
import { isMap, valueAt } from '@watchword/core/operator';

type Path = readonly string[];

/** Settings that a running server keeps: of its sockets, its data folder, its keys and its database. */
const fixed: readonly Path[] = [
  ...[['data'], ['keys_file'], ['store'], ['ca'], ['event_log_days']],
  ...[
    ['log', 'format'],
    ['log', 'file'],
  ],
  ...[
    ['manager', 'host'],
    ['manager', 'port'],
    ['ws', 'host'],
    ['ws', 'port'],
  ],
  ...[
    ['ldap_door', 'host'],
    ['ldap_door', 'port'],
    ['ldap_door', 'ldaps_port'],
  ],
  ...[
    ['directory', 'type'],
    ['directory', 'base'],
  ],
];

/** Lists the paths of settings that differ and need a restart. */
export const needingRestart = (running: ServerConfig, next: ServerConfig): readonly Path[] =>
  fixed.filter((path) => !isDeepStrictEqual(valueAt(running, path), valueAt(next, path)));

/** Returns settings with the values that others have at these paths. */
export const withValuesOf = (settings: unknown, others: unknown, paths: readonly Path[]): unknown =>
  paths.reduce<unknown>((changed, path) => withValue(changed, path, valueAt(others, path)), settings);

/** Returns a map with another value at a path. Undefined removes the value, and a map that it leaves empty. */
function withValue(map: unknown, [key = '', ...rest]: Path, value: unknown): Record<string, unknown> {
  const { [key]: before, ...others } = isMap(map) ? map : {};
  const after = rest.length === 0 ? value : withValue(before, rest, value);
  const isEmpty = after === undefined || (isMap(after) && Object.keys(after).length === 0);
  return isEmpty ? others : { ...others, [key]: after };
}
