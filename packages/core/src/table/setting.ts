/**
 * Settings of applications as rows: what a setting may hold, its default, and one way to read it. On the wire and on
 * the entry a value is always text, booleans are `Yes` and `No`. What cannot work is refused when it is set; what
 * somebody wrote on an entry all the same is {@link acceptSetting}'s to judge.
 */
import { isMoment, readMoment } from '../text/moment.ts';

export type SettingKind =
  | { readonly kind: 'boolean' }
  | {
      readonly kind: 'integer';
      readonly min: number;
      readonly max: number;
      readonly only?: readonly number[];
    }
  | { readonly kind: 'text' }
  /** `later`: words that are known and that no login could go by yet; nobody can set them. */
  | WordKind
  /** `YYYY-MM-DD HH:MM:SS`, UTC; `after` is the setting of the same application that has to be earlier. */
  | { readonly kind: 'moment'; readonly after?: string };

export interface WordKind<Word extends string = string> {
  readonly kind: 'word';
  readonly words: readonly Word[];
  readonly later: readonly string[];
}

export interface SettingRow<Kind extends SettingKind = SettingKind> {
  readonly type: Kind;
  /** The application default, the weakest policy layer; undefined: not set. */
  readonly default?: string;
  readonly summary: string;
  /**
   * Nothing acts on it in this version: it is kept and answered. `free`: whatever it says, a login is the same.
   * `fixed`: another value than the default would change a login and does not, so it is refused.
   */
  readonly kept?: 'free' | 'fixed';
  /** Which of two values asks for more of whoever logs in; left out: nobody can say. */
  readonly stricter?: Stricter;
  /** Whatever it says, the same logins are granted. */
  readonly isIndifferent?: true;
  /** Who may not set it for a login, whoever calls: a request; or a request and the policy of a client too. */
  readonly withheld?: 'request' | 'client';
}

/** By the order of the values, or for each value those that ask for less. */
export type Stricter = 'smaller' | 'later' | 'earlier' | Readonly<Record<string, readonly string[]>>;

/** A row with its whole name in our words, `Otp.LoginMode`. */
export type Setting<Row extends SettingRow = SettingRow, Name extends string = string> = Row & {
  readonly name: Name;
};

type Rows = Readonly<Record<string, SettingRow>>;

/** The rows of an application, which know their names from here on. */
export function settingsOf<const Application extends string, const R extends Rows>(
  application: Application,
  rows: R,
): { readonly [K in keyof R]: Setting<R[K], `${Application}.${K & string}`> } {
  const named = Object.entries(rows).map(([key, row]) => [key, { ...row, name: `${application}.${key}` }]);
  return Object.fromEntries(named);
}

/** Every row of some applications. */
type RowOf<A> = {
  readonly [Name in keyof A]: A[Name] extends { readonly settings: infer Settings }
    ? Settings[keyof Settings]
    : never;
}[keyof A];

/** The settings of some applications as callers write them: their names, and what each may be set to; null removes it. */
export interface SettingsOf<A> {
  readonly names: readonly Extract<RowOf<A>, Setting>['name'][];
  readonly values: {
    readonly [Row in Extract<RowOf<A>, Setting> as Row['name']]?: ValueOf<Row['type']> | null;
  };
}

/** Text, but where the row says which words there are. */
type ValueOf<Kind> = Kind extends { readonly kind: 'boolean' }
  ? boolean | 'Yes' | 'No'
  : Kind extends { readonly kind: 'word'; readonly words: readonly (infer Word)[] }
    ? Word
    : string;

/** What is in force, by full names. */
type Values = Pick<ReadonlyMap<string, string>, 'get'>;

type Of<Kind extends SettingKind['kind']> = Extract<SettingKind, { readonly kind: Kind }>;
type IntegerRow = SettingRow<Of<'integer'>>;
type FlagRow = SettingRow<Of<'boolean'>>;
type MomentRow = SettingRow<Of<'moment'>>;
type TextRow<Default> = SettingRow & { readonly default: Default };

/**
 * The value in force, else the default; a moment in milliseconds since 1970, see {@link readMoment}. Where a text that is none
 * of the setting's stands on an entry, a flag is what asks for more; whoever looks at another one lets it close, not open.
 */
export function read(values: Values, row: Setting<IntegerRow>): number;
export function read(values: Values, row: Setting<FlagRow>): boolean;
export function read(values: Values, row: Setting<MomentRow>): number | undefined;
export function read(values: Values, row: Setting<TextRow<string>>): string;
export function read(values: Values, row: Setting): string | undefined;
export function read(values: Values, row: Setting): string | number | boolean | undefined {
  const text = values.get(row.name) ?? row.default;
  switch (row.type.kind) {
    case 'integer':
      return Number(text ?? 0);
    case 'boolean':
      return text === 'Yes' || (text !== 'No' && asksForYes(row));
    case 'moment':
      return readMoment(text);
    default:
      return text;
  }
}

const asksForYes = ({ stricter }: SettingRow): boolean =>
  typeof stricter === 'object' && stricter.Yes !== undefined;

/** The settings of applications, by the names of these. */
export type SettingTables = Readonly<
  Record<string, { readonly settings: Readonly<Record<string, Setting>> }>
>;

/** A setting's value as it is stored, or what is wrong: a phrase that goes behind the setting's name. */
export type ReadSetting = { readonly text: string } | { readonly wrong: string };

