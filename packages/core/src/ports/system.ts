/** The machine and the process that this node runs in, as an input like any other. */

export interface SystemFacts {
  /** The number of this process. */
  readonly process: number;
  /** Its name in the network. */
  readonly host: string;
  /** Kind of operating system and processor: `linux x64`. */
  readonly platform: string;
  /** How long this process has run, in seconds. */
  readonly uptime: number;
  /** Memory in bytes: of this process, and of the machine. */
  readonly memory: { readonly used: number; readonly total: number };
}

export interface System {
  facts(): SystemFacts;
}
