/** docs/decisions: the form of a record, and the index of all records. */
import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { root, textOf } from './blocks.ts';

const folder = 'docs/decisions/';
const index = 'README.md';
const records = readdirSync(`${root}${folder}`)
  .filter((name) => name !== index)
  .toSorted();

const textOfRecord = (name: string): string => textOf(`${folder}${name}`);

interface Head {
  readonly number: string;
  readonly title: string;
  readonly status: string;
  readonly date: string;
}

/** Returns the head of a record; undefined: it has another form. */
function headOf(text: string): Head | undefined {
  const form =
    /^# (?<number>\d{4})\. (?<title>\S.*[^.])\n\nStatus: (?<status>proposed|accepted|superseded by \d{4})\n\nDate: (?<date>\d{4}-\d{2}-\d{2})\n\n## Context\n/;
  const { number, title, status, date } = form.exec(text)?.groups ?? {};
  return number && title && status && date ? { number, title, status, date } : undefined;
}

const linksIn = (text: string): readonly string[] =>
  [...text.matchAll(/\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)/g)].map(([, path = '']) => path);

/** Returns the links of a record that lead to no file. */
const brokenLinks = (name: string): readonly string[] =>
  linksIn(textOfRecord(name)).filter((path) => !existsSync(`${root}${folder}${path}`));

it('has records with consecutive numbers', () => {
  const numbers = records.map((name) => /^(\d{4})-[a-z\d]+(?:-[a-z\d]+)*\.md$/.exec(name)?.[1]);
  expect(numbers).toEqual(records.map((_, at) => String(at + 1).padStart(4, '0')));
});

describe.each(records)('%s', (name) => {
  const text = textOfRecord(name);

  it('begins with its number, a title, a status and a date', () => {
    const head = headOf(text);
    expect(head?.number).toBe(name.slice(0, 4));
    expect(new Date(head?.date ?? '').toISOString().slice(0, 10)).toBe(head?.date);
  });

  it('is superseded by a record that exists', () => {
    const by = /^Status: superseded by (\d{4})$/m.exec(text)?.[1];
    expect(records.filter((record) => record.startsWith(`${by}-`))).toHaveLength(by ? 1 : 0);
  });

  it('has context, decision and consequences, and no other section', () => {
    const sections = text.split(/^## /m).slice(1);
    expect(sections.map((section) => section.split('\n', 1)[0])).toEqual([
      'Context',
      'Decision',
      'Consequences',
    ]);
    expect(sections.filter((section) => section.replace(/^.*\n/, '').trim() === '')).toEqual([]);
  });

  it('has at most 60 lines of at most 120 characters', () => {
    const lines = text.trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(60);
    expect(lines.filter((line) => line.length > 120)).toEqual([]);
  });

  it('links to files that exist', () => {
    expect(brokenLinks(name)).toEqual([]);
  });
});

describe('the index', () => {
  it('has one line for each record, with its title, date and status', () => {
    const lines = textOfRecord(index)
      .split('\n')
      .filter((line) => /^\| \[/.test(line));
    const expected = records.map((name) => {
      const head = headOf(textOfRecord(name));
      return `| [${head?.number}](${name}) | ${head?.title} | ${head?.date} | ${head?.status} |`;
    });
    expect(lines).toEqual(expected);
  });

  it('links to files that exist', () => {
    expect(brokenLinks(index)).toEqual([]);
  });
});

describe('the form', () => {
  it.each([
    ['no number', '# A title\n\nStatus: accepted\n\nDate: 2026-11-20\n\n## Context\n'],
    ['another status', '# 0001. A title\n\nStatus: done\n\nDate: 2026-11-20\n\n## Context\n'],
    ['no date', '# 0001. A title\n\nStatus: accepted\n\n## Context\n'],
  ])('is not met with %s', (_, text) => {
    expect(headOf(text)).toBeUndefined();
  });
});
