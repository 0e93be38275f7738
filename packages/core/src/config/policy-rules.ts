/** Rules for what calling systems may do: every domain, setting, service and client that is named is there. */
import { applications } from '../applications.ts';
import { Names } from '../dialect.ts';
import type { ConfigProblem } from './problems.ts';
import { caseClashes, unknownName, wrongSettings } from './references.ts';

type SettingMap = Readonly<Record<string, string | boolean>>;

/** The settings that these rules look at. */
export interface PolicySettings {
  /** All of ours → theirs. */
  readonly names: Readonly<Record<string, string>>;
  readonly domains: Readonly<Record<string, unknown>>;
  readonly clients: Readonly<Record<string, ClientSettings>>;
  readonly websrvs: Readonly<Record<string, { readonly default_domain?: string | undefined }>>;
  readonly api_keys: Readonly<Record<string, KeySettings>>;
}

interface ClientSettings {
  readonly settings: SettingMap;
  readonly default_domain?: string | undefined;
  readonly groups: readonly { readonly settings: SettingMap }[];
  readonly networks: readonly { readonly settings: SettingMap }[];
}

interface KeySettings {
  readonly services?: readonly string[] | undefined;
  readonly client?: string | undefined;
}

export function policyRules(config: PolicySettings): ConfigProblem[] {
  return [...clientRules(config), ...serviceRules(config), ...keyRules(config)];
}

function clientRules({ clients, domains, names }: PolicySettings): ConfigProblem[] {
  const words = new Names(names);
  const known = { of: 'domains', names: Object.keys(domains) };
  const single = Object.entries(clients).flatMap(([name, { settings, default_domain, groups, networks }]) => {
    const path = ['clients', name];
    const layers = Object.entries({ groups, networks }).flatMap(([layer, rows]) =>
      rows.flatMap((row, index) => wrongSettings([...path, layer, index, 'settings'], row.settings, words)),
    );
    return [
      ...wrongSettings([...path, 'settings'], settings, words),
      ...unknownName([...path, 'default_domain'], default_domain, known),
      ...layers,
    ];
  });
  return [...caseClashes(['clients'], Object.keys(clients), 'client'), ...single];
}

function serviceRules({ websrvs, domains, names }: PolicySettings): ConfigProblem[] {
  const words = new Names(names);
  const known = { of: 'domains', names: Object.keys(domains) };
  const given = Object.keys(websrvs);
  return Object.entries(websrvs).flatMap(([word, { default_domain }], index) => {
    const path = ['websrvs', word];
    const twin = given.find((other, before) => before < index && words.ours(other) === words.ours(word));
    return [
      ...unknownService(path, word, words),
      ...(twin === undefined
        ? []
        : [{ path, message: `is the same service as ${twin}`, cure: 'keep one of the two' }]),
      ...unknownName([...path, 'default_domain'], default_domain, known),
    ];
  });
}

function keyRules({ api_keys, clients, names }: PolicySettings): ConfigProblem[] {
  const words = new Names(names);
  const known = { of: 'clients', names: Object.keys(clients) };
  return Object.entries(api_keys).flatMap(([id, { services = [], client }]) => [
    ...services.flatMap((word, index) => unknownService(['api_keys', id, 'services', index], word, words)),
    ...unknownName(['api_keys', id, 'client'], client, known),
  ]);
}

function unknownService(path: ConfigProblem['path'], word: string, words: Names): ConfigProblem[] {
  const services = Object.values(applications).map(({ service }) => service);
  if (services.some((service) => service === words.ours(word))) return [];
  const cure = `write one of ${services.map((service) => words.theirs(service)).join(', ')}`;
  return [{ path, message: 'is no web service', cure }];
}
