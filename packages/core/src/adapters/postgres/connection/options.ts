/** Where the database is, and how long is waited for it. */
export interface PostgresOptions {
  /** The primary and its standbys, in any order: the one that takes writes is found. */
  readonly hosts: readonly PostgresHost[];
  readonly database: string;
  readonly user: string;
  readonly password: string;
  /** Certificates of authorities, PEM, of which the server has one for its name; left out: no TLS. */
  readonly ca?: string;
  /** Within so many milliseconds every call ends. */
  readonly timeout_ms: number;
  /** At most so many connections of this process. */
  readonly connections: number;
}

export interface PostgresHost {
  readonly host: string;
  readonly port: number;
}
