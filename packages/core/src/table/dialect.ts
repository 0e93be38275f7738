/**
 * The two dialects as one table with two columns, and the names of the installation (docs/concepts/dialects-and-names.md).
 * Only the edges read them; no method asks which one is on.
 */
import { errorTable, isTurnedAway, type Reason, type ServiceError } from '../foundation/errors/errors.ts';

/** One point of the Server_Status answer: the same facts, written differently. */
export interface StatusFacts {
  readonly version: string;
  readonly healthy: boolean;
  readonly servers: ReadonlyMap<string, boolean> | undefined;
  readonly webapps: ReadonlyMap<string, ApplicationFacts> | undefined;
  readonly websrvs: ReadonlyMap<string, ApplicationFacts> | undefined;
  readonly keys: readonly KeyFacts[] | undefined;
}

/** A key that stored secrets are encrypted with, of the ring or not any more. */
export interface KeyFacts {
  readonly id: string;
  /** What it is there for; `missing`: it is not in the ring, and nobody can read what is under it. */
  readonly use: 'encrypts' | 'decrypts' | 'missing';
  /** How many it holds. */
  readonly values: number;
}

export interface ApplicationFacts {
  readonly version: string;
  readonly enabled: boolean;
  readonly healthy: boolean;
  /** There is no licence, or it names it and is valid. */
  readonly licensed: boolean | undefined;
}

/** The answer of `Server_Status`, in either dialect. */
export interface ServerStatus {
  readonly version: string;
  readonly enabled?: number;
  readonly servers?: Readonly<Record<string, number | boolean>>;
  readonly webapps?: Readonly<Record<string, ServiceStatus>> | readonly never[];
  readonly websrvs?: Readonly<Record<string, ServiceStatus>> | readonly never[];
  /** Ours: neither the specification nor a server in the field has it. */
  readonly keys?: readonly KeyFacts[];
  readonly status: number | boolean;
}

export interface ServiceStatus {
  readonly version: string;
  readonly enabled?: number;
  readonly status: number | string;
  readonly license?: string;
}

/** A licence as it is told, and what it says of the product that was asked for. */
export interface LicenseFacts {
  readonly whole: { readonly products: object };
  /** Undefined: of no product in particular. */
  readonly limits?: Readonly<Record<string, unknown>> | undefined;
}

export interface Dialect {
  /** Answers of web services have the fields that servers in the field have not. */
  readonly answersCanonicalNames: boolean;
  readonly success: 1 | true;
  /** The servers that a status names, in order. */
  readonly statusServers: readonly string[];
  /** A parameter that no row has: refused, or ignored as servers in the field do. */
  readonly refusesUnknownParameters: boolean;
  readonly emptyMap: () => Record<string, never> | never[];
  readonly errorCode: (reason: Reason) => number;
  /** HTTP status of an answer that carries this error. */
  readonly httpStatus: (error: ServiceError) => number;
  readonly status: (facts: StatusFacts) => ServerStatus;
  readonly license: (facts: LicenseFacts) => Readonly<Record<string, unknown>>;
  /** Get_User_Attrs: the values of `objectclass` as the directory has them, or in lower case. */
  readonly lowersClasses: boolean;
  /** Deactivate_LDAP_Object: what is not active is refused, or answered with false. */
  readonly refusesInactive: boolean;
  /** Check_User_Active: an entry that is not there could not be read, or does not exist. */
  readonly tellsUnreadable: boolean;
  /**
   * Get_Event_Logs finds nothing about an entry that there is not, and to Mobile_Session what is no DN names nobody; or
   * both say so.
   */
  readonly forgivesUnknownEntries: boolean;
  /** QR codes of tokens, where no setting says who issues them: the installation does, or the application, and the label leaves it out. */
  readonly issuesAsInstallation: boolean;
  /** A setting that has no effect in this version is stored with a warning, or refused. */
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
  httpStatus: (error) => (isTurnedAway(error) ? 503 : errorTable[error.reason].http),
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
  tellsUnreadable: false,
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
  tellsUnreadable: true,
  forgivesUnknownEntries: true,
  issuesAsInstallation: false,
  storesUnsupported: true,
};

export const dialects = { standard, deployed } as const satisfies Record<string, Dialect>;

/**
 * The installation's words for ours (docs/concepts/dialects-and-names.md#installation-names): theirs and ours are
 * understood on input, theirs are written on output.
 */
export class Names {
  readonly #theirs: ReadonlyMap<string, string>;
  readonly #ours: ReadonlyMap<string, string>;

  /** @param names ours → theirs, such as `{ Otp: 'ExampleOTP', otp: 'exampleotp' }` */
  constructor(names: Readonly<Record<string, string>> = {}) {
    this.#theirs = new Map(Object.entries(names));
    this.#ours = new Map(Object.entries(names).map(([ours, theirs]) => [theirs, ours]));
  }

  /** Our word for one of theirs; a word that is nobody's stays as it is. */
  ours(word: string): string {
    return this.#ours.get(word) ?? word;
  }

  theirs(word: string): string {
    return this.#theirs.get(word) ?? word;
  }

  /** `ExampleOTP.TokenKey` → `Otp.TokenKey`, `HelpDesk.AllowExampleOTP` → `HelpDesk.AllowOtp`. */
  oursDotted(dotted: string): string {
    return this.#ours.size === 0 ? dotted : mapWords(dotted, (word) => this.ours(word));
  }

  theirsDotted(dotted: string): string {
    return this.#theirs.size === 0 ? dotted : mapWords(dotted, (word) => this.theirs(word));
  }
}

/** Of a setting such as `HelpDesk.AllowOtp`, the name of the other application, too. */
function mapWords(dotted: string, map: (word: string) => string): string {
  const dot = dotted.indexOf('.');
  if (dot < 0) return dotted;
  const rest = dotted.slice(dot + 1);
  const own = rest.startsWith(allowing) ? allowing + map(rest.slice(allowing.length)) : rest;
  return `${map(dotted.slice(0, dot))}.${own}`;
}

const allowing = 'Allow';

/** The error object of a JSON-RPC response. `data` is the particulars, `reason` the stable name. */
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
