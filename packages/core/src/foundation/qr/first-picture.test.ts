/** The first picture of a process: nothing has drawn one before this file. */
import { expect, it } from 'vitest';
import { encodingModules } from './matrix.ts';

/** Counts the yields of an encoding. */
function yieldsOf(uri: string): number {
  let yields = 0;
  for (const task = encodingModules(uri); !task.next().done; ) yields += 1;
  return yields;
}

it('encodes small codes before the first large one, each with yields', () => {
  const uri = 'a'.repeat(2900);
  const [first, second] = [yieldsOf(uri), yieldsOf(uri)];
  expect(first).toBeGreaterThan(4 * second);
  expect(yieldsOf(uri)).toBe(second);
});
