/** How much is measured: the full run takes under four minutes, `--quick` under half a minute. */

/** Milliseconds, unless a name says otherwise. */
export const plans = {
  full: {
    users: [1_000, 10_000, 100_000],
    /** How often every contestant has its turn; a turn is one slice. */
    rounds: 3,
    slice: 1_000,
    warmUp: 800,
    embeddedUsers: [1_000, 10_000, 100_000],
    embeddedRounds: 15,
  },
  quick: {
    users: [1_000],
    rounds: 1,
    slice: 250,
    warmUp: 250,
    embeddedUsers: [1_000, 10_000],
    embeddedRounds: 3,
  },
};

/** Connections, each with one call under way at any time. */
export const connections = 16;

/** Reads in one JSON-RPC batch. */
export const batchLength = 100;
