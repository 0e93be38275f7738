import { describe, expect, it } from 'vitest';
import { SingleFlight } from './single-flight.ts';

/** A look whose ends the test decides. */
function looks() {
  const begun: { end: (value: string) => void; fail: (error: Error) => void }[] = [];
  const look = () => new Promise<string>((end, fail) => begun.push({ end, fail }));
  return { begun, look };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a single flight', () => {
  it('answers nobody with what was seen before the question', async () => {
    const flight = new SingleFlight<string>();
    const { begun, look } = looks();
    const first = flight.at('a', look);
    const second = flight.at('a', look);
    const third = flight.at('a', look);
    expect(begun).toHaveLength(1);
    begun[0]?.end('old');
    expect(await first).toBe('old');
    await settled();
    expect(begun).toHaveLength(2);
    const fourth = flight.at('a', look);
    begun[1]?.end('new');
    expect(await Promise.all([second, third])).toEqual(['new', 'new']);
    await settled();
    expect(begun).toHaveLength(3);
    begun[2]?.end('newest');
    expect(await fourth).toBe('newest');
  });

  it('looks for each key by itself', async () => {
    const flight = new SingleFlight<string>();
    const { begun, look } = looks();
    const both = [flight.at('a', look), flight.at('b', look)];
    expect(begun).toHaveLength(2);
    begun.forEach(({ end }, index) => {
      end(String(index));
    });
    expect(await Promise.all(both)).toEqual(['0', '1']);
  });

  it('that fails, fails those who share it, and no others', async () => {
    const flight = new SingleFlight<string>();
    const { begun, look } = looks();
    const first = flight.at('a', look);
    const second = flight.at('a', look);
    begun[0]?.fail(new Error('away'));
    await expect(first).rejects.toThrow('away');
    await settled();
    begun[1]?.end('back');
    expect(await second).toBe('back');
    await settled();
    const later = flight.at('a', look);
    expect(begun).toHaveLength(3);
    begun[2]?.end('still');
    expect(await later).toBe('still');
  });
});
