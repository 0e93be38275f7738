/** `docs/architecture.md` against the code: each function that it names is there, and is named by one above it. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { floors } from './floors.ts';
import { readSources } from './source-file.ts';

const page = readFileSync(new URL('../../../../../docs/architecture.md', import.meta.url), 'utf8');
const sources = new Map(
  readSources((path) => !path.endsWith('.test.ts')).map((source) => [source.path, source]),
);

interface Step {
  readonly path: string;
  readonly name: string;
}

/** The ways of requests, by the headings that they stand under. */
const ways = page
  .split(/^## /m)
  .map((section): [string, readonly Step[]] => [
    section.split('\n', 1)[0] ?? '',
    Array.from(section.matchAll(/^\d+\. `([^`]+)` `([^`]+)`:/gm), ([, file, name]) => ({
      path: `packages/${file}`,
      name: name ?? '',
    })),
  ])
  .filter(([, steps]) => steps.length > 0);

const textOf = ({ path }: Step): string =>
  readFileSync(new URL(`../../../../../${path}`, import.meta.url), 'utf8');

/** A function, a method of a class, or a row. */
const declares = (step: Step): boolean =>
  new RegExp(
    `^(?:export )?(?:async )?function ${step.name}\\b|^(?:export )?const ${step.name}\\b|^  (?:async )?${step.name}(?:\\(|<|: (?:method|operation)\\()`,
    'm',
  ).test(textOf(step));

describe('docs/architecture.md', () => {
  it('has a way for each door', () => {
    expect(ways.map(([title]) => title)).toEqual(['A login over REST or SOAP', 'A call to the Manager']);
  });

  it('has the floors', () => {
    const section = page.split(/^## /m).find((part) => part.startsWith('The floors')) ?? '';
    const lines = Array.from(section.matchAll(/^- (`[^:]+`):/gm), ([, names = '']) =>
      names.split(/,\s+/).map((name) => name.replaceAll('`', '')),
    );
    expect(lines.flat()).toEqual(floors.flat().map((room) => room.replace(/^core\//, '')));
  });

  it('names a function that is there for each case of a login', () => {
    const section = page.split(/^## /m).find((part) => part.startsWith('A login in four waits')) ?? '';
    const cases = Array.from(section.matchAll(/^\|.+\| `([^`]+)` ((?:`\w+`(?:, )?)+) \|$/gm));
    expect(cases.length).toBeGreaterThan(15);
    const steps = cases.flatMap(([, file, names = '']) =>
      names.split(', ').map((name) => ({ path: `packages/${file}`, name: name.replaceAll('`', '') })),
    );
    expect(steps.filter((step) => !declares(step))).toEqual([]);
  });

  it('names the waits of a login in their order', () => {
    const judge =
      textOf({ path: 'packages/core/src/login/login.ts', name: '' }).split(/^async function judge/m)[1] ?? '';
    const body = judge.slice(0, judge.indexOf('\n}\n'));
    const awaited = Array.from(body.matchAll(/await (?:call\.limits\.)?(\w+)/g), ([, name]) => name);
    expect(awaited).toEqual(['finding', 'admit', 'prove', 'commit', 'finish']);
    const drawn = Array.from(page.matchAll(/^ {2}J->>[DL]: (\w+):/gm), ([, name]) => name);
    expect(drawn).toEqual(['find', 'admit', 'prove', 'commit']);
  });

  describe.each(ways)('%s', (_, steps) => {
    it.each(steps)('$path has $name', (step) => {
      expect(sources.has(step.path)).toBe(true);
      expect(declares(step)).toBe(true);
    });

    it('goes from what names a function to that function', () => {
      const lost = steps.filter(({ path, name }, index) => {
        if (index === 0) return false;
        // A row is not named where it is called: the table has it.
        if (/\/(?:methods|operations)\.ts$/.test(path)) return false;
        return !steps.slice(0, index).some((above) => isNamedIn(name, above));
      });
      expect(lost).toEqual([]);
    });
  });
});

const isNamedIn = (name: string, { path }: Step): boolean =>
  [...(sources.get(path)?.words ?? [])].some((word) => word === name || word.endsWith(`.${name}`));
