/** The part of an application that the core depends on: its names, settings and data of users. */
import type { Store } from '../ports/store/store.ts';
import type { Setting } from './setting-row.ts';

/** A function that reads a datum from the store. @param stored value of the entry @param id identifier of the entry */
export type LiveDatum = (
  stored: Uint8Array | undefined,
  id: string,
  ports: { readonly store: Store },
) => Promise<Uint8Array | undefined>;

/** The names of an application, in our words. */
export interface ServingApplication {
  /** The prefix of settings and methods: `Otp`. */
  readonly name: string;
  /** The web service: `otp`. */
  readonly service: string;
}

/** Properties of an application with pages for people. */
export interface WebApplication {
  /** Returns whether the configuration turns it on. */
  isOn(config: { readonly openid_clients: Readonly<Record<string, unknown>> }): boolean;
  /** Whether it can be locked, and opened to a user. */
  readonly locks: boolean;
}

export interface KnownApplication extends ServingApplication {
  readonly settings: Readonly<Record<string, Setting>>;
  readonly publicData: readonly string[];
  readonly liveData?: Readonly<Record<string, LiveDatum>>;
  readonly underWay?: readonly string[];
  readonly isUnlicensed?: true;
  readonly webApplication?: WebApplication;
  /** Only the names are used. */
  readonly operations: Readonly<Record<string, unknown>>;
}
