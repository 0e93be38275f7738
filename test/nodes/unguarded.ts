/** A node whose logins claim nothing: what a checker of histories has to find out. */
import type { Engines } from '../../examples/three-nodes/cluster.ts';

type Ledger = Engines['store'];
type State = Parameters<Parameters<Ledger['commit']>[0]['decide']>[0];

/** Shows a state without its claims. */
const unclaimed = (state: State): State => ({
  now: state.now,
  value: (key) => state.value(key),
  claimed: () => undefined,
});

/** Returns a ledger whose commits claim nothing, and that shows no claims of others. */
const unguarded = (ledger: Ledger): Ledger => ({
  ...ledger,
  claimed: async () => undefined,
  admit: (step) =>
    ledger.admit({
      ...step,
      decide: (durable, ephemeral) => step.decide(unclaimed(durable), ephemeral),
    }),
  commit: (step) =>
    ledger.commit({ ...step, decide: (state) => ({ ...step.decide(unclaimed(state)), claims: [] }) }),
});

export const withoutGuard = (engines: Engines): Engines => ({ ...engines, store: unguarded(engines.store) });
