/**
 * Values of settings: one way to read them by their rows, and to judge them. What cannot work is refused when it is set; what
 * somebody wrote on an entry all the same is {@link acceptSetting}'s to judge.
 */
import { isMoment, readMoment } from '../foundation/text/moment.ts';
import type {
  FlagRow,
  IntegerRow,
  MomentRow,
  Needed,
  Setting,
  SettingKind,
  SettingRow,
  Unsupported,
  WordKind,
} from './setting-row.ts';

/** What is in force, by full names. */
type Values = Pick<ReadonlyMap<string, string>, 'get'>;

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

/**
 * A setting's value as it is stored, or what is wrong: a phrase that goes behind the setting's name. `warning`: it is stored, and
 * nothing acts on it, see {@link SettingRow.unsupported}.
 */
export type ReadSetting =
  | { readonly text: string; readonly warning?: string }
  | { readonly wrong: string; readonly warning?: never };

/**
 * Judges a value wherever one is set: for a user, in the configuration, in a request.
 * @param name in our words, `Otp.LoginMode`
 */
export function readSetting(applications: SettingTables, name: string, value: string | boolean): ReadSetting {
  const setting = findSetting(applications, name);
  if (!setting) return { wrong: 'is no setting' };
  const read = readValue(setting.type, typeof value === 'boolean' ? (value ? 'Yes' : 'No') : value);
  const { unsupported } = setting;
  if ('wrong' in read || !unsupported || unsupported.holds.includes(read.text)) return read;
  if (unsupported.isStored) return { ...read, warning: ineffective(unsupported) };
  const wanted = setting.type.kind === 'text' ? 'set' : read.text;
  return { wrong: `cannot be ${wanted} in this version: ${unsupported.because}` };
}

const ineffective = ({ because }: Unsupported): string => `has no effect in this version: ${because}`;

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

/** The same where it is known what is configured: words that need something else cannot be set. */
export const withNeeds = <T extends Table>(table: T, isThere: (needed: Needed) => boolean): T =>
  withRows(table, (row) => {
    const { type } = row;
    if (type.kind !== 'word' || !type.needs) return row;
    const missing = new Map(Object.entries(type.needs).filter(([, needed]) => !isThere(needed)));
    return { ...row, type: { ...type, missing } };
  });

/** The same in a dialect that stores values without effect, as servers in the field do. */
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

function readWord({ words, later, missing }: WordKind, text: string): ReadSetting {
  const lacking = missing?.get(text);
  if (lacking === 'relying_party') return { wrong: `cannot be ${text}: no relying_party is configured` };
  if (lacking) return { wrong: `cannot be ${text}: no gateway for ${lacking} is configured` };
  if (words.includes(text)) return { text };
  if (later.includes(text))
    return { wrong: `cannot be ${text} in this version, which knows ${words.join(', ')}` };
  return { wrong: `is not one of ${words.join(', ')}` };
}
