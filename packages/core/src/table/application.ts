/**
 * An application: a named set of settings, of data stored with a user, and of rows of the two tables.
 * `Otp` is one; what belongs to none is the core's own.
 */
import type { LiveDatum, WebApplication } from './known-application.ts';
import type { AnyMethod } from './method.ts';
import type { AnyOperation } from './operation.ts';
import type { Page } from './page.ts';
import type { Setting } from './setting-row.ts';
import type { Site } from './site.ts';

export interface Application<
  Methods extends Readonly<Record<string, AnyMethod>>,
  Name extends string = string,
  Operations extends Readonly<Record<string, AnyOperation>> = Readonly<Record<string, AnyOperation>>,
  Service extends string = string,
  Settings extends Readonly<Record<string, Setting>> = Readonly<Record<string, Setting>>,
  PageTouched = never,
> {
  /** Prefix of methods, settings and data. */
  readonly name: Name;
  /** The word of the web service: path, namespace, WSDL. */
  readonly service: Service;
  readonly settings: Settings;
  /** Data keys that are no secrets; all others are encrypted on the entry (docs/concepts/dialects-and-names.md#stored-data). */
  readonly publicData: readonly string[];
  /** Data that is answered with what is stored, and kept elsewhere: from what the entry has, and its identifier. */
  readonly liveData?: Readonly<Record<string, LiveDatum>>;
  /** What it keeps in the store sealed by the key ring, by the first parts of the keys. */
  readonly sealedFamilies?: readonly string[];
  /** What is under way in the store, in the same way: where a data folder is put back from a copy, it is not taken up again. */
  readonly underWay?: readonly string[];
  readonly methods: Methods;
  /** The operations of its web service; none: there is no such service yet. */
  readonly operations: Operations;
  /** Servers in the field refuse with all fields of the operation; left out: with code, error and message. */
  readonly refusesWithAllFields?: true;
  /** Its operations judge the passwords of users: whoever reaches them may try some. */
  readonly judgesUsers?: true;
  /** No licence names it. */
  readonly isUnlicensed?: true;
  /**
   * All that its methods do, they do by what they are handed: a dry run runs them, on engines that only write down what they are asked
   * to change. Left out: a dry run judges parameters and rights.
   */
  readonly isRehearsed?: true;
  /** It has pages for people, and no web service. */
  readonly webApplication?: WebApplication;
  /** By the last part of their path: `/otp/mobile`. */
  readonly pages?: Readonly<Record<string, Page<PageTouched>>>;
  readonly site?: Site<PageTouched>;
}

/** What the doors hand to the rows of applications; whoever runs none hands nothing. */
export interface Handed {
  readonly method: unknown;
  readonly operation: unknown;
  readonly page: unknown;
}

type Nothing = { readonly [Row in keyof Handed]: never };

export type AnyApplication<H extends Handed = Nothing> = Application<
  Readonly<Record<string, AnyMethod<H['method']>>>,
  string,
  Readonly<Record<string, AnyOperation<H['operation']>>>,
  string,
  Readonly<Record<string, Setting>>,
  H['page']
>;

/** The applications of a service, by their names. */
export type Applications<H extends Handed = Nothing> = Readonly<Record<string, AnyApplication<H>>>;

/** Makes an application; its names stay literal types, so that the client knows which there are. */
export function application<
  const M extends Readonly<Record<string, AnyMethod>>,
  const Name extends string,
  const O extends Readonly<Record<string, AnyOperation>>,
  const Service extends string,
  const Settings extends Readonly<Record<string, Setting>>,
  PageTouched,
>(
  row: Application<M, Name, O, Service, Settings, PageTouched>,
): Application<M, Name, O, Service, Settings, PageTouched> {
  return row;
}
