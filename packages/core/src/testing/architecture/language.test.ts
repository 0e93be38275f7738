/**
 * The language of comments, as a ratchet: a floor, not the aim. Each bound is the count of today; lower it when the count falls.
 * `test/guides/citations.test.ts` holds what comments cite.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const root = new URL('../../../../../', import.meta.url);

/** Most docstrings that may begin with a word that is neither verb nor head noun, in percent of all. */
const mostFirstWords = 1;
/** Most habit words. */
const mostHabitWords = 20;
/** Most sentences of docstrings with more than 25 words. */
const mostLongSentences = 32;

const firstWord = /^(?:What|Who|Whoever|Whose|How|Where|Of|By|For|At|As|In|On|With|So|It|That|Such|All)\b/;
const habitWord =
  /\b(?:whoever|stands|told|behind|anew|hangs? on|comes to|is the one|goes by|by itself|so many)\b/gi;

const sources = readdirSync(new URL('packages', root)).flatMap((name) => {
  const folder = new URL(`packages/${name}/src/`, root);
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => readFileSync(new URL(path, folder), 'utf8'));
});

/** Returns the docstrings of a text, each without its stars and the code of its examples. */
const docstringsOf = (text: string): readonly string[] =>
  Array.from(text.matchAll(/\/\*\*([\s\S]*?)\*\//g), ([, body = '']) =>
    body
      .replace(/^\s*\*\s?/gm, ' ')
      .replace(/```[\s\S]*?```/g, '')
      .trim(),
  );

const commentsOf = (text: string): readonly string[] => text.match(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g) ?? [];

const sentencesOf = (docstring: string): readonly string[] => docstring.split(/(?<=[.:;])\s|\s(?=@[a-z]+\b)/);
const isLong = (sentence: string): boolean => sentence.split(/\s+/).length > 25;

describe('comments', () => {
  const docstrings = sources.flatMap(docstringsOf);

  it('begin with a verb or the head noun', () => {
    expect(docstrings.length).toBeGreaterThan(1000);
    const wrong = docstrings.filter((one) => firstWord.test(one));
    expect((100 * wrong.length) / docstrings.length).toBeLessThanOrEqual(mostFirstWords);
  });

  it('avoid the habit words of LANGUAGE', () => {
    const words = sources.flatMap(commentsOf).flatMap((comment) => comment.match(habitWord) ?? []);
    expect(words.length).toBeLessThanOrEqual(mostHabitWords);
  });

  it('have sentences of at most 25 words', () => {
    expect(docstrings.flatMap(sentencesOf).filter(isLong).length).toBeLessThanOrEqual(mostLongSentences);
  });

  it.each([
    ['/** Reads a file. */ // plain', 0, 0],
    ['/** What is told by whoever comes. */', 1, 2],
  ])('are counted: %s', (text, first, habits) => {
    expect(docstringsOf(text).filter((one) => firstWord.test(one))).toHaveLength(first);
    expect(commentsOf(text).flatMap((comment) => comment.match(habitWord) ?? [])).toHaveLength(habits);
  });
});

/** The beginning of the rule. A day without a time would be that day at the present time of day, for git. */
const ruleSince = '2026-11-29T03:25:00Z';

it('commit subjects have at most 72 characters', () => {
  const log = ['log', '--no-merges', `--since=${ruleSince}`, '--format=%s'];
  const subjects = execFileSync('git', log, { cwd: root, encoding: 'utf8' }).split('\n');
  expect(subjects.filter((subject) => subject.length > 72)).toEqual([]);
});
