import { describe, expect, it } from 'vitest';
import { UnderWay } from './under-way.ts';

describe('what is under way', () => {
  it('is found by its number until it is over', () => {
    const all = new UnderWay<{ readonly text: string }>();
    all.begin(7, { text: 'first' });
    all.begin(3, { text: 'second' });
    expect([...all]).toEqual([
      [7, { text: 'first' }],
      [3, { text: 'second' }],
    ]);
    expect(all.get(7)).toEqual({ text: 'first' });
    expect(all.end(7)).toEqual({ text: 'first' });
    expect(all.end(7)).toBeUndefined();
    expect(all.get(7)).toBeUndefined();
    expect([all.size, [...all]]).toEqual([1, [[3, { text: 'second' }]]]);
  });

  it('may end while it is looked through', () => {
    const all = new UnderWay<{ readonly text: string }>();
    for (const id of [1, 2, 3]) all.begin(id, { text: `item ${id}` });
    const seen: number[] = [];
    for (const [id] of all) {
      seen.push(id);
      all.end(id);
      all.end(2);
    }
    expect(seen).toEqual([1, 3]);
    expect(all.size).toBe(0);
  });
});
