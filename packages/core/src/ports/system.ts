/** Facts about the machine and the process of this node. */
export interface SystemFacts {
  /** The process id. */
  readonly process: number;
  /** The host name. */
  readonly host: string;
  /** Operating system and processor: `linux x64`. */
  readonly platform: string;
  /** The uptime of the process in seconds. */
  readonly uptime: number;
  /** Memory of the process and of the machine, in bytes. */
  readonly memory: { readonly used: number; readonly total: number };
}

export interface System {
  facts(): SystemFacts;
}