/** @param name in our words, `Otp.LoginMode` */
export function readSetting(applications: SettingTables, name: string, value: string | boolean): ReadSetting {
  const setting = findSetting(applications, name);
  if (!setting) return { wrong: 'is no setting' };
  const read = readValue(setting.type, typeof value === 'boolean' ? (value ? 'Yes' : 'No') : value);
  if ('text' in read && setting.kept === 'fixed' && read.text !== setting.default)
    return { wrong: `cannot be ${read.text} in this version, which has nothing that would act on it` };
  return read;
}

/**
 * What of a text on an entry is in force, where nobody asked us before it was written. A number that is out of range
 * is the nearest that is in it, and what is no number leaves the layer below: neither shuts anybody out. Anything else
 * stays as it is, so that it closes and does not open.
 * @returns `wrong`: for the log
 */
export function acceptSetting(
  applications: SettingTables,
  name: string,
  value: string,
): { readonly text?: string; readonly wrong?: string } {
  const read = readSetting(applications, name, value);
  if ('text' in read) return read;
  const type = findSetting(applications, name)?.type;
  if (!type) return { text: value };
  if (type.kind !== 'integer') return { text: value, ...read };
  if (!/^-?[0-9]{1,15}$/.test(value)) return read;
  const nearest = Math.min(Math.max(Number(value), type.min), type.max);
  return { text: String(nearest), ...(String(nearest) !== value && read) };
}

export function findSetting(applications: SettingTables, name: string): Setting | undefined {
  const [application = '', key = '', more] = name.split('.', 3);
  const row = Object.hasOwn(applications, application) ? applications[application] : undefined;
  return row && more === undefined && Object.hasOwn(row.settings, key) ? row.settings[key] : undefined;
}

/**
 * Two moments in the wrong order, as far as both are known: their names, and what is wrong with `name`.
 * @param values by full names in our words
 */
export function wrongOrder(
  applications: SettingTables,
  values: Values,
): { readonly name: string; readonly after: string; readonly wrong: string } | undefined {
  for (const { settings } of Object.values(applications)) {
    for (const { name, type } of Object.values(settings)) {
      const other = type.kind === 'moment' && type.after !== undefined ? settings[type.after] : undefined;
      const [from, to] = [readMoment(other && values.get(other.name)), readMoment(values.get(name))];
      if (other && from !== undefined && to !== undefined && to <= from)
        return {
          name,
          after: other.name,
          wrong: `is not after ${other.name}, which is ${values.get(other.name)}`,
        };
    }
  }
  return undefined;
}

function readValue(type: SettingKind, text: string): ReadSetting {
  switch (type.kind) {
    case 'boolean':
      return readFlag(text);
    case 'integer':
      return readInteger(type, text);
    case 'word':
      return readWord(type, text);
    case 'moment':
      return isMoment(text) ? { text } : { wrong: 'is no date and time that exists, as YYYY-MM-DD HH:MM:SS' };
    case 'text':
      return text === '' || text.length > 4096
        ? { wrong: 'is not a text of 1 to 4096 characters' }
        : { text };
  }
}

function readFlag(text: string): ReadSetting {
  if (/^(?:yes|true|1)$/i.test(text)) return { text: 'Yes' };
  return /^(?:no|false|0)$/i.test(text) ? { text: 'No' } : { wrong: 'is not Yes or No' };
}

function readInteger({ min, max, only }: IntegerRow['type'], text: string): ReadSetting {
  const number = /^[0-9]{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (only ? only.includes(number) : number >= min && number <= max) return { text: String(number) };
  return { wrong: only ? `is not one of ${only.join(', ')}` : `is not an integer from ${min} to ${max}` };
}

function readWord({ words, later }: WordKind, text: string): ReadSetting {
  if (words.includes(text)) return { text };
  if (later.includes(text))
    return { wrong: `cannot be ${text} in this version, which knows ${words.join(', ')}` };
  return { wrong: `is not one of ${words.join(', ')}` };
}

export const flagSetting = <const Value extends 'Yes' | 'No'>(summary: string, value: Value) => ({
  type: { kind: 'boolean' } as const,
  summary,
  default: value,
});

/** @param range both ends belong to it; `only`: no other can be set */
export const integerSetting = (
  summary: string,
  range: Omit<IntegerRow['type'], 'kind'>,
  value: number,
): IntegerRow & { readonly default: string } => ({
  type: { kind: 'integer', ...range },
  summary,
  default: String(value),
});

export const textSetting = (summary: string): SettingRow<Of<'text'>> => ({ type: { kind: 'text' }, summary });

export const wordSetting = <const Word extends string>(
  summary: string,
  words: { readonly now: readonly Word[]; readonly later?: readonly string[] },
): SettingRow<WordKind<Word>> => ({
  type: { kind: 'word', words: words.now, later: words.later ?? [] },
  summary,
});

export const momentSetting = (summary: string, after?: string): SettingRow<Of<'moment'>> => ({
  type: { kind: 'moment', ...(after !== undefined && { after }) },
  summary,
});

/** With a default. */
export const preset = <R extends SettingRow>(row: R, value: string) => ({ ...row, default: value });

/** Kept and answered; see {@link SettingRow.kept}. */
export const kept = <R extends SettingRow>(row: R, how: 'free' | 'fixed' = 'free') => ({
  ...row,
  kept: how,
});

/** Not to be set for a login by those who call, see {@link SettingRow.withheld}. */
export const withheld = <R extends SettingRow>(row: R, from: 'request' | 'client' = 'request') => ({
  ...row,
  withheld: from,
});

/** One of whose values one asks for more than another, see {@link SettingRow.stricter}. */
export const ordered = <R extends SettingRow>(row: R, stricter: Stricter) => ({ ...row, stricter });
