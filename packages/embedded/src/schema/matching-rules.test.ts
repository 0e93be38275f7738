import { describe, expect, it } from 'vitest';
import { findMatchingRule } from './matching-rules.ts';

describe('generalizedTimeMatch', () => {
  const normalize = (text: string) => findMatchingRule('generalizedTimeMatch')?.normalize(text);

  it.each([
    ['20260101000000Z', '2026-01-01T00:00:00.000'],
    ['2026010100Z', '2026-01-01T00:00:00.000'],
    ['202601010000+0530', '2025-12-31T18:30:00.000'],
    ['202601010000-0130', '2026-01-01T01:30:00.000'],
    ['2026010112.5Z', '2026-01-01T12:30:00.000'],
    ['202601011200,25Z', '2026-01-01T12:00:15.000'],
    ['20260101000000.123456Z', '2026-01-01T00:00:00.123456'],
    ['20260101000000.5000Z', '2026-01-01T00:00:00.500'],
    ['000001010000Z', '0000-01-01T00:00:00.000'],
  ])('reads %s', (text, time) => {
    expect(normalize(text)).toBe(time);
  });

  it.each(['20260230000000Z', '20260131240000Z', '20261301000000Z', '20260101', '20260101000000', 'now'])(
    'is no time: %s',
    (text) => {
      expect(normalize(text)).toBeUndefined();
    },
  );
});
