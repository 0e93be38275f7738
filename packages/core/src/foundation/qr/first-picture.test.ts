/** The first picture of a process: nothing has drawn one before this file. */
import { expect, it } from 'vitest';
import { encodingModules } from './matrix.ts';

/** How often others have their turn while it is drawn. */
function turnsOf(uri: string): number {
  let turns = 0;
  for (const work = encodingModules(uri); !work.next().done; ) turns += 1;
  return turns;
}

it('is begun with small ones, each in stints, so that no stint of the large one takes long', () => {
  const uri = 'a'.repeat(2900);
  const [first, second] = [turnsOf(uri), turnsOf(uri)];
  expect(first).toBeGreaterThan(4 * second);
  expect(turnsOf(uri)).toBe(second);
});
