/** How long the sessions of a door last, and where they are kept. All times in milliseconds. */
export interface SessionLife {
  /** What the store keeps them under: the cookie of one door opens nothing at another. */
  readonly family: string;
  /** Administrators see them listed: whose they are stands in the store for that. */
  readonly isListed: boolean;
  /** A session ends so long after it began; 0: there are none. */
  readonly longest: number;
  /** A session ends so long after its last request. */
  readonly idle: number;
  /** The connection to the directory is kept for so long without a request; then it is bound anew at the next. */
  readonly bound: number;
  /** How often a session in use is written to the store: by so much it may live longer on another node. */
  readonly touch: number;
}
