export interface PostgresOptions {
  /** The primary and its standbys, in any order. */
  readonly hosts: readonly PostgresHost[];
  readonly database: string;
  readonly user: string;
  readonly password: string;
  /** `ca`: authorities of the server's certificate; left out: those of the machine. False: no TLS. */
  readonly tls: { readonly ca?: string } | false;
  /** The deadline of every call in milliseconds. */
  readonly timeout_ms: number;
  /** Most connections of this process. */
  readonly connections: number;
}

export interface PostgresHost {
  readonly host: string;
  readonly port: number;
}
