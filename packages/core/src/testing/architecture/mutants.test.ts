/** Checks the input of `npm run test:mutants` without a run: its lists, its judgments, and the mutants that it makes. */
import { readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { keyOf, mutantsOf } from '../../../../../scripts/mutants/guards.mjs';
import { listed } from '../../../../../scripts/mutants/lists.mjs';
import { judgments } from '../../../../../scripts/mutants/report.mjs';
import { checkout, scratchFolder } from '../bed/scratch.ts';

const textOf = (file: string) => readFileSync(new URL(file, checkout), 'utf8');

describe('the list of guarded sources', () => {
  it('names files that exist', () => {
    const sources = listed();
    expect(sources.filter(({ tests }) => tests.length === 0)).toEqual([]);
    expect(new Set(sources.map(({ file }) => file)).size).toBe(sources.length);
  });
});

describe('the judgments of survivors', () => {
  it('name guards that the sources have, each once, with a verdict and a reason', () => {
    const keys = new Set(listed().flatMap(({ file }) => mutantsOf(file, textOf(file)).mutants.map(keyOf)));
    const made = judgments();
    expect(made.map(keyOf).filter((key) => !keys.has(key))).toEqual([]);
    expect(new Set(made.map(keyOf)).size).toBe(made.length);
    const verdicts = ['equivalent', 'accepted', 'not yet killed'];
    expect(made.filter(({ verdict, because }) => !verdicts.includes(verdict) || because === '')).toEqual([]);
  });
});

const source = `
export function seats(age: number, isMember: boolean): string {
  const said: string[] = [];
  if (isMember && age < 18) said.push('junior');
  else said.push('other');
  return age >= 65 ? 'senior' : String(Math.min(said.length, 9)) + said.join();
}`;

/** Values that the source returns for a member of 18 years, where they change with the mutant. */
const changed: Readonly<Record<string, string>> = {
  'age < 18 → true': '1junior',
  'age < 18 → <=': '1junior',
  "said.push('other'); → removed": '0',
  'age >= 65 → true': 'senior',
  'Math.min(said.length, 9) → 9': '9other',
};

const unchanged = [
  'isMember → true',
  'isMember && age < 18 → false',
  "said.push('junior'); → removed",
  'age >= 65 → false',
  'age >= 65 → >',
  'Math.min(said.length, 9) → said.length',
];

interface Planted {
  seats(age: number, isMember: boolean): string;
}

describe('the mutants of a source', () => {
  const { mutants, instrument } = mutantsOf('seats.ts', source);
  const switchFile = new URL('scripts/mutants/switch.mjs', checkout);
  const planted = instrument(1, switchFile.href);
  const names = mutants.map(({ guard, mutation }) => `${guard} → ${mutation}`);

  afterAll(() => {
    Reflect.deleteProperty(globalThis, 'watchwordMutant');
  });

  it('are operands, wholes, boundaries, statements and limits', () => {
    expect(names.toSorted()).toEqual([...Object.keys(changed), ...unchanged].toSorted());
  });

  it('leave the lines as they are', () => {
    expect(planted.split('\n')).toHaveLength(source.split('\n').length);
  });

  it('are active one at a time, and none where none is asked for', async () => {
    const folder = await scratchFolder('mutants');
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'seats.ts');
    await writeFile(file, planted);
    const { seats }: Planted = await import(pathToFileURL(file).href);
    const withMutant = (active: number) => {
      Object.assign(Reflect.get(globalThis, 'watchwordMutant'), { active });
      return seats(18, true);
    };
    expect(withMutant(0)).toBe('1other');
    for (const [index, name] of names.entries())
      expect([name, withMutant(index + 1)]).toEqual([name, changed[name] ?? '1other']);
  });
});
