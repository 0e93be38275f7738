/**
 * An application, such as `Otp`: a named set of settings, of data stored with users, and of rows of the method and operation tables.
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
  /** Data that is kept in the store, and answered like data of the entry. */
  readonly liveData?: Readonly<Record<string, LiveDatum>>;
  /** Key prefixes of its sealed values in the store. */
  readonly sealedFamilies?: readonly string[];
  /** Key prefixes of its pending work in the store, which is dropped when a data folder is restored from a copy. */
  readonly underWay?: readonly string[];
  readonly methods: Methods;
  /** The operations of its web service; empty where there is no service. */
  readonly operations: Operations;
  /** Whether refusals in the deployed dialect have all fields of the operation; else code, error and message. */
  readonly refusesWithAllFields?: true;
  /** Whether its operations judge passwords of users, so that callers may try passwords. */
  readonly judgesUsers?: true;
  /** Whether no licence names it. */
  readonly isUnlicensed?: true;
  /**
   * Whether its methods work only by the ports of their context, so that a dry run can run them on recording engines. Else a dry run judges
   * only parameters and rights.
   */
  readonly supportsDryRun?: true;
  /** Its pages for people, where it has no web service. */
  readonly webApplication?: WebApplication;
  /** Its pages by the last part of their path: `/otp/mobile`. */
  readonly pages?: Readonly<Record<string, Page<PageTouched>>>;
  readonly site?: Site<PageTouched>;
}

/** The contexts that the doors pass to the rows of applications. */
export interface RowContexts {
  readonly method: unknown;
  readonly operation: unknown;
  readonly page: unknown;
}

type Nothing = { readonly [Row in keyof RowContexts]: never };

export type AnyApplication<H extends RowContexts = Nothing> = Application<
  Readonly<Record<string, AnyMethod<H['method']>>>,
  string,
  Readonly<Record<string, AnyOperation<H['operation']>>>,
  string,
  Readonly<Record<string, Setting>>,
  H['page']
>;

/** The applications of a service, by their names. */
export type Applications<H extends RowContexts = Nothing> = Readonly<Record<string, AnyApplication<H>>>;

/**
 * Makes an application whose names are literal types, which the typed client needs.
 * @param row the name, the settings, the stored data, and the rows of methods and operations
 * @returns the same row
 * @see docs/concepts/dialects-and-names.md#stored-data
 * @example
 * ```ts
 * import { bundled, vocabularyOf } from '@watchword/core';
 * import { application } from '@watchword/core/application';
 *
 * const Parking = application({
 *   ...{ name: 'Parking', service: 'parking' },
 *   ...{ settings: {}, publicData: [], methods: {}, operations: {} },
 * });
 * console.log('Parking' in vocabularyOf({ ...bundled, Parking }).applications); // true
 * ```
 */
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
