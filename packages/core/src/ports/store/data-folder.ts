/**
 * What the place that an installation keeps its state in knows of itself: which database servers have worked in, whether it is
 * a copy that was taken, and how far a restore of it has come.
 */
export interface FolderState {
  /** Stands for the database that servers have worked in. */
  readonly file?: string;
  /** When `backup` took this copy, in milliseconds since 1970; left out: it is no such copy. */
  readonly copied?: number;
  /** The id of the run of the servers that began last. */
  readonly run?: string;
  /** A copy was written over the database while no server ran. */
  readonly turnedBack?: boolean;
  /** A restore that has begun and not ended. */
  readonly restoring?: Restoring;
  /** Where all that was kept has gone, for people: nobody works in what is left. */
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

/** What a folder, or a database in its place, knows of itself while it is open. */
export interface DataFolder {
  /** For people. */
  readonly path: string;
  state(): FolderState;
  /** Durable when it resolves. @param next from what is there, within the transaction */
  change(next: (before: FolderState) => FolderState): Promise<void>;
  /** Stands for the file that its database is in; undefined: nobody can tell. */
  file(): Promise<string | undefined>;
  /**
   * Tells whether the database knows of the newest run of the servers: `older` than a run that is named beside it; `unnamed`: no run
   * is, though one was. `newest` also where nobody can tell.
   */
  stateOfRun(): Promise<'newest' | 'older' | 'unnamed'>;
  /** Notes a run that begins, in the database and beside it. @param run its id, 32 hexadecimal digits */
  beginRun(run: string): Promise<void>;
}
