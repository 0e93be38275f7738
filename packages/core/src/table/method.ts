/** A row of the method table: one Manager method. Its key in the table is its name. */

import type { Dn, MalformedDn } from '../foundation/text/dn.ts';
import type { ofSettings, Param, Result } from './schema/index.ts';

/**
 * The kind of access of a method, for roles and the audit. A `self` method concerns only its caller: every administrator may call it.
 */
export type Permission = 'read' | 'write' | 'self';

/**
 * A right on the entry of a call that a method needs for any parameters, beside the right to the method. `readsFactors` covers data,
 * settings, and the groups whose settings apply; `unmakes` its classes; `renames` its naming attributes; `moves` also that no entry is below
 * it. `isSuper` means super administrators only.
 */
export type Need = NamedNeed | AttributeNeed;

/** A right to read an attribute: `reads mail`. */
type AttributeNeed = `reads ${string}`;

export type NamedNeed =
  | 'readsData'
  | 'readsSettings'
  | 'readsGroups'
  | 'readsFactors'
  | 'readsLogins'
  | 'readsCertificates'
  | 'writesData'
  | 'writesSettings'
  | 'writesCertificates'
  | 'setsPasswords'
  | 'activates'
  | 'unmakes'
  | 'renames'
  | 'moves'
  | 'isSuper';

/** A factor of a user. */
export type OwnFactor = 'TOKEN' | 'TOTP' | 'HOTP' | 'FIDO2' | 'LIST' | 'APPKEY' | 'SSHKEY';

/** The use of a method by users on their own entries. */
export interface OwnUse {
  /**
   * The effect on a factor: `looks` reads it, `repairs` makes it work again, `removes` deletes it. `offers`, `checks`, `registers`, `makes`
   * and `shows` are steps of a new one.
   */
  readonly does: 'looks' | 'repairs' | 'offers' | 'checks' | 'registers' | 'makes' | 'shows' | 'removes';
  /** Left out for a use without a factor. */
  readonly of?: OwnFactor;
  /**
   * Returns the type of a new factor, as settings name types. Left out where a user may register any type.
   * @param params as read
   * @throws ServiceError `invalid_params`
   */
  typeOf?(params: Readonly<Record<string, unknown>>): string;
}

/** The request that a call belongs to, for logs and the audit. */
export interface Transaction {
  /** 8 characters `[0-9A-Z]`. */
  readonly id: string;
  /** `ip:port` of the caller, or `-` in process. */
  readonly client: string;
}

/** Parameters in the order of positional calls, with `dn` first. */
export type Params = Readonly<Record<string, Param<unknown, unknown>>>;

/** The types of settings that callers know: names and values. */
export interface SettingTypes {
  readonly names: readonly string[];
  readonly values: object;
}

type WireOf<T, S> = T extends Param<infer In, infer _Out> ? Settled<In, S> : never;
/** Replaces the general types of settings by those that the applications have. */
type Settled<In, S> = In extends { readonly [ofSettings]?: infer Part }
  ? typeof ofSettings extends keyof In
    ? S[keyof S & Part]
    : In
  : In;
type OptionalKeys<P> = { [K in keyof P]: undefined extends WireOf<P[K], unknown> ? K : never }[keyof P];

/** The parameters that a caller passes; optional ones may be left out. */
export type Input<P, S = SettingTypes> = {
  readonly [K in Exclude<keyof P, OptionalKeys<P>>]: WireOf<P[K], S>;
} & {
  readonly [K in OptionalKeys<P>]?: WireOf<P[K], S>;
};

/** The parameters that `run` gets. */
export type Output<P> = { readonly [K in keyof P]: P[K] extends Param<infer _In, infer Out> ? Out : never };

/** The names of parameters that hold a DN. */
type EntryNames<P> = {
  [K in keyof P & string]: P[K] extends Param<infer _In, infer Out>
    ? unknown extends Out
      ? K
      : Exclude<Out, undefined> extends Dn | MalformedDn
        ? K
        : never
    : never;
}[keyof P & string];

