/** A node whose logins claim nothing: what a checker of histories has to find out. */
import type { Engines } from '../../examples/three-nodes/cluster.ts';

type Ledger = Engines['store'];
type StateBefore = Parameters<Parameters<Ledger['settle']>[1]>[0];

/** Nobody has claimed anything, as far as it is told. */
const unclaimed = (found: StateBefore): StateBefore => ({
  value: (key) => found.value(key),
  claimed: () => undefined,
});

/** What it settles claims nothing, and it sees no claims of others. */
const unguarded = (ledger: Ledger): Ledger => ({
  ...ledger,
  claimed: async () => undefined,
  enter: (step) =>
    ledger.enter({
      ...step,
      decide: ({ lasting, momentary }) => step.decide({ lasting: unclaimed(lasting), momentary }),
    }),
  settle: (keys, decide, leaving) =>
    ledger.settle(keys, (found) => ({ ...decide(unclaimed(found)), claims: [] }), leaving),
});

export const withoutGuard = (engines: Engines): Engines => ({ ...engines, store: unguarded(engines.store) });
