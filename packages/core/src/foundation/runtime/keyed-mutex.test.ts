import { describe, expect, it } from 'vitest';
import { KeyedMutex } from './keyed-mutex.ts';

const moment = () => new Promise<void>((resolve) => setTimeout(resolve, 2));

describe('KeyedMutex', () => {
  it('runs tasks with one key one after the other, in order, also when one fails', async () => {
    const mutex = new KeyedMutex();
    const log: string[] = [];
    const task = (name: string) => async () => {
      log.push(`${name} begins`);
      await moment();
      log.push(`${name} ends`);
      if (name === 'first') throw new Error('it failed');
      return name;
    };
    const results = await Promise.allSettled(
      ['first', 'second', 'third'].map((n) => mutex.run('a', task(n))),
    );
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    expect(log).toEqual(['first', 'second', 'third'].flatMap((name) => [`${name} begins`, `${name} ends`]));
  });

  it('runs a task while one with another key runs', async () => {
    const mutex = new KeyedMutex();
    let end = () => {};
    const long = mutex.run(
      'a',
      () =>
        new Promise<void>((resolve) => {
          end = resolve;
        }),
    );
    expect(await mutex.run('b', async () => 'done')).toBe('done');
    end();
    await long;
  });
});
