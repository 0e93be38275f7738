import { describe, expect, it } from 'vitest';
import { SingleFlight } from './single-flight.ts';

/** A task that the test ends. */
function looks() {
  const begun: { end: (value: string) => void; fail: (error: Error) => void }[] = [];
  const look = () => new Promise<string>((end, fail) => begun.push({ end, fail }));
  return { begun, look };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('SingleFlight', () => {
  it('answers every call from a run that began after the call', async () => {
    const flight = new SingleFlight<string>();
    const { begun, look } = looks();
    const first = flight.run('a', look);
    const second = flight.run('a', look);
    const third = flight.run('a', look);
    expect(begun).toHaveLength(1);
    begun[0]?.end('old');
    expect(await first).toBe('old');
    await settled();
    expect(begun).toHaveLength(2);
    const fourth = flight.run('a', look);
    begun[1]?.end('new');
    expect(await Promise.all([second, third])).toEqual(['new', 'new']);
    await settled();
    expect(begun).toHaveLength(3);
    begun[2]?.end('newest');
    expect(await fourth).toBe('newest');
  });

  it('runs tasks with different keys at the same time', async () => {
    const flight = new SingleFlight<string>();
    const { begun, look } = looks();
    const both = [flight.run('a', look), flight.run('b', look)];
    expect(begun).toHaveLength(2);
    begun.forEach(({ end }, index) => {
      end(String(index));
    });
    expect(await Promise.all(both)).toEqual(['0', '1']);
  });

  it('rejects the calls that share a failed run, and no others', async () => {
    const flight = new SingleFlight<string>();
    const { begun, look } = looks();
    const first = flight.run('a', look);
    const second = flight.run('a', look);
    begun[0]?.fail(new Error('away'));
    await expect(first).rejects.toThrow('away');
    await settled();
    begun[1]?.end('back');
    expect(await second).toBe('back');
    await settled();
    const later = flight.run('a', look);
    expect(begun).toHaveLength(3);
    begun[2]?.end('still');
    expect(await later).toBe('still');
  });
});
