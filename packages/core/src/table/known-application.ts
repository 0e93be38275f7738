/** What the domains know of an application: what it is called, what may be set of it, and what it keeps with users. */
import type { Store } from '../ports/store/store.ts';
import type { Setting } from './setting-row.ts';

/** A datum that is answered with what is stored: from what the entry has, and its identifier. */
export type LiveDatum = (
  stored: Uint8Array | undefined,
  id: string,
  ports: { readonly store: Store },
) => Promise<Uint8Array | undefined>;

/** An application by its words, which are ours: an installation may have others. */
export interface ServingApplication {
  /** As it stands before settings and methods: `Otp`. */
  readonly name: string;
  /** Its web service: `otp`. */
  readonly service: string;
}

/** An application with pages for people, at its word. */
export interface WebApplication {
  /** It is there, as far as the configuration wants. */
  isOn(config: { readonly openid_clients: Readonly<Record<string, unknown>> }): boolean;
  /** It can be locked, and opened to a user. */
  readonly locks: boolean;
}

export interface KnownApplication extends ServingApplication {
  readonly settings: Readonly<Record<string, Setting>>;
  readonly publicData: readonly string[];
  readonly liveData?: Readonly<Record<string, LiveDatum>>;
  readonly underWay?: readonly string[];
  readonly isUnlicensed?: true;
  readonly webApplication?: WebApplication;
  /** Only which there are. */
  readonly operations: Readonly<Record<string, unknown>>;
}
