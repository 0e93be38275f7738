/** Rules for policies: every named domain, setting, service and client exists. */

import { Network } from '../foundation/text/network.ts';
import { requestedSetting } from '../table/requested-setting.ts';
import { findSetting } from '../table/setting.ts';
import type { ConfigProblem } from './problems.ts';
import { type ConfigWords, caseClashes, settingCure, unknownName, wrongSettings } from './references.ts';

type SettingMap = Readonly<Record<string, string | boolean>>;

export interface PolicySettings {
  /** Names of the installation, ours → theirs. */
  readonly names: Readonly<Record<string, string>>;
  readonly domains: Readonly<Record<string, { readonly aliases?: readonly string[] | undefined }>>;
  readonly clients: Readonly<Record<string, ClientSettings>>;
  readonly websrvs: Readonly<Record<string, { readonly default_domain?: string | undefined }>>;
  readonly webapps: Readonly<Record<string, unknown>>;
  readonly api_keys: Readonly<Record<string, KeySettings>>;
}

interface ClientSettings {
  readonly settings: SettingMap;
  readonly default_domain?: string | undefined;
  readonly groups: readonly { readonly settings: SettingMap }[];
  readonly networks: readonly { readonly settings: SettingMap }[];
  readonly addresses: readonly string[];
  readonly allowed_settings?: readonly string[] | undefined;
}

interface KeySettings {
  readonly services?: readonly string[] | undefined;
  readonly client?: string | undefined;
}

export function policyRules(config: PolicySettings, words: ConfigWords): ConfigProblem[] {
  return [
    ...clientRules(config, words),
    ...serviceRules(config, words),
    ...webApplicationRules(config, words),
    ...keyRules(config, words),
  ];
}

function clientRules({ clients, domains }: PolicySettings, words: ConfigWords): ConfigProblem[] {
  const known = { of: 'domains', names: Object.keys(domains) };
  const single = Object.entries(clients).flatMap(([name, client]) => {
    const { settings, default_domain, groups, networks, allowed_settings = [] } = client;
    const path = ['clients', name];
    const layers = Object.entries({ groups, networks }).flatMap(([layer, rows]) =>
      rows.flatMap((row, index) => layerRules([...path, layer, index, 'settings'], row.settings, words)),
    );
    return [
      ...layerRules([...path, 'settings'], settings, words),
      ...unknownName([...path, 'default_domain'], default_domain, known),
      ...layers,
      ...allowedRules([...path, 'allowed_settings'], allowed_settings, words),
    ];
  });
  return [...caseClashes(['clients'], Object.keys(clients), 'client'), ...single, ...addressRules(clients)];
}

function layerRules(path: ConfigProblem['path'], settings: SettingMap, words: ConfigWords): ConfigProblem[] {
  const ofAll = {
    message: 'is the same for all: only settings of the configuration has it',
    cure: 'set it in settings',
  };
  const ofUsers = {
    message: 'is not changed by client policies: whoever chose its client would choose how often to guess',
    cure: 'set it in settings, for a group or for a user',
  };
  const rowOf = (name: string) => findSetting(words.applications, words.names.oursDotted(name));
  const problems = Object.keys(settings).flatMap((name) => {
    const withheld = rowOf(name)?.withheld;
    if (withheld !== 'client' && withheld !== 'entry') return [];
    return [{ path: [...path, name], ...(withheld === 'entry' ? ofAll : ofUsers) }];
  });
  return [...wrongSettings(path, settings, words), ...problems];
}

function allowedRules(
  path: ConfigProblem['path'],
  allowed: readonly string[],
  { names, applications }: ConfigWords,
): ConfigProblem[] {
  const words = { names, applications };
  return allowed.flatMap((text, index) => {
    const row = findSetting(applications, requestedSetting(text, names));
    const at = [...path, index];
    if (row === undefined) return [{ path: at, message: 'is not a setting', cure: settingCure(text, words) }];
    const message = 'is a setting that no request sets, whoever calls';
    return row.withheld ? [{ path: at, message, cure: 'set it in the settings of the client' }] : [];
  });
}

/** Finds networks that two clients name: an address belongs to one client. */
function addressRules(clients: PolicySettings['clients']): ConfigProblem[] {
  const all = Object.entries(clients).flatMap(([client, { addresses }]) =>
    addresses.flatMap((text, index) =>
      Network.parseAll([text]).map((network) => ({ client, index, network })),
    ),
  );
  return all.flatMap(({ client, index, network }, place) => {
    const twin = all
      .slice(0, place)
      .find((other) => other.client !== client && other.network.equals(network));
    const path = ['clients', client, 'addresses', index];
    const message = `is among the addresses of ${twin?.client} as well`;
    return twin ? [{ path, message, cure: 'keep it with one of the two clients' }] : [];
  });
}

function serviceRules({ websrvs, domains }: PolicySettings, words: ConfigWords): ConfigProblem[] {
  const known = { of: 'domains', names: Object.keys(domains) };
  return Object.entries(websrvs).flatMap(([word, { default_domain }]) => {
    const path = ['websrvs', word] as const;
    return [
      ...unknownService(path, word, words),
      ...twins(path, Object.keys(websrvs), { what: 'service', names: words.names }),
      ...unknownName([...path, 'default_domain'], default_domain, known),
    ];
  });
}

function webApplicationRules({ webapps }: PolicySettings, words: ConfigWords): ConfigProblem[] {
  return Object.keys(webapps).flatMap((word) => {
    const path = ['webapps', word] as const;
    const what = 'web application';
    return [
      ...unknownWord(path, word, { what, isWebApplication: true, words }),
      ...twins(path, Object.keys(webapps), { what, names: words.names }),
    ];
  });
}

/** Finds two spellings of one word. @param given words in order; the path ends with one of them */
function twins(
  path: readonly [string, string],
  given: readonly string[],
  { what, names }: { readonly what: string; readonly names: ConfigWords['names'] },
): ConfigProblem[] {
  const [, word] = path;
  const twin = given.slice(0, given.indexOf(word)).find((other) => names.ours(other) === names.ours(word));
  return twin === undefined
    ? []
    : [{ path: [...path], message: `is the same ${what} as ${twin}`, cure: 'keep one of the two' }];
}

function keyRules({ api_keys, clients }: PolicySettings, words: ConfigWords): ConfigProblem[] {
  const known = { of: 'clients', names: Object.keys(clients) };
  return Object.entries(api_keys).flatMap(([id, { services = [], client }]) => [
    ...services.flatMap((word, index) => unknownService(['api_keys', id, 'services', index], word, words)),
    ...unknownName(['api_keys', id, 'client'], client, known),
  ]);
}

const unknownService = (path: ConfigProblem['path'], word: string, words: ConfigWords): ConfigProblem[] =>
  unknownWord(path, word, { what: 'web service', isWebApplication: false, words });

function unknownWord(
  path: ConfigProblem['path'],
  word: string,
  {
    what,
    isWebApplication,
    words: { names, applications },
  }: { readonly what: string; readonly isWebApplication: boolean; readonly words: ConfigWords },
): ConfigProblem[] {
  const known = Object.values(applications)
    .filter((one) => one.isWebApplication === isWebApplication)
    .map(({ service }) => service);
  if (known.some((service) => service === names.ours(word))) return [];
  const cure = `write one of ${known.map((service) => names.theirs(service)).join(', ')}`;
  return [{ path, message: `is not a ${what}`, cure }];
}
