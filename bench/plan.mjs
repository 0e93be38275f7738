/** How much is measured: the full run takes under four minutes, `--quick` under half a minute. */

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
  },
  quick: {
    users: [1_000],
    detailed: 1_000,
    rounds: 1,
    slice: 250,
    warmUp: 600,
    embeddedUsers: [1_000, 10_000],
    embeddedRounds: 3,
  },
};

/** Connections, each with one call under way at any time. */
export const connections = 16;

/** Reads in one JSON-RPC batch. */
export const batchLength = 100;
