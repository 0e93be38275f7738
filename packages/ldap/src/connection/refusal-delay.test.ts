import { describe, expect, it } from 'vitest';
import { TestClock } from '../../../core/src/testing/test-clock.ts';
import { RefusalDelay } from './refusal-delay.ts';

describe('refused login', () => {
  const clock = new TestClock();
  const pace = new RefusalDelay(clock);
  /** Returns the delay in milliseconds after a login of this length. */
  const heldBack = async (granted: boolean, took: number): Promise<number> => {
    const before = clock.slept.length;
    const login = async (): Promise<boolean> => {
      clock.advance(took);
      return granted;
    };
    await pace.run(login, (answer) => answer);
    return clock.slept.slice(before).reduce((sum, milliseconds) => sum + milliseconds, 0);
  };

  it('takes as long as any other', async () => {
    expect(await heldBack(true, 50)).toBe(0);
    expect(await heldBack(false, 1)).toBe(99);
    expect(await heldBack(false, 70)).toBe(30);
  });

  it('is not delayed when it took long enough', async () => {
    expect(await heldBack(true, 60)).toBe(0);
    expect(await heldBack(false, 500)).toBe(0);
  });

  it('is answered within a second after slow logins', async () => {
    expect(await heldBack(true, 9_000)).toBe(0);
    expect(await heldBack(false, 10)).toBe(990);
  });
});
