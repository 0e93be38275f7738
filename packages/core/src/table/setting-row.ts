/**
 * Settings of applications as rows: what a setting may hold, its default, and who may set it. On the wire and on the entry
 * a value is always text, booleans are `Yes` and `No`. How values are read and judged by their rows: setting.ts.
 */

import type { Way } from '../ports/sending/sender.ts';

export type SettingKind =
  | { readonly kind: 'boolean' }
  | {
      readonly kind: 'integer';
      readonly min: number;
      readonly max: number;
      readonly only?: readonly number[];
    }
  /** `wrong` says what is wrong with a text, as a phrase behind the setting's name; undefined: nothing. */
  | { readonly kind: 'text'; readonly wrong?: (text: string) => string | undefined }
  /** `later`: words that are known and that no login could go by yet; nobody can set them. */
  | WordKind
  /** `YYYY-MM-DD HH:MM:SS`, UTC; `after` is the setting of the same application that has to be earlier. */
  | { readonly kind: 'moment'; readonly after?: string };

/** A gateway, or a key of the configuration. */
export type Needed = Way | 'relying_party';

export interface WordKind<Word extends string = string> {
  readonly kind: 'word';
  readonly words: readonly Word[];
  readonly later: readonly string[];
  /** Words that need something of the configuration: without it nobody can set them. */
  readonly needs?: Readonly<Record<string, Needed>>;
  /** Those of them that have none in this installation, where that is known. */
  readonly missing?: ReadonlyMap<string, Needed>;
}

export interface SettingRow<Kind extends SettingKind = SettingKind> {
  readonly type: Kind;
  /** The application default, the weakest policy layer; undefined: not set. */
  readonly default?: string;
  readonly summary: string;
  /** Nothing acts on it in this version; left out: it works. */
  readonly unsupported?: Unsupported;
  /**
   * Which of two values asks for more of whoever logs in; left out: nobody can say. Then no group sets it for an administrator, unless
   * it {@link isHarmless}.
   */
  readonly stricter?: Stricter;
  /**
   * For a value of the installation, those that no group puts in its place for an administrator, beside those of
   * {@link stricter}. For requests they have no order: a request that chooses between two factors chooses the stolen one.
   */
  readonly laxer?: Readonly<Record<string, readonly string[]>>;
  /** Marks a setting without an order that groups set for administrators as well: no value opens more than another. */
  readonly isHarmless?: true;
  /** Marks a setting that decides no login: the same logins are granted under each value. */
  readonly isIndifferent?: true;
  /**
   * The layers that may not set it, for every caller: a request; or a request and the policy of a client too; or an entry as well,
   * so that only the configuration does.
   */
  readonly withheld?: 'request' | 'client' | 'entry';
}

/** The reason why a setting has no effect in this version, and the values that need none. */
export interface Unsupported {
  /** A clause without a full stop: `no page signs files`. */
  readonly because: string;
  /** The values that describe what this version does: they can be set in every dialect. */
  readonly holds: readonly string[];
  /** Other values are stored with a warning; left out: they are refused. {@link storingUnsupported} sets it. */
  readonly isStored?: true;
}

/**
 * The order of the values, or for each value those that ask for less. `longer`, `shorter`: 0 is no end, the longest. `any`: a value asks
 * for more than none, and no value for more than another.
 */
export type Stricter =
  | 'any'
  | 'smaller'
  | 'larger'
  | 'longer'
  | 'shorter'
  | 'later'
  | 'earlier'
  | Readonly<Record<string, readonly string[]>>;

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

type Of<Kind extends SettingKind['kind']> = Extract<SettingKind, { readonly kind: Kind }>;
export type IntegerRow = SettingRow<Of<'integer'>>;
export type FlagRow = SettingRow<Of<'boolean'>>;
export type MomentRow = SettingRow<Of<'moment'>>;

/** For the bounds of terms: the days of the longest year, the seconds of a day. */
export const yearInDays = 366;
export const dayInSeconds = 86_400;

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

export const textSetting = (summary: string, wrong?: Of<'text'>['wrong']): SettingRow<Of<'text'>> => ({
  type: { kind: 'text', ...(wrong && { wrong }) },
  summary,
});

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

/** Some of whose words need something, see {@link WordKind.needs}. */
export const needing = <const Word extends string>(
  row: SettingRow<WordKind<Word>>,
  needs: Readonly<Record<string, Needed>>,
) => ({ ...row, type: { ...row.type, needs } });

/**
 * Without effect in this version, see {@link SettingRow.unsupported}.
 * @param holds what this version does anyway; left out: the default
 */
export const unsupported = <R extends SettingRow>(
  row: R,
  because: string,
  holds: readonly string[] = row.default === undefined ? [] : [row.default],
) => ({ ...row, unsupported: { because, holds } });

/** Not to be set for a login by those who call, see {@link SettingRow.withheld}. */
export const withheld = <R extends SettingRow>(row: R, from: 'request' | 'client' | 'entry' = 'request') => ({
  ...row,
  withheld: from,
});

/** Orders of flags. */
export const [yesAsksMore, noAsksMore] = [{ Yes: ['No'] }, { No: ['Yes'] }];

/** Free for groups to set, see {@link SettingRow.isHarmless}. */
export const harmless = <R extends SettingRow>(row: R) => ({ ...row, isHarmless: true }) as const;

/** One of whose values one asks for more than another, see {@link SettingRow.stricter}. */
export const ordered = <R extends SettingRow>(row: R, stricter: Stricter) => ({ ...row, stricter });
