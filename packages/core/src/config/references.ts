/** Checks of references between settings: domains, clients, settings of applications. */
import { dialects, Names } from '../table/dialect.ts';
import { readSetting, storingUnsupported, wrongOrder } from '../table/setting.ts';
import { type ConfigProblem, formatPath, nearest } from './problems.ts';
import type { Path } from './schema-node.ts';
import type { Vocabulary } from './vocabulary.ts';

/** The words of the applications, and the installation's words for them. */
export interface ConfigWords extends Vocabulary {
  readonly names: Names;
}

/** Finds a name in any case. */
export function sameName(names: readonly string[], wanted: string): string | undefined {
  return names.find((name) => name.toLowerCase() === wanted.toLowerCase());
}

/** Describes an unknown name. @param what a singular noun, such as "domain" */
export function caseClashes(path: Path, names: readonly string[], what: string): ConfigProblem[] {
  return names
    .filter((name, index) => names.findIndex((other) => sameName([other], name)) < index)
    .map((name) => ({
      path: [...path, name],
      message: `differs from another ${what} in upper and lower case only`,
      cure: 'rename one of them',
    }));
}

/** Returns the problem of a name that is no key of a map. */
export function unknownName(
  path: Path,
  name: string | undefined,
  { of, names }: { of: string; names: readonly string[] },
): ConfigProblem[] {
  if (name === undefined || sameName(names, name) !== undefined) return [];
  const cure = names.length === 0 ? `describe it in ${of}` : `name one of them: ${names.join(', ')}`;
  return [{ path, message: `is not among ${of}`, cure }];
}

/** Returns the cure for a setting that is wrong: the setting of nearly this name, if there is none of it. */
export function settingCure(
  written: string,
  { names, applications }: Pick<ConfigWords, 'names' | 'applications'>,
): string {
  const known = Object.entries(applications).flatMap(([application, { settings }]) =>
    Object.keys(settings).map((name) => names.theirsDotted(`${application}.${name}`)),
  );
  const isKnown = sameName(known, written) !== undefined;
  const close = isKnown ? undefined : nearest(written, written.includes('.') ? known : known.map(ownName));
  const hint = close === undefined ? '' : `did you mean ${close}? `;
  return `${hint}docs/reference/application-settings.md lists them with their values`;
}

/** Returns the key of a full name: `LoginMode` of `Otp.LoginMode`. */
const ownName = (dotted: string): string => dotted.slice(dotted.indexOf('.') + 1);

/** Finds unknown settings, and invalid values. */
export function wrongSettings(
  path: Path,
  settings: Readonly<Record<string, string | boolean>>,
  { names, applications }: ConfigWords,
): ConfigProblem[] {
  const words = { names, applications };
  const ours = Object.entries(settings).map(([name, value]) => [names.oursDotted(name), value] as const);
  const wrong = Object.entries(settings).flatMap(([name, value]) => {
    const read = readSetting(applications, names.oursDotted(name), value);
    return 'wrong' in read
      ? [{ path: [...path, name], message: read.wrong, cure: settingCure(name, words) }]
      : [];
  });
  const order = wrongOrder(applications, new Map(ours.map(([name, value]) => [name, String(value)])));
  const misplaced = order && {
    path: [...path, names.theirsDotted(order.name)],
    message: order.wrong,
    cure: 'set a later moment, or leave one of the two out',
  };
  return misplaced ? [...wrong, misplaced] : wrong;
}

/** The parts of a configuration that hold settings. */
export interface SettingHolders {
  /** Names of the installation, ours → theirs. */
  readonly names: Readonly<Record<string, string>>;
  readonly clients: Readonly<Record<string, ClientLayers>>;
  readonly dialect: keyof typeof dialects;
  readonly settings: SettingMap;
}

interface ClientLayers {
  readonly settings: SettingMap;
  readonly groups: readonly { readonly settings: SettingMap }[];
  readonly networks: readonly { readonly settings: SettingMap }[];
}

type SettingMap = Readonly<Record<string, string | boolean>>;

/** Returns the applications in a dialect, which stores or refuses settings without effect. */
export function applicationsIn<A extends Parameters<typeof storingUnsupported>[0]>(
  dialect: keyof typeof dialects,
  applications: Readonly<Record<string, A>>,
): Readonly<Record<string, A>> {
  if (!dialects[dialect].storesUnsupported) return applications;
  const rows = Object.entries(applications).map(([name, one]) => [name, storingUnsupported(one)]);
  return Object.fromEntries(rows);
}

/** Returns a warning for each stored setting without effect in this version, to log at the start. */
export function ineffectiveSettings(config: SettingHolders, vocabulary: Vocabulary): readonly string[] {
  const applications = applicationsIn(config.dialect, vocabulary.applications);
  const names = new Names(config.names);
  return [...settingMaps(config)].flatMap(([path, settings]) =>
    Object.entries(settings).flatMap(([name, value]) => {
      const { warning } = readSetting(applications, names.oursDotted(name), value);
      return warning === undefined ? [] : [`${formatPath([...path, name])} ${warning}.`];
    }),
  );
}

function* settingMaps({ settings, clients }: SettingHolders): Generator<readonly [Path, SettingMap]> {
  yield [['settings'], settings];
  for (const [name, client] of Object.entries(clients)) {
    yield [['clients', name, 'settings'], client.settings];
    for (const layer of ['groups', 'networks'] as const)
      for (const [index, row] of client[layer].entries())
        yield [['clients', name, layer, index, 'settings'], row.settings];
  }
}
