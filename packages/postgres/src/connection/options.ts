/** Where the database is, and how long is waited for it. */
export interface PostgresOptions {
  /** The primary and its standbys, in any order: the one that takes writes is found. */
  readonly hosts: readonly PostgresHost[];
  readonly database: string;
  readonly user: string;
  readonly password: string;
  /** The server has to have a certificate for its name, of these authorities or of those of the machine; false: no TLS. */
  readonly tls: { readonly ca?: string } | false;
  /** Within so many milliseconds every call ends. */
  readonly timeout_ms: number;
  /** At most so many connections of this process. */
  readonly connections: number;
}

export interface PostgresHost {
  readonly host: string;
  readonly port: number;
}
