/** The lifetimes of a door's sessions, in milliseconds, and their family in the store. */
export interface SessionLife {
  /** The family of the sessions: the cookie of one door opens nothing at another. */
  readonly family: string;
  /** Whether administrators see the sessions listed: the store names their users. */
  readonly isListed: boolean;
  /** A session ends so long after it began; 0: there are none. */
  readonly longest: number;
  /** A session ends so long after its last request. */
  readonly idle: number;
  /** The idle time after which the connection to the directory is closed; the next request binds again. */
  readonly bound: number;
  /** The interval in which a session in use is written to the store: it may live longer by that much on another node. */
  readonly touch: number;
}
