import { describe, expect, it } from 'vitest';
import { Turns } from './turns.ts';

const moment = () => new Promise<void>((resolve) => setTimeout(resolve, 2));

describe('Turns', () => {
  it('runs those of one key one after the other, in order, whatever becomes of them', async () => {
    const turns = new Turns();
    const told: string[] = [];
    const task = (name: string) => async () => {
      told.push(`${name} begins`);
      await moment();
      told.push(`${name} ends`);
      if (name === 'first') throw new Error('it failed');
      return name;
    };
    const results = await Promise.allSettled(
      ['first', 'second', 'third'].map((n) => turns.run('a', task(n))),
    );
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    expect(told).toEqual(['first', 'second', 'third'].flatMap((name) => [`${name} begins`, `${name} ends`]));
  });

  it('lets other keys go their way', async () => {
    const turns = new Turns();
    let end = () => {};
    const long = turns.run(
      'a',
      () =>
        new Promise<void>((resolve) => {
          end = resolve;
        }),
    );
    expect(await turns.run('b', async () => 'done')).toBe('done');
    end();
    await long;
  });
});
