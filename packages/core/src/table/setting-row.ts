/**
 * Rows of settings: type, default, and the layers that may set them. Values on the wire and on entries are texts, and booleans are `Yes` and
 * `No`. `setting.ts` reads and checks values by these rows.
 */

import type { Channel } from '../ports/sending/sender.ts';

export type SettingKind =
  | { readonly kind: 'boolean' }
  | {
      readonly kind: 'integer';
      readonly min: number;
      readonly max: number;
      readonly only?: readonly number[];
    }
  /** `wrong` returns what is wrong with a text, as a phrase after the setting's name; undefined for a valid text. */
  | { readonly kind: 'text'; readonly wrong?: (text: string) => string | undefined }
  /** `later` are known words without support in this version, which cannot be set. */
  | EnumKind
  /** `YYYY-MM-DD HH:MM:SS`, UTC; `after` is the setting of the same application that has to be earlier. */
  | { readonly kind: 'moment'; readonly after?: string };

/** A part of the configuration that a word needs: a gateway, or a key. */
export type Needed = Channel | 'relying_party';

export interface EnumKind<Word extends string = string> {
  readonly kind: 'word';
  readonly words: readonly Word[];
  readonly later: readonly string[];
  /** Words that need a part of the configuration: without it they cannot be set. */
  readonly needs?: Readonly<Record<string, Needed>>;
  /** Words whose need this installation lacks. */
  readonly missing?: ReadonlyMap<string, Needed>;
}

export interface SettingRow<Kind extends SettingKind = SettingKind> {
  readonly type: Kind;
  /** The application default, the weakest policy layer; undefined: not set. */
  readonly default?: string;
  readonly summary: string;
  /** Set where the setting has no effect in this version. */
  readonly unsupported?: Unsupported;
  /**
   * The order of values by how much they ask of a login. Left out for values without an order: then no group sets it for an administrator,
   * unless it {@link isHarmless}.
   */
  readonly stricter?: Stricter;
  /**
   * For a value of the installation, the values that no group may set for an administrator, beside those of {@link stricter}. For requests
   * they have no order, because a request that chooses between two factors could choose the stolen one.
   */
  readonly laxer?: Readonly<Record<string, readonly string[]>>;
  /** Marks a setting without an order that groups may set for administrators: no value opens more than another. */
  readonly isHarmless?: true;
  /** Marks a setting that decides no login: the same logins are granted under each value. */
  readonly isIndifferent?: true;
  /**
   * The layers that may not set it: `request` for requests, `client` for client policies, too, and `entry` for entries, too, which leaves the
   * configuration.
   */
  readonly withheld?: 'request' | 'client' | 'entry';
}

/** The reason why a setting has no effect in this version, and the values that need none. */
export interface Unsupported {
  /** A clause without a full stop: `no page signs files`. */
  readonly because: string;
  /** The values that describe what this version does: they can be set in every dialect. */
  readonly holds: readonly string[];
  /** Other values are stored with a warning. Optional; default: refused. {@link storingUnsupported} sets it. */
  readonly isStored?: true;
}

/**
 * The order of values, or for each value those that ask for less. For `longer` and `shorter`, 0 is the longest. `any` means that a value asks
 * for more than no value, and no value for more than another.
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

/** A row with its full name in our words, `Otp.LoginMode`. */
export type Setting<Row extends SettingRow = SettingRow, Name extends string = string> = Row & {
  readonly name: Name;
};

type Rows = Readonly<Record<string, SettingRow>>;

/**
 * Adds their full names to the rows of an application.
 * @param application its name, such as `Otp`
 * @param rows by their names within the application
 * @returns the rows, each with `name`: `Otp.LoginMode`
 * @see docs/concepts/policies-and-settings.md#layers
 * @example
 * ```ts
 * import { flagSetting, settingsOf } from '@watchword/core/application';
 *
 * const settings = settingsOf('Parking', { EnableParking: flagSetting('The barrier opens.', 'Yes') });
 * console.log(settings.EnableParking.name); // Parking.EnableParking
 * ```
 */
export function settingsOf<const Application extends string, const R extends Rows>(
  application: Application,
  rows: R,
): { readonly [K in keyof R]: Setting<R[K], `${Application}.${K & string}`> } {
  const named = Object.entries(rows).map(([key, row]) => [key, { ...row, name: `${application}.${key}` }]);
  return Object.fromEntries(named);
}

/** The rows of some applications. */
type RowOf<A> = {
  readonly [Name in keyof A]: A[Name] extends { readonly settings: infer Settings }
    ? Settings[keyof Settings]
    : never;
}[keyof A];

/** The settings of some applications for callers: names, and values, where null removes a setting. */
export interface SettingsOf<A> {
  readonly names: readonly Extract<RowOf<A>, Setting>['name'][];
  readonly values: {
    readonly [Row in Extract<RowOf<A>, Setting> as Row['name']]?: ValueOf<Row['type']> | null;
  };
}

/** The type of a value: words or booleans where the row has them, else text. */
type ValueOf<Kind> = Kind extends { readonly kind: 'boolean' }
  ? boolean | 'Yes' | 'No'
  : Kind extends { readonly kind: 'word'; readonly words: readonly (infer Word)[] }
    ? Word
    : string;

type Of<Kind extends SettingKind['kind']> = Extract<SettingKind, { readonly kind: Kind }>;
export type IntegerRow = SettingRow<Of<'integer'>>;
export type FlagRow = SettingRow<Of<'boolean'>>;
export type MomentRow = SettingRow<Of<'moment'>>;

/** The days of a leap year, and the seconds of a day, as bounds of durations. */
export const yearInDays = 366;
export const dayInSeconds = 86_400;

