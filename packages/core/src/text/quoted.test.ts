import { expect, it } from 'vitest';
import { quoted } from './quoted.ts';

it.each([
  ['nothing', ''],
  ['a name', 'Default\\alice.smith-2@example.org'],
  ['backslashes', '\\a\\\\b\\'],
  ['quotes', 'a "b" \\"'],
  ['control characters', 'a\nb\u0000\u001f\u007f\u2028'],
  ['dollars', '$& $1 $$'],
  ['other letters', 'Jörg 🙂 \ud800'],
])('quotes %s as JSON does', (_, text) => {
  expect(quoted(text)).toBe(JSON.stringify(text));
});
