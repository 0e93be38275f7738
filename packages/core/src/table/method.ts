/** A row of the method table: one Manager method. Its name is the key that it stands under, and nowhere else. */

import type { Dn, MalformedDn } from '../foundation/text/dn.ts';
import type { ofSettings, Param, Result } from './schema/index.ts';

/**
 * What a method does; roles and the audit go by it. `self` tells callers of nothing but themselves: every administrator
 * may call it.
 */
export type Permission = 'read' | 'write' | 'self';

/**
 * What a role and the option sets have to let of the entry that a call is about, beside the method itself, whatever else is
 * asked for. `factors` are data and settings, and what tells the groups whose settings hold; `unmakes` its classes;
 * `renames` its naming attributes; what moves has nothing below it. `isSuper`: only super administrators.
 */
export type Need = NamedNeed | AttributeNeed;

/** `reads mail`: an attribute by its name. */
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

/** What a user has, or may have, that logs in. */
export type OwnFactor = 'TOKEN' | 'TOTP' | 'HOTP' | 'FIDO2' | 'LIST' | 'APPKEY' | 'SSHKEY';

/** What a method is for a user who calls it about the own entry. */
export interface OwnUse {
  /**
   * `looks`: sees what there is. `repairs`: what is there works again. `offers`, `checks`, `registers`, `makes`, `shows`:
   * something new, before, when and after it is there. `removes`.
   */
  readonly does: 'looks' | 'repairs' | 'offers' | 'checks' | 'registers' | 'makes' | 'shows' | 'removes';
  /** Left out: nothing in particular. */
  readonly of?: OwnFactor;
  /**
   * Of which type the factor would be, as settings name types; left out: a user may register any type of it.
   * @param params as read @throws ServiceError `invalid_params`
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

/** Parameters in order: `dn` first where there is one; positional calls follow it. */
export type Params = Readonly<Record<string, Param<unknown, unknown>>>;

/** The settings that callers know of: their names, and what each may be set to. */
export interface SettingTypes {
  readonly names: readonly string[];
  readonly values: object;
}

type WireOf<T, S> = T extends Param<infer In, infer _Out> ? Settled<In, S> : never;
/** What is written of settings is those that there are. */
type Settled<In, S> = In extends { readonly [ofSettings]?: infer Part }
  ? typeof ofSettings extends keyof In
    ? S[keyof S & Part]
    : In
  : In;
type OptionalKeys<P> = { [K in keyof P]: undefined extends WireOf<P[K], unknown> ? K : never }[keyof P];

/** What a caller writes: the optional parameters may be left out. */
export type Input<P, S = SettingTypes> = {
  readonly [K in Exclude<keyof P, OptionalKeys<P>>]: WireOf<P[K], S>;
} & {
  readonly [K in OptionalKeys<P>]?: WireOf<P[K], S>;
};

/** What `run` gets. */
export type Output<P> = { readonly [K in keyof P]: P[K] extends Param<infer _In, infer Out> ? Out : never };

/** The parameters that hold a DN. */
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

/** A row with a parameter that holds a DN cannot say `nothing`, and no other parameter names an entry. */
export type SubjectOf<P> = [EntryNames<P>] extends [never]
  ? 'nothing'
  : EntryNames<P> | readonly [EntryNames<P>, EntryNames<P>, ...EntryNames<P>[]];

/** @typeParam Touched what `run` touches beside its parameters: it is handed no more than it names. */
export interface Method<P extends Params, Value, Wire, Touched = unknown> {
  /** One sentence for the reference. */
  readonly summary: string;
  /**
   * The parameter that names the entry which a call is about, several if it is about several, or `nothing`. Who may not
   * administer these is refused before `write` methods run; the audit files a change under the first. Entries that
   * `run` finds for itself, by a login name for one, are judged by the directory that it finds them in.
   */
  readonly on: Subject;
  readonly params: P;
  /** Parameters of a typical call, for the reference; left out where none are needed. */
  readonly example?: NoInfer<Input<P>>;
  readonly result: Result<Value, Wire>;
  readonly permission: Permission;
  /** Left out: nothing that does not depend on the parameters. `What_May_I` goes by it, and the matrix test holds rows to it. */
  readonly needs?: readonly Need[];
  /**
   * It changes nothing, counts nothing and takes a millisecond at most: neighbours in a batch are asked together. Left out: each
   * call waits for the one before it.
   */
  readonly isShortRead?: true;
  /** Users may call it about their own entries, where the settings of self-service let them; left out: administrators only. */
  readonly own?: OwnUse;
  /** The sentence that refuses it to administrators of tenants, whatever their other roles grant; left out: it is not refused. */
  readonly refusesTenants?: string;
  run(params: Output<P>, call: Touched): Value | Promise<Value>;
  /** What the audit says of what was done beside the parameters, and instead of those of the same name. */
  audit?(value: NoInfer<Value>): Readonly<Record<string, string>>;
}

/** A row with its particular types forgotten, as whoever hands it `Touched` sees it. */
export type AnyMethod<Touched = never> = Method<Params, unknown, unknown, Touched>;

/** What is asked of a row by whoever does not run it. */
export interface NamedRow {
  /** As it is called in this installation. */
  readonly name: string;
  /** Its name in our words, which roles go by. */
  readonly ours: string;
  readonly method: Pick<AnyMethod, 'on' | 'permission' | 'needs' | 'refusesTenants'>;
}

/** The parameters of a row that name the entries which a call is about. */
export function entryNames({ on }: Pick<AnyMethod, 'on'>): readonly string[] {
  if (on === 'nothing') return [];
  return typeof on === 'string' ? [on] : on;
}

/** The entries that a call is about; a parameter that was left out names none. */
export function entriesOf(
  { on, params }: Pick<AnyMethod, 'on' | 'params'>,
  values: Readonly<Record<string, unknown>>,
): readonly Dn[] {
  return entryNames({ on })
    .filter((name) => Object.hasOwn(values, name))
    .map((name) => params[name]?.entry?.(values[name]))
    .filter((dn) => dn !== undefined);
}

/** Makes a row; the types of what `run` gets and gives follow from the vocabulary. */
export function method<const P extends Params, Value, Wire, Touched>(
  row: Method<P, Value, Wire, Touched> & { readonly on: NoInfer<SubjectOf<P>> },
): Method<P, Value, Wire, Touched> {
  return row;
}

/**
 * The methods of one table as functions: what the typed client and the core in process offer. Settings are those of `S`.
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
