/**
 * The two dialects as a table with two columns, and the names of the installation (docs/concepts/dialects-and-names.md). Only the doors read
 * them: no method depends on the dialect.
 */
import { errorTable, isOverloaded, type Reason, type ServiceError } from '../foundation/errors/errors.ts';

/** The facts of a `Server_Status` answer, in no dialect. */
export interface StatusFacts {
  readonly version: string;
  readonly healthy: boolean;
  readonly servers: ReadonlyMap<string, boolean> | undefined;
  readonly webapps: ReadonlyMap<string, ApplicationFacts> | undefined;
  readonly websrvs: ReadonlyMap<string, ApplicationFacts> | undefined;
  readonly keys: readonly KeyFacts[] | undefined;
}

/** A key of stored secrets, in the key ring or missing. */
export interface KeyFacts {
  readonly id: string;
  /** The use of the key; `missing` where it is not in the ring, and its values are unreadable. */
  readonly use: 'encrypts' | 'decrypts' | 'missing';
  /** The number of values under it. */
  readonly values: number;
}

export interface ApplicationFacts {
  readonly version: string;
  readonly enabled: boolean;
  readonly healthy: boolean;
  /** Whether there is no licence, or a valid licence names it. */
  readonly licensed: boolean | undefined;
}

/** The answer of `Server_Status`, in either dialect. */
export interface ServerStatus {
  readonly version: string;
  readonly enabled?: number;
  readonly servers?: Readonly<Record<string, number | boolean>>;
  readonly webapps?: Readonly<Record<string, ServiceStatus>> | readonly never[];
  readonly websrvs?: Readonly<Record<string, ServiceStatus>> | readonly never[];
  /** Our extension. */
  readonly keys?: readonly KeyFacts[];
  readonly status: number | boolean;
}

export interface ServiceStatus {
  readonly version: string;
  readonly enabled?: number;
  readonly status: number | string;
  readonly license?: string;
}

/** A licence, and its limits of the requested product. */
export interface LicenseFacts {
  readonly whole: { readonly products: object };
  /** Undefined where no product was requested. */
  readonly limits?: Readonly<Record<string, unknown>> | undefined;
}

export interface Dialect {
  /** Whether answers of web services have our additional fields. */
  readonly answersCanonicalNames: boolean;
  readonly success: 1 | true;
  /** The servers in a status, in order. */
  readonly statusServers: readonly string[];
  /** Whether unknown parameters are refused; else ignored. */
  readonly refusesUnknownParameters: boolean;
  readonly emptyMap: () => Record<string, never> | never[];
  readonly errorCode: (reason: Reason) => number;
  /** Returns the HTTP status of an answer with this error. */
  readonly httpStatus: (error: ServiceError) => number;
  readonly status: (facts: StatusFacts) => ServerStatus;
  readonly license: (facts: LicenseFacts) => Readonly<Record<string, unknown>>;
  /** Whether `Get_User_Attrs` lowers the values of `objectclass`. */
  readonly lowersClasses: boolean;
  /** Whether `Deactivate_LDAP_Object` refuses an inactive entry; else it answers false. */
  readonly refusesInactive: boolean;
  /** Whether `Check_User_Active` says of a missing entry that it could not be read; else that it does not exist. */
  readonly reportsUnreadable: boolean;
  /**
   * Whether `Get_Event_Logs` finds nothing about a missing entry, and `Mobile_Session` takes a malformed DN for an unknown user; else both
   * are errors.
   */
  readonly forgivesUnknownEntries: boolean;
  /** Whether the default issuer of a token is the installation; else the application, which the label leaves out. */
  readonly issuesAsInstallation: boolean;
  /** Whether a setting without effect in this version is stored with a warning; else it is refused. */
  readonly storesUnsupported: boolean;
}

const verdict = (value: boolean): string => (value ? 'Ok' : 'Invalid');
const bit = (value: boolean): 0 | 1 => (value ? 1 : 0);

function mapValues<A, B>(map: ReadonlyMap<string, A>, write: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Array.from(map, ([key, value]) => [key, write(value)]));
}

