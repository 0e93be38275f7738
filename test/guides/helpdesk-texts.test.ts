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
  { kind: 'refusal', isKnown: true, until },
  { kind: 'refusal', isKnown: false, until: undefined },
  { kind: 'allowance', isKnown: false, until },
  { kind: 'closed', key: undefined },
  { kind: 'disabled', key: 'key' },
  { kind: 'forgotten' },
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
