/** Words in one setting that another one has to know: domains, clients, the settings of applications. */
import { dialects, Names } from '../table/dialect.ts';
import { readSetting, storingUnsupported, wrongOrder } from '../table/setting.ts';
import { type ConfigProblem, formatPath, nearest } from './problems.ts';
import type { Path } from './schema-node.ts';
import type { Vocabulary } from './vocabulary.ts';

/** The words that a configuration may use: of the applications, and what the installation calls them. */
export interface ConfigWords extends Vocabulary {
  readonly names: Names;
}

/** The name in `names` that is `wanted` without regard to case. */
export function sameName(names: readonly string[], wanted: string): string | undefined {
  return names.find((name) => name.toLowerCase() === wanted.toLowerCase());
}

/** `what` is the singular: "domain". */
export function caseClashes(path: Path, names: readonly string[], what: string): ConfigProblem[] {
  return names
    .filter((name, index) => names.findIndex((other) => sameName([other], name)) < index)
    .map((name) => ({
      path: [...path, name],
      message: `differs from another ${what} in upper and lower case only`,
      cure: 'rename one of them',
    }));
}

/** A name that is not among those of the map `of`. */
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

/** Of `Otp.LoginMode`, `LoginMode`. */
const ownName = (dotted: string): string => dotted.slice(dotted.indexOf('.') + 1);

/** Settings that no application has, or values that it would not take. */
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
  /** All of ours → theirs. */
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

/** Applications as the dialect has them: settings without effect are stored, or refused. */
export function applicationsIn<A extends Parameters<typeof storingUnsupported>[0]>(
  dialect: keyof typeof dialects,
  applications: Readonly<Record<string, A>>,
): Readonly<Record<string, A>> {
  if (!dialects[dialect].storesUnsupported) return applications;
  const rows = Object.entries(applications).map(([name, one]) => [name, storingUnsupported(one)]);
  return Object.fromEntries(rows);
}

/** Settings that are stored and have no effect in this version, a sentence each: a start warns of them. */
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
