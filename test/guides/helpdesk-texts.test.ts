/** The helpdesk guide has a cure for each text that the limits put into the events of a user. */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { type LimitEvent, wordsOf } from '../../packages/core/src/limits/limit-events.ts';

const guide = await readFile(new URL('../../docs/guide/helpdesk.md', import.meta.url), 'utf8');
/** The first cells of tables, with `…` for anything. */
const texts = [...guide.matchAll(/^\| `([^`]+)`/gm)].map(
  ([, text = '']) =>
    new RegExp(
      text
        .split('…')
        .map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
        .join('.+'),
    ),
);

const until = Date.UTC(2026, 10, 22);
const happenings: readonly LimitEvent[] = [
  { kind: 'lockout', isKnown: true, until },
  { kind: 'lockout', isKnown: false, until: undefined },
  { kind: 'daily_quota', isKnown: false, until },
  { kind: 'authenticator_cap', key: undefined },
  { kind: 'token_disabled', key: 'key' },
  { kind: 'source_forgotten' },
];

describe('the helpdesk guide', () => {
  it.each(happenings)('has a cure for %j', (happening) => {
    const words = wordsOf(happening, '192.0.2.7');
    expect(
      texts.some((text) => text.test(words)),
      words,
    ).toBe(true);
  });
});
