/**
 * Overrides from the environment: `WATCHWORD_<KEY>`, with two underscores between levels, as in
 * `WATCHWORD_DIRECTORY__BIND_PASSWORD`. Keys are matched without regard to case, because variables are
 * written in capitals; an empty variable is none.
 */

import {
  isMap,
  knownKeys,
  nearest,
  nodeAt,
  type Path,
  type SchemaNode,
  valueAt,
} from '@watchword/core/operator';
import { trimSecret } from '@watchword/node';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Override {
  readonly variable: string;
  readonly path: Path;
}

export interface Overridden {
  readonly data: unknown;
  readonly overrides: readonly Override[];
  readonly warnings: readonly string[];
}

const prefix = 'WATCHWORD_';

/**
 * Puts the variables into the data. A variable of no setting is only a warning: Kubernetes sets `WATCHWORD_PORT` and the like for a
 * service of that name.
 * @param schema of the whole configuration
 */
export function applyEnvironment(data: unknown, environment: Environment, schema: SchemaNode): Overridden {
  const result = { data, overrides: [] as Override[], warnings: [] as string[] };
  for (const [variable, text] of Object.entries(environment)) {
    // Files of variables have marks and line ends as others do.
    const value = text && trimSecret(text);
    if (!variable.startsWith(prefix) || !value) continue;
    const path = pathOf(variable.slice(prefix.length).split('__'), result.data, schema);
    if (nodeAt(schema, path.slice(0, 1), {})) {
      result.data = withValue(result.data, path, value);
      result.overrides.push({ variable, path });
    } else {
      result.warnings.push(unknownVariable(variable, String(path[0]), schema));
    }
  }
  return result;
}

/** The spelling of the settings table, else that of the file (names of domains), else lower case. */
function pathOf(words: readonly string[], data: unknown, schema: SchemaNode): Path {
  const path: string[] = [];
  for (const word of words) {
    const at = valueAt(data, path);
    const node = nodeAt(schema, path, data);
    const known = [...knownKeys(node, at), ...(isMap(at) ? Object.keys(at) : [])];
    const same =
      known.find((key) => key === word) ?? known.find((key) => key.toLowerCase() === word.toLowerCase());
    path.push(same ?? (/[a-z]/.test(word) ? word : word.toLowerCase()));
  }
  return path;
}

function withValue(data: unknown, [key, ...rest]: Path, value: string): unknown {
  if (key === undefined) return value;
  const map = isMap(data) ? data : {};
  return { ...map, [key]: withValue(valueAt(map, [key]), rest, value) };
}

function unknownVariable(variable: string, key: string, schema: SchemaNode): string {
  const close = nested(key, schema) ?? nearest(key, knownKeys(schema));
  const hint = close === undefined ? '' : `; did you mean ${prefix}${close.toUpperCase()}?`;
  return `The environment variable ${variable} is not a setting and is ignored${hint}`;
}

/** The setting on the second level that was written with one underscore: `manager__port` of `manager_port`. */
function nested(key: string, schema: SchemaNode): string | undefined {
  return knownKeys(schema)
    .flatMap((outer) => knownKeys(nodeAt(schema, [outer], {})).map((inner) => `${outer}__${inner}`))
    .find((name) => name.replace('__', '_') === key);
}