const standard: Dialect = {
  answersCanonicalNames: true,
  success: 1,
  statusServers: ['ldap', 'sql', 'session', 'pki', 'push'],
  refusesUnknownParameters: true,
  emptyMap: () => ({}),
  errorCode: (reason) => errorTable[reason].standard,
  httpStatus: (error) => (isOverloaded(error) ? 503 : errorTable[error.reason].http),
  status: ({ version, healthy, servers, webapps, websrvs, keys }) => {
    const entry = (facts: ApplicationFacts) => ({
      version: facts.version,
      enabled: bit(facts.enabled),
      status: bit(facts.healthy),
    });
    return {
      version,
      enabled: 1,
      ...(servers && { servers: mapValues(servers, bit) }),
      ...(webapps && { webapps: mapValues(webapps, entry) }),
      ...(websrvs && { websrvs: mapValues(websrvs, entry) }),
      ...(keys && { keys }),
      status: bit(healthy),
    };
  },
  license: ({ whole, limits }) => ({ ...whole, ...limits }),
  lowersClasses: false,
  refusesInactive: false,
  reportsUnreadable: false,
  forgivesUnknownEntries: false,
  issuesAsInstallation: true,
  storesUnsupported: false,
};

const deployed: Dialect = {
  answersCanonicalNames: false,
  success: true,
  statusServers: ['ldap', 'mail', 'pki', 'session', 'sql'],
  refusesUnknownParameters: false,
  emptyMap: () => [],
  errorCode: (reason) => errorTable[reason].deployed,
  httpStatus: () => 200,
  status: ({ version, healthy, servers, webapps, websrvs, keys }) => {
    const entry = (facts: ApplicationFacts) => ({
      version: facts.version,
      status: verdict(facts.healthy),
      ...(facts.licensed !== undefined && { license: verdict(facts.licensed) }),
    });
    const entries = (facts: ReadonlyMap<string, ApplicationFacts>) =>
      facts.size === 0 ? [] : mapValues(facts, entry);
    const running = websrvs && new Map([...websrvs].filter(([, { enabled }]) => enabled));
    return {
      version,
      ...(servers && { servers: mapValues(servers, (up) => up) }),
      ...(webapps && { webapps: entries(webapps) }),
      ...(running && { websrvs: entries(running) }),
      ...(keys && { keys }),
      status: healthy,
    };
  },
  license: ({ whole: { products, ...rest }, limits }) => {
    if (limits) return { ...rest, ...limits };
    return { ...rest, products: Object.keys(products).length === 0 ? [] : products };
  },
  lowersClasses: true,
  refusesInactive: true,
  reportsUnreadable: true,
  forgivesUnknownEntries: true,
  issuesAsInstallation: false,
  storesUnsupported: true,
};

export const dialects = { standard, deployed } as const satisfies Record<string, Dialect>;

/**
 * The installation's words for ours (docs/concepts/dialects-and-names.md#installation-names). Input may have either; output has theirs.
 */
export class Names {
  readonly #theirs: ReadonlyMap<string, string>;
  readonly #ours: ReadonlyMap<string, string>;

  /** @param names ours → theirs, such as `{ Otp: 'ExampleOTP', otp: 'exampleotp' }` */
  constructor(names: Readonly<Record<string, string>> = {}) {
    this.#theirs = new Map(Object.entries(names));
    this.#ours = new Map(Object.entries(names).map(([ours, theirs]) => [theirs, ours]));
  }

  /** Returns our word for one of theirs; any other word unchanged. */
  ours(word: string): string {
    return this.#ours.get(word) ?? word;
  }

  theirs(word: string): string {
    return this.#theirs.get(word) ?? word;
  }

  /** Maps a dotted name: `ExampleOTP.TokenKey` → `Otp.TokenKey`, `HelpDesk.AllowExampleOTP` → `HelpDesk.AllowOtp`. */
  oursDotted(dotted: string): string {
    return this.#ours.size === 0 ? dotted : mapWords(dotted, (word) => this.ours(word));
  }

  theirsDotted(dotted: string): string {
    return this.#theirs.size === 0 ? dotted : mapWords(dotted, (word) => this.theirs(word));
  }
}

/** Maps the application of a dotted name, and the application in a setting such as `HelpDesk.AllowOtp`. */
function mapWords(dotted: string, map: (word: string) => string): string {
  const dot = dotted.indexOf('.');
  if (dot < 0) return dotted;
  const rest = dotted.slice(dot + 1);
  const own = rest.startsWith(allowing) ? allowing + map(rest.slice(allowing.length)) : rest;
  return `${map(dotted.slice(0, dot))}.${own}`;
}

const allowing = 'Allow';

/** The error object of a JSON-RPC response: `data` has the particulars, `reason` the stable name. */
export interface WireError {
  readonly code: number;
  readonly message: string;
  readonly data?: string;
  readonly reason: Reason;
}

export function wireError(error: ServiceError, dialect: Dialect): WireError {
  const { reason, detail } = error;
  return {
    code: dialect.errorCode(reason),
    message: errorTable[reason].message,
    ...(detail !== undefined && { data: detail }),
    reason,
  };
}
