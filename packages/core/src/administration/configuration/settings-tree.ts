import type { ConfigSettings } from '../../config/runtime-settings.ts';
import { isMap } from '../../config/schema-node.ts';
import { ServiceError } from '../../foundation/errors/errors.ts';
import { type Param, param } from '../../table/schema/index.ts';

/** The deepest level of a setting: an API key has three, a template of a gateway some more. */
const deepest = 16;

/** A tree of settings, as the configuration file has them. The audit shows their names only. */
export const settingsTree = (): Param<ConfigSettings, ConfigSettings> =>
  param({
    kind: 'Array',
    title: 'map of settings',
    shape: (z) => z.record(z.string(), z.json()),
    convert: (value, name) => {
      if (isAtMost(value, deepest)) return value;
      throw new ServiceError('invalid_params', {
        detail: `Parameter ${name} has more than ${deepest} levels`,
      });
    },
    audit: (value) => Object.keys(value).join(' '),
  });

function isAtMost(value: unknown, levels: number): boolean {
  if (Array.isArray(value)) return levels > 0 && value.every((item) => isAtMost(item, levels - 1));
  if (!isMap(value)) return true;
  return levels > 0 && Object.values(value).every((item) => isAtMost(item, levels - 1));
}
