/**
 * The switch that a source with mutants asks at each guard: one mutant at most is active in a process. A process that a test starts
 * takes the mutant from its environment, and reports the guards that it reaches in a file.
 */
import { appendFileSync } from 'node:fs';

const { WATCHWORD_MUTANT: given = '0', WATCHWORD_MUTANT_REACHED: file } = process.env;

globalThis.watchwordMutant ??= { active: Number(given), reached: file ? new Set() : undefined, file };
/** Shared by all copies of this module in a process. */
const state = globalThis.watchwordMutant;

/** Notes that a guard was reached, by the numbers of its mutants; 0 is none. */
function reach(...ids) {
  if (state.reached) for (const id of ids) if (id !== 0) note(id, state);
}

function note(id, { reached }) {
  if (reached.has(id)) return;
  reached.add(id);
  if (state.file) appendFileSync(state.file, `${id}\n`);
}

/** A condition that can be held true by one mutant and false by another. */
export function is(ifTrue, ifFalse, value) {
  const { active } = state;
  reach(ifTrue, ifFalse);
  if (active === 0) return value;
  if (active === ifTrue) return true;
  return active === ifFalse ? false : value;
}

const comparisons = {
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
};

/** A comparison whose boundary one mutant moves. */
export function compare(id, operator, moved, a, b) {
  reach(id);
  return comparisons[state.active === id ? moved : operator](a, b);
}

/** A smallest or largest of two that two mutants replace by the first and by the second. */
export function bound(first, second, of) {
  reach(first, second);
  if (state.active === first) return (a) => a;
  return state.active === second ? (_, b) => b : of;
}

/** Returns whether a statement is to run: one mutant removes it. */
export function runs(id) {
  reach(id);
  return state.active !== id;
}