type Subject = string | readonly string[];

/** The values of `on`: not `nothing` where a parameter holds a DN, and only parameters that hold a DN. */
export type SubjectOf<P> = [EntryNames<P>] extends [never]
  ? 'nothing'
  : EntryNames<P> | readonly [EntryNames<P>, EntryNames<P>, ...EntryNames<P>[]];

/** A row. @typeParam Touched context of `run`, beside its parameters */
export interface Method<P extends Params, Value, Wire, Touched = unknown> {
  /** One sentence for the reference. */
  readonly summary: string;
  /**
   * The parameters that name the entries of a call, or `nothing`. The rights to these entries are judged before a `write` method runs, and
   * the audit entry is about the first. Rights to entries that `run` finds, by a login name for example, are judged by the directory.
   */
  readonly on: Subject;
  readonly params: P;
  /** Parameters of a typical call, for the reference. */
  readonly example?: NoInfer<Input<P>>;
  readonly result: Result<Value, Wire>;
  readonly permission: Permission;
  /** The rights that every call needs. `What_May_I` answers by them. */
  readonly needs?: readonly Need[];
  /**
   * Whether it reads only, and takes a millisecond at most: neighbouring calls of a JSON-RPC batch then run concurrently. Other calls run one
   * after the other.
   */
  readonly isShortRead?: true;
  /** The use by users on their own entries, as far as self-service permits; left out for administrators only. */
  readonly own?: OwnUse;
  /** The message that refuses it to administrators of tenants, in spite of other roles; left out where it is permitted. */
  readonly refusesTenants?: string;
  run(params: Output<P>, call: Touched): Value | Promise<Value>;
  /** Returns fields of the audit entry from the result; they replace parameters of the same name. */
  audit?(value: NoInfer<Value>): Readonly<Record<string, string>>;
}

/** A row without its particular types. */
export type AnyMethod<Touched = never> = Method<Params, unknown, unknown, Touched>;

/** A named row, for callers that do not run it. */
export interface NamedRow {
  /** The name in the installation's words. */
  readonly name: string;
  /** The name in our words, as in roles. */
  readonly ours: string;
  readonly method: Pick<AnyMethod, 'on' | 'permission' | 'needs' | 'refusesTenants'>;
}

/** Returns the parameters that name the entries of a call. */
export function entryNames({ on }: Pick<AnyMethod, 'on'>): readonly string[] {
  if (on === 'nothing') return [];
  return typeof on === 'string' ? [on] : on;
}

/** Returns the entries of a call. */
export function entriesOf(
  { on, params }: Pick<AnyMethod, 'on' | 'params'>,
  values: Readonly<Record<string, unknown>>,
): readonly Dn[] {
  return entryNames({ on })
    .filter((name) => Object.hasOwn(values, name))
    .map((name) => params[name]?.entry?.(values[name]))
    .filter((dn) => dn !== undefined);
}

/** Makes a row, and infers the types of `run`. */
export function method<const P extends Params, Value, Wire, Touched>(
  row: Method<P, Value, Wire, Touched> & { readonly on: NoInfer<SubjectOf<P>> },
): Method<P, Value, Wire, Touched> {
  return row;
}

/**
 * The methods of a table as functions, for the typed client and in process. Settings have the types of `S`.
 */
export type Calls<Table, S extends SettingTypes = SettingTypes> = {
  readonly [Name in keyof Table]: Table[Name] extends Method<
    infer P,
    infer _Value,
    infer Wire,
    infer _Touched
  >
    ? CallOf<Input<P, S>, Wire>
    : never;
};

type CallOf<Params, Wire> =
  Record<never, never> extends Params
    ? (params?: Params) => Promise<Wire>
    : (params: Params) => Promise<Wire>;
