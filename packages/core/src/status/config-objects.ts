/** Get_Config_Objects: the objects of the configuration, their names or their settings. */
import type { Core } from '../core.ts';
import { presetSettings } from '../directory/settings.ts';

export const configTypes = ['domains', 'clients', 'webapps', 'websrvs'] as const;
export type ConfigType = (typeof configTypes)[number];

/** Settings by name, all of them text. */
export type ConfigObject = ReadonlyMap<string, string>;

export function configObjects(type: ConfigType, core: Core): ReadonlyMap<string, ConfigObject> {
  switch (type) {
    case 'domains':
      return new Map(
        core.domains.all.map((domain) => [
          domain.name,
          new Map([
            ['base', domain.base.toString()],
            ['login_attributes', domain.loginAttributes.join(',')],
            ['allowed_groups', domain.allowedGroups.join(';')],
            ['excluded_groups', domain.excludedGroups.join(';')],
          ]),
        ]),
      );
    case 'websrvs':
      return new Map(
        Object.values(core.applications).map((row) => [core.names.theirs(row.name), presets(row.name, core)]),
      );
    // Neither client policies nor web applications can be configured yet.
    case 'clients':
    case 'webapps':
      return new Map();
  }
}

function presets(application: string, core: Core): ConfigObject {
  const prefix = `${application}.`;
  const own = [...presetSettings(core)].filter(([name]) => name.startsWith(prefix));
  return new Map(own.map(([name, value]) => [name.slice(prefix.length), value]));
}
