/** The file that a process of `npm run test:mutants` begins with; its test runner goes on with those of the project, one by one. */
import fc from 'fast-check';
import { expect, it } from 'vitest';

// A mutant is killed by the first counterexample: nobody reads a smaller one. The same run finds the same survivors.
fc.configureGlobal({ endOnFailure: true, seed: 38 });

it('starts', () => {
  expect(globalThis).toHaveProperty('watchwordMutant');
});
