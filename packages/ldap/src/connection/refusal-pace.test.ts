import { describe, expect, it } from 'vitest';
import { TestClock } from '../../../core/src/testing/test-clock.ts';
import { RefusalPace } from './refusal-pace.ts';

describe('refused logins', () => {
  const clock = new TestClock();
  const pace = new RefusalPace(clock);
  /** Milliseconds that the answer is held back, of a login that took so long. */
  const heldBack = async (granted: boolean, took: number): Promise<number> => {
    const before = clock.slept.length;
    const login = async (): Promise<boolean> => {
      clock.advance(took);
      return granted;
    };
    await pace.hold(login, (answer) => answer);
    return clock.slept.slice(before).reduce((sum, milliseconds) => sum + milliseconds, 0);
  };

  it('take as long as any other, whatever the server needed', async () => {
    expect(await heldBack(true, 50)).toBe(0);
    expect(await heldBack(false, 1)).toBe(99);
    expect(await heldBack(false, 70)).toBe(30);
  });

  it('are held back no longer than they have to', async () => {
    expect(await heldBack(true, 60)).toBe(0);
    expect(await heldBack(false, 500)).toBe(0);
  });

  it('are answered within a second, however slow logins have been', async () => {
    expect(await heldBack(true, 9_000)).toBe(0);
    expect(await heldBack(false, 10)).toBe(990);
  });
});
