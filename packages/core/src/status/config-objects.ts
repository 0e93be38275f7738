/** Get_Config_Objects: the objects of the configuration, their names or their settings. */
import type { ClientConfig } from '../config/config.ts';
import type { Core } from '../core.ts';
import { requestedSetting } from '../table/requested-setting.ts';

export const configTypes = [
  'domains',
  'clients',
  'trusts',
  'webapps',
  'websrvs',
  'roles',
  'optionsets',
] as const;
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
            ['base', domain.base.format()],
            ['login_attributes', domain.loginAttributes.join(',')],
            ['allowed_groups', domain.allowedGroups.join(';')],
            ['excluded_groups', domain.excludedGroups.join(';')],
          ]),
        ]),
      );
    case 'clients':
      return new Map(
        Object.entries(core.config.clients).map(([name, client]) => [name, clientObject(client, core)]),
      );
    case 'websrvs':
      return new Map(
        Object.values(core.applications).map(({ name, service }) => [
          core.names.theirs(name),
          new Map([...demands(service, core), ...presets(name, core)]),
        ]),
      );
    case 'roles':
      return restrictions(core.config.roles);
    case 'optionsets':
      return restrictions(core.config.option_sets);
    // There are no web applications, and no domain is trusted to another installation.
    case 'trusts':
    case 'webapps':
      return new Map();
  }
}

/** DNs have commas in them. */
const restrictions = (objects: Readonly<Record<string, object>>): ReadonlyMap<string, ConfigObject> =>
  new Map(
    Object.entries(objects).map(([name, settings]) => [
      name,
      new Map(
        Object.entries(settings).map(([key, value]) => [
          key,
          Array.isArray(value) ? value.join(';') : String(value),
        ]),
      ),
    ]),
  );

/** As it is configured; a mode that an administrator has set holds besides. */
function clientObject(client: ClientConfig, core: Core): ConfigObject {
  return new Map([
    ['default_domain', client.default_domain ?? ''],
    ['allowed_groups', client.allowed_groups.join(';')],
    ['excluded_groups', client.excluded_groups.join(';')],
    ['allowed_options', client.allowed_options.join(',')],
    ['addresses', client.addresses.join(',')],
    ...allowedSettings(client, core),
    ['mode', client.mode],
    ...settingTexts(client.settings, core),
    ...client.groups.map(({ group, settings }) => [`group ${group}`, listed(settings, core)] as const),
    ...client.networks.map(
      ({ network, settings }) => [`network ${network}`, listed(settings, core)] as const,
    ),
  ]);
}

/** None at all is another thing than a list of none. */
const allowedSettings = (
  { allowed_settings: allowed }: ClientConfig,
  { names }: Core,
): readonly (readonly [string, string])[] => {
  const theirs = allowed?.map((text) => names.theirsDotted(requestedSetting(text, names)));
  return theirs ? [['allowed_settings', theirs.join(',')]] : [];
};

type SettingMap = ClientConfig['settings'];

/** In the installation's words; a flag as it is everywhere, `Yes` or `No`. */
const settingTexts = (settings: SettingMap, { names }: Core): readonly (readonly [string, string])[] =>
  Object.entries(settings).map(([name, value]) => [
    names.theirsDotted(names.oursDotted(name)),
    typeof value === 'boolean' ? yesOrNo(value) : value,
  ]);

const listed = (settings: SettingMap, core: Core): string =>
  settingTexts(settings, core)
    .map(([name, value]) => `${name}=${value}`)
    .join(',');

function demands(service: string, core: Core): readonly (readonly [string, string])[] {
  const { enabled, require, defaultDomain } = core.services.find(service);
  return [
    ['enabled', yesOrNo(enabled)],
    ['require', require],
    ['default_domain', defaultDomain ?? ''],
  ];
}

const yesOrNo = (flag: boolean): string => (flag ? 'Yes' : 'No');

function presets(application: string, core: Core): ConfigObject {
  const prefix = `${application}.`;
  const own = [...core.presets].filter(([name]) => name.startsWith(prefix));
  return new Map(own.map(([name, value]) => [name.slice(prefix.length), value]));
}
