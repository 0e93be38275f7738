/**
 * Reading and checking of values by the rows of settings. {@link readSetting} refuses invalid values when they are set;
 * {@link acceptSetting} deals with invalid values that other programs have written on entries.
 */
import { isTimestamp, parseTimestamp } from '../foundation/text/timestamp.ts';
import type {
  EnumKind,
  FlagRow,
  IntegerRow,
  MomentRow,
  Needed,
  Setting,
  SettingKind,
  SettingRow,
  Unsupported,
} from './setting-row.ts';

/** The values in force, by full name. */
type Values = Pick<ReadonlyMap<string, string>, 'get'>;

type TextRow<Default> = SettingRow & { readonly default: Default };

/**
 * Reads the value in force, else the default. An invalid flag is the value that asks for more.
 * The caller must fail closed for other invalid values.
 * @param values the values in force as texts, by full name
 * @param row the setting, of {@link settingsOf}
 * @returns a number, a boolean or a text; of a moment the milliseconds since 1970
 * @see docs/concepts/policies-and-settings.md#layers
 * @example
 * ```ts
 * import { integerSetting, read, settingsOf } from '@watchword/core/application';
 *
 * const settings = settingsOf('Parking', {
 *   Stay: integerSetting('Minutes that a car may stay.', { min: 1, max: 1440 }, 60),
 * });
 * console.log(read(new Map([['Parking.Stay', '90']]), settings.Stay)); // 90
 * console.log(read(new Map(), settings.Stay)); // 60
 * ```
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
      return parseTimestamp(text);
    default:
      return text;
  }
}

const asksForYes = ({ stricter }: SettingRow): boolean =>
  typeof stricter === 'object' && stricter.Yes !== undefined;

/** Settings by application. */
export type SettingTables = Readonly<
  Record<string, { readonly settings: Readonly<Record<string, Setting>> }>
>;

/**
 * A value as stored, or what is wrong, as a phrase after the setting's name. A value with a `warning` is stored without effect, see
 * {@link SettingRow.unsupported}.
 */
export type ReadSetting =
  | { readonly text: string; readonly warning?: string }
  | { readonly wrong: string; readonly warning?: never };

/**
 * Checks a value that is set: for a user, in the configuration, or in a request.
 * @param name in our words, `Otp.LoginMode`
 */
export function readSetting(applications: SettingTables, name: string, value: string | boolean): ReadSetting {
  const setting = findSetting(applications, name);
  if (!setting) return { wrong: 'is not a setting' };
  const read = readValue(setting.type, typeof value === 'boolean' ? (value ? 'Yes' : 'No') : value);
  const { unsupported } = setting;
  if ('wrong' in read || !unsupported || unsupported.holds.includes(read.text)) return read;
  if (unsupported.isStored) return { ...read, warning: ineffective(unsupported) };
  const wanted = setting.type.kind === 'text' ? 'set' : read.text;
  return { wrong: `cannot be ${wanted} in this version: ${unsupported.because}` };
}

const ineffective = ({ because }: Unsupported): string => `has no effect in this version: ${because}`;

/**
 * Returns the effective value of a text on an entry that was written without our checks. A number out of range becomes the nearest valid
 * one, and a text instead of a number has no effect, so that no user is locked out. Any other invalid value is kept, to fail closed.
 * @returns `text`, unless the value has no effect; `wrong` for the log
 */
export function acceptSetting(
  applications: SettingTables,
  name: string,
  value: string,
): { readonly text?: string; readonly wrong?: string } {
  const setting = findSetting(applications, name);
  if (!setting) return { text: value };
  const { type, unsupported } = setting;
  const read = readValue(type, value);
  if ('text' in read) {
    const acts = !unsupported || unsupported.holds.includes(read.text);
    return acts ? { text: read.text } : { text: read.text, wrong: ineffective(unsupported) };
  }
  if (type.kind !== 'integer') return { text: value, wrong: read.wrong };
  if (!/^-?[0-9]{1,15}$/.test(value)) return { wrong: read.wrong };
  const nearest = Math.min(Math.max(Number(value), type.min), type.max);
  return { text: String(nearest), ...(String(nearest) !== value && { wrong: read.wrong }) };
}

type Table = { readonly settings: Readonly<Record<string, Setting>> };

/** Refuses the words of a table whose needs this installation lacks. */
export const withNeeds = <T extends Table>(table: T, isThere: (needed: Needed) => boolean): T =>
  withRows(table, (row) => {
    const { type } = row;
    if (type.kind !== 'word' || !type.needs) return row;
    const missing = new Map(Object.entries(type.needs).filter(([, needed]) => !isThere(needed)));
    return { ...row, type: { ...type, missing } };
  });

/** Makes a table store values without effect, for the deployed dialect. */
export const storingUnsupported = <T extends Table>(table: T): T =>
  withRows(table, (row) =>
    row.unsupported ? { ...row, unsupported: { ...row.unsupported, isStored: true } } : row,
  );

function withRows<T extends Table>(table: T, change: (row: Setting) => Setting): T {
  const settings = Object.entries(table.settings).map(([key, row]) => [key, change(row)]);
  return { ...table, settings: Object.fromEntries(settings) };
}

export function findSetting(applications: SettingTables, name: string): Setting | undefined {
  const [application = '', key = '', more] = name.split('.', 3);
  const row = Object.hasOwn(applications, application) ? applications[application] : undefined;
  return row && more === undefined && Object.hasOwn(row.settings, key) ? row.settings[key] : undefined;
}

/**
 * Finds two moments in the wrong order: their names, and what is wrong with `name`.
 * @param values by full name in our words
 */
export function wrongOrder(
  applications: SettingTables,
  values: Values,
): { readonly name: string; readonly after: string; readonly wrong: string } | undefined {
  for (const { settings } of Object.values(applications)) {
    for (const { name, type } of Object.values(settings)) {
      const other = type.kind === 'moment' && type.after !== undefined ? settings[type.after] : undefined;
      const [from, to] = [parseTimestamp(other && values.get(other.name)), parseTimestamp(values.get(name))];
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
      return isTimestamp(text)
        ? { text }
        : { wrong: 'is not an existing date and time of the form YYYY-MM-DD HH:MM:SS' };
    case 'text':
      return readText(type, text);
  }
}

function readText({ wrong }: Extract<SettingKind, { kind: 'text' }>, text: string): ReadSetting {
  if (text === '' || text.length > 4096) return { wrong: 'is not a text of 1 to 4096 characters' };
  const why = wrong?.(text);
  return why === undefined ? { text } : { wrong: why };
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

function readWord({ words, later, missing }: EnumKind, text: string): ReadSetting {
  const lacking = missing?.get(text);
  if (lacking === 'relying_party') return { wrong: `cannot be ${text}: no relying_party is configured` };
  if (lacking) return { wrong: `cannot be ${text}: no gateway for ${lacking} is configured` };
  if (words.includes(text)) return { text };
  if (later.includes(text))
    return { wrong: `cannot be ${text} in this version, which knows ${words.join(', ')}` };
  return { wrong: `is not one of ${words.join(', ')}` };
}
