import { describe, expect, it } from 'vitest';
import { systemRandom } from './random.ts';

describe('systemRandom', () => {
  it('returns the requested number of bytes, from the pool and without it', () => {
    for (const length of [0, 1, 8, 63, 64, 65, 4096, 10_000])
      expect(systemRandom.bytes(length)).toHaveLength(length);
  });

  it('never returns the same bytes twice, or wiped ones', () => {
    const given = Array.from({ length: 2000 }, () => Buffer.from(systemRandom.bytes(16)).toString('hex'));
    expect(new Set(given).size).toBe(2000);
    expect(given).not.toContain('0'.repeat(32));
  });

  it('returns bytes that later calls do not change', () => {
    const bytes = systemRandom.bytes(32);
    const copy = Buffer.from(bytes);
    for (let n = 0; n < 500; n += 1) systemRandom.bytes(32);
    expect(copy.equals(bytes)).toBe(true);
  });
});
