/**
 * An application: a named set of settings, of data stored with a user, and of rows of the two tables.
 * `Otp` is one; what belongs to none is the core's own.
 */
import type { AnyMethod } from './method.ts';
import type { AnyOperation } from './operation.ts';
import type { Page } from './page.ts';

/** What a setting may hold; on the wire and on the entry it is always text, booleans as `Yes` and `No`. */
export type SettingKind =
  | { readonly kind: 'boolean' }
  | { readonly kind: 'integer' }
  | { readonly kind: 'text' }
  | { readonly kind: 'word'; readonly words: readonly string[] };

export interface Setting {
  readonly type: SettingKind;
  /** The application default, the weakest policy layer; undefined: not set. */
  readonly default?: string;
  readonly summary: string;
}

export interface Application<
  Methods extends Readonly<Record<string, AnyMethod>>,
  Name extends string = string,
  Operations extends Readonly<Record<string, AnyOperation>> = Readonly<Record<string, AnyOperation>>,
  Service extends string = string,
> {
  /** Prefix of methods, settings and data. */
  readonly name: Name;
  /** The word of the web service: path, namespace, WSDL. */
  readonly service: Service;
  readonly settings: Readonly<Record<string, Setting>>;
  /** Data keys that are no secrets; all others are encrypted on the entry (concepts.md §5). */
  readonly publicData: readonly string[];
  readonly methods: Methods;
  /** The operations of its web service; none: there is no such service yet. */
  readonly operations: Operations;
  /** By the last part of their path: `/otp/mobile`. */
  readonly pages?: Readonly<Record<string, Page>>;
}

export type AnyApplication = Application<Readonly<Record<string, AnyMethod>>>;

/** Makes an application; its names stay literal types, so that the client knows which there are. */
export function application<
  const M extends Readonly<Record<string, AnyMethod>>,
  const Name extends string,
  const O extends Readonly<Record<string, AnyOperation>>,
  const Service extends string,
>(row: Application<M, Name, O, Service>): Application<M, Name, O, Service> {
  return row;
}

type Applications = Readonly<Record<string, AnyApplication>>;

/** A setting's value as it is stored, or what is wrong: a phrase that goes behind the setting's name. */
export type ReadSetting = { readonly text: string } | { readonly wrong: string };

/** @param name in our words, `Otp.LoginMode` */
export function readSetting(applications: Applications, name: string, value: string | boolean): ReadSetting {
  const setting = findSetting(applications, name);
  if (!setting) return { wrong: 'is no setting' };
  const text = typeof value === 'boolean' ? (value ? 'Yes' : 'No') : value;
  const { type } = setting;
  if (type.kind === 'boolean') return readFlag(text);
  if (type.kind === 'integer' && !/^[0-9]{1,9}$/.test(text))
    return { wrong: 'is not a non-negative integer' };
  if (type.kind === 'word' && !type.words.includes(text))
    return { wrong: `is not one of ${type.words.join(', ')}` };
  return text === '' || text.length > 4096 ? { wrong: 'is not a text of 1 to 4096 characters' } : { text };
}

export function findSetting(applications: Applications, name: string): Setting | undefined {
  const [application = '', key = '', more] = name.split('.', 3);
  const row = Object.hasOwn(applications, application) ? applications[application] : undefined;
  return row && more === undefined && Object.hasOwn(row.settings, key) ? row.settings[key] : undefined;
}

function readFlag(text: string): ReadSetting {
  if (/^(?:yes|true|1)$/i.test(text)) return { text: 'Yes' };
  return /^(?:no|false|0)$/i.test(text) ? { text: 'No' } : { wrong: 'is not Yes or No' };
}

export const flagSetting = (summary: string, value?: 'Yes' | 'No'): Setting => ({
  type: { kind: 'boolean' },
  summary,
  ...(value !== undefined && { default: value }),
});

export const integerSetting = (summary: string, value?: number): Setting => ({
  type: { kind: 'integer' },
  summary,
  ...(value !== undefined && { default: String(value) }),
});

export const textSetting = (summary: string, value?: string): Setting => ({
  type: { kind: 'text' },
  summary,
  ...(value !== undefined && { default: value }),
});

export const wordSetting = (summary: string, words: readonly string[], value?: string): Setting => ({
  type: { kind: 'word', words },
  summary,
  ...(value !== undefined && { default: value }),
});
