/** How much is measured: the full run takes about ten minutes, `--quick` one. */

/** Milliseconds, unless a name says otherwise. */
export const plans = {
  full: {
    users: [1_000, 10_000, 100_000],
    /** The size at which all contestants have their turns; at the others only those that the aims are about. */
    detailed: 10_000,
    /** How often every contestant has its turn; a turn is one slice. */
    rounds: 3,
    slice: 700,
    /** For each contestant; V8 needs about a second of load to compile what is hot. */
    warmUp: 1_000,
    embeddedUsers: [1_000, 10_000, 100_000],
    embeddedRounds: 15,
    logins: {
      users: 30_000,
      connections: [1, 8, 16, 64],
      rounds: 3,
      slice: 700,
      warmUp: 3_000,
      /** After so many on a new server its memory is looked at. */
      remembered: 100_000,
    },
  },
  quick: {
    users: [1_000],
    detailed: 1_000,
    rounds: 1,
    slice: 250,
    warmUp: 600,
    embeddedUsers: [1_000, 10_000],
    embeddedRounds: 3,
    logins: { users: 10_000, connections: [16], rounds: 1, slice: 500, warmUp: 2_000, remembered: 5_000 },
  },
};

/** Of the table of aims: rounds of turns, each slice half a second. */
export const aimsPlan = {
  users: 40_000,
  /** Operations that every server has done before it is measured. */
  warmUpOperations: 12_000,
  rounds: 12,
  slice: 500,
  /** Of connections that open: the servers are warm by then. */
  warmUp: 100,
  connections: [16, 1, 64],
  /** Logins after which memory is looked at. */
  remembered: 100_000,
  /** Users of the large directory, and of the small one. */
  sizes: [1_000_000, 1_000],
  /** Of the large event log; the small one has a hundredth. */
  records: 5_000_000,
  /** Messages in the outbox. */
  waiting: 3_000,
  /** Connections that nobody uses. */
  idle: 10_000,
};

/** Connections, each with one call under way at any time. */
export const connections = 16;

/** Reads in one JSON-RPC batch. */
export const batchLength = 100;
