/** The method Get_Config_Objects: the objects of the configuration, their names or their settings. */

import type { ClientConfig, ServiceConfig } from '../../config/config.ts';
import type { Settings } from '../../directory/data/layers.ts';
import type { Domains } from '../../directory/domain.ts';
import type { Words } from '../../directory/view.ts';
import { requestedSetting } from '../../table/requested-setting.ts';
import type { WebApplicationPolicies } from '../policy/self/web-applications.ts';
import type { ServicePolicies } from '../policy/service-policies.ts';

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

/** The context of configured objects. */
export interface ConfigView extends Words {
  readonly config: Pick<ServiceConfig, 'clients' | 'roles' | 'option_sets' | 'openid_clients'>;
  readonly domains: Pick<Domains, 'all'>;
  readonly services: Pick<ServicePolicies, 'find'>;
  readonly webapps: Pick<WebApplicationPolicies, 'find'>;
  readonly presets: Settings;
}

export function configObjects(type: ConfigType, view: ConfigView): ReadonlyMap<string, ConfigObject> {
  switch (type) {
    case 'domains':
      return new Map(
        view.domains.all.map((domain) => [
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
        Object.entries(view.config.clients).map(([name, client]) => [name, clientObject(client, view)]),
      );
    case 'websrvs':
      return new Map(
        Object.values(view.applications)
          .filter(({ webApplication }) => !webApplication)
          .map(({ name, service }) => [
            view.names.theirs(name),
            new Map([...demands(service, view), ...presets(name, view)]),
          ]),
      );
    case 'webapps':
      return new Map(
        Object.values(view.applications)
          .filter(({ webApplication }) => webApplication?.isOn(view.config))
          .map(({ name, service }) => [
            view.names.theirs(name),
            new Map([...doors(service, view), ...presets(name, view)]),
          ]),
      );
    case 'roles':
      return restrictions(view.config.roles);
    case 'optionsets':
      return restrictions(view.config.option_sets);
    // No domain is trusted to another installation.
    case 'trusts':
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

/** Returns a client as it is configured; a mode set by an administrator holds besides. */
function clientObject(client: ClientConfig, words: Pick<Words, 'names'>): ConfigObject {
  return new Map([
    ['default_domain', client.default_domain ?? ''],
    ['allowed_groups', client.allowed_groups.join(';')],
    ['excluded_groups', client.excluded_groups.join(';')],
    ['allowed_options', client.allowed_options.join(',')],
    ['addresses', client.addresses.join(',')],
    ...allowedSettings(client, words),
    ['mode', client.mode],
    ...settingTexts(client.settings, words),
    ...client.groups.map(({ group, settings }) => [`group ${group}`, listed(settings, words)] as const),
    ...client.networks.map(
      ({ network, settings }) => [`network ${network}`, listed(settings, words)] as const,
    ),
  ]);
}

/** None at all is another thing than a list of none. */
const allowedSettings = (
  { allowed_settings: allowed }: ClientConfig,
  { names }: Pick<Words, 'names'>,
): readonly (readonly [string, string])[] => {
  const theirs = allowed?.map((text) => names.theirsDotted(requestedSetting(text, names)));
  return theirs ? [['allowed_settings', theirs.join(',')]] : [];
};

type SettingMap = ClientConfig['settings'];

/** Returns settings in the installation's words; flags are `Yes` or `No`. */
const settingTexts = (
  settings: SettingMap,
  { names }: Pick<Words, 'names'>,
): readonly (readonly [string, string])[] =>
  Object.entries(settings).map(([name, value]) => [
    names.theirsDotted(names.oursDotted(name)),
    typeof value === 'boolean' ? yesOrNo(value) : value,
  ]);

const listed = (settings: SettingMap, words: Pick<Words, 'names'>): string =>
  settingTexts(settings, words)
    .map(([name, value]) => `${name}=${value}`)
    .join(',');

function demands(
  service: string,
  { services }: Pick<ConfigView, 'services'>,
): readonly (readonly [string, string])[] {
  const { enabled, require, defaultDomain } = services.find(service);
  return [
    ['enabled', yesOrNo(enabled)],
    ['require', require],
    ['default_domain', defaultDomain ?? ''],
  ];
}

function doors(
  word: string,
  { webapps }: Pick<ConfigView, 'webapps'>,
): readonly (readonly [string, string])[] {
  const { enabled, locked } = webapps.find(word);
  return [
    ['enabled', yesOrNo(enabled)],
    ['locked', yesOrNo(locked)],
  ];
}

const yesOrNo = (flag: boolean): string => (flag ? 'Yes' : 'No');

function presets(application: string, view: Pick<ConfigView, 'presets'>): ConfigObject {
  const prefix = `${application}.`;
  const own = [...view.presets].filter(([name]) => name.startsWith(prefix));
  return new Map(own.map(([name, value]) => [name.slice(prefix.length), value]));
}
