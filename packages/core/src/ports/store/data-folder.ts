/**
 * State of the place where an installation keeps its data: the database servers that have worked in it, whether it is a copy, and how far
 * a restore of it has come.
 */
export interface FolderState {
  /** Identifier of the database that servers have worked in. */
  readonly file?: string;
  /** When `backup` took this copy, in milliseconds since 1970. Optional; default: none. */
  readonly copied?: number;
  /** The id of the run of the servers that began last. */
  readonly run?: string;
  /** A copy was written over the database while no server ran. */
  readonly turnedBack?: boolean;
  /** A restore that has begun and not ended. */
  readonly restoring?: Restoring;
  /** Place to which the data was moved, for people: no server works in the rest. */
  readonly moved?: string;
  /** The last one that has ended. */
  readonly restored?: Restoring;
}

export interface Restoring {
  /** The moment that the folder was as it is; milliseconds since 1970, as the other one. */
  readonly taken: number;
  /** When it began. */
  readonly began: number;
}

/** Folder, or a database in its place, while it is open. */
export interface DataFolder {
  /** Path for people. */
  readonly path: string;
  state(): FolderState;
  /** Durable when it resolves. @param next from what is there, within the transaction */
  change(next: (before: FolderState) => FolderState): Promise<void>;
  /** Returns the identifier of the file of its database. @returns undefined: unknown */
  file(): Promise<string | undefined>;
  /**
   * Tells whether the database knows of the newest run of the servers: `older` than a run that is named beside it; `unnamed`: no run
   * is, though one was. `newest` also where nobody can tell.
   */
  stateOfRun(): Promise<'newest' | 'older' | 'unnamed'>;
  /** Notes a run that begins, in the database and beside it. @param run its id, 32 hexadecimal digits */
  beginRun(run: string): Promise<void>;
}