/**
 * Makes a row of a setting with the values `Yes` and `No`.
 * @param summary one sentence for the reference
 * @param value the default
 * @returns the row, for {@link settingsOf}
 * @example
 * ```ts
 * import { flagSetting } from '@watchword/core/application';
 *
 * console.log(flagSetting('The barrier opens for this user.', 'Yes').default); // Yes
 * ```
 */
export const flagSetting = <const Value extends 'Yes' | 'No'>(summary: string, value: Value) => ({
  type: { kind: 'boolean' } as const,
  summary,
  default: value,
});

/**
 * Makes a row of an integer.
 * @param summary one sentence for the reference, with the unit
 * @param range inclusive; `only` lists the permitted values
 * @param value the default
 * @returns the row, for {@link settingsOf}
 * @example
 * ```ts
 * import { integerSetting } from '@watchword/core/application';
 *
 * console.log(integerSetting('Minutes that a car may stay.', { min: 1, max: 1440 }, 60).default); // 60
 * ```
 */
export const integerSetting = (
  summary: string,
  range: Omit<IntegerRow['type'], 'kind'>,
  value: number,
): IntegerRow & { readonly default: string } => ({
  type: { kind: 'integer', ...range },
  summary,
  default: String(value),
});

/**
 * Makes a row of a text of 1 to 4096 characters.
 * @param summary one sentence for the reference
 * @param wrong returns what is wrong with a text, as a phrase after the setting's name; undefined for a valid one
 * @returns the row without a default, for {@link settingsOf}
 * @example
 * ```ts
 * import { textSetting } from '@watchword/core/application';
 * const gate = textSetting('The gate.', (text) => (text.length > 1 ? 'is no single letter' : undefined));
 * console.log(gate.type.wrong?.('AB')); // is no single letter
 * ```
 */
export const textSetting = (summary: string, wrong?: Of<'text'>['wrong']): SettingRow<Of<'text'>> => ({
  type: { kind: 'text', ...(wrong && { wrong }) },
  summary,
});

/**
 * Makes a row of a setting with a fixed list of words.
 * @param summary one sentence for the reference
 * @param words `now` are the words that can be set; `later` are known and cannot be set in this version
 * @returns the row without a default, for {@link settingsOf}; see {@link preset}
 * @example
 * ```ts
 * import { preset, enumSetting } from '@watchword/core/application';
 * const level = preset(enumSetting('The level of the car park.', { now: ['Ground', 'Roof'] }), 'Ground');
 * console.log(level.default); // Ground
 * ```
 */
export const enumSetting = <const Word extends string>(
  summary: string,
  words: { readonly now: readonly Word[]; readonly later?: readonly string[] },
): SettingRow<EnumKind<Word>> => ({
  type: { kind: 'word', words: words.now, later: words.later ?? [] },
  summary,
});

/**
 * Makes a row of a moment: `YYYY-MM-DD HH:MM:SS`, UTC.
 * @param summary one sentence for the reference
 * @param after the name within the application of a setting that has to be earlier
 * @returns the row without a default, for {@link settingsOf}
 * @example
 * ```ts
 * import { timestampSetting } from '@watchword/core/application';
 *
 * console.log(timestampSetting('The end of the parking permit.', 'PermitBegin').type.after); // PermitBegin
 * ```
 */
export const timestampSetting = (summary: string, after?: string): SettingRow<Of<'moment'>> => ({
  type: { kind: 'moment', ...(after !== undefined && { after }) },
  summary,
});

/**
 * Sets the default of a row.
 * @param row a row without a default
 * @param value the default as text
 * @returns the row with the default
 * @see docs/concepts/policies-and-settings.md#preset
 * @example
 * ```ts
 * import { preset, textSetting } from '@watchword/core/application';
 *
 * console.log(preset(textSetting('The gate.'), 'A').default); // A
 * ```
 */
export const preset = <R extends SettingRow>(row: R, value: string) => ({ ...row, default: value });

/** Sets {@link EnumKind.needs} of a row. */
export const needing = <const Word extends string>(
  row: SettingRow<EnumKind<Word>>,
  needs: Readonly<Record<string, Needed>>,
) => ({ ...row, type: { ...row.type, needs } });

/**
 * Marks a row without effect in this version, see {@link SettingRow.unsupported}.
 * @param holds the values that describe what this version does; the default if left out
 */
export const unsupported = <R extends SettingRow>(
  row: R,
  because: string,
  holds: readonly string[] = row.default === undefined ? [] : [row.default],
) => ({ ...row, unsupported: { because, holds } });

/** Withholds a row from layers, see {@link SettingRow.withheld}. */
export const withheld = <R extends SettingRow>(row: R, from: 'request' | 'client' | 'entry' = 'request') => ({
  ...row,
  withheld: from,
});

/** The orders of flags. */
export const [yesAsksMore, noAsksMore] = [{ Yes: ['No'] }, { No: ['Yes'] }];

/** Marks a row that groups may set, see {@link SettingRow.isHarmless}. */
export const harmless = <R extends SettingRow>(row: R) => ({ ...row, isHarmless: true }) as const;

/**
 * Sets the order of the values of a row by how much they ask of a login, see {@link SettingRow.stricter}.
 * @param row a row of a setting
 * @param stricter the direction of integers, or for each value those that ask for less
 * @returns the row with its order
 * @see docs/concepts/policies-and-settings.md#strictness
 * @example
 * ```ts
 * import { flagSetting, ordered } from '@watchword/core/application';
 *
 * const row = ordered(flagSetting('A second factor is needed.', 'No'), { Yes: ['No'] });
 * console.log(Object.keys(row.stricter)); // [ 'Yes' ]
 * ```
 */
export const ordered = <R extends SettingRow>(row: R, stricter: Stricter) => ({ ...row, stricter });
