/** What `list.json` names: sources whose guards are taken out, and for each group of them the tests that are to notice it. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../workspace.mjs';

const groups = JSON.parse(readFileSync(new URL('list.json', import.meta.url), 'utf8'));

const isSource = (file) => /\.ts$/.test(file) && !/\.(?:test|test-d|d)\.ts$/.test(file);
const isTest = (file) => file.endsWith('.test.ts') && !file.endsWith('.ad.test.ts');

/** Returns whether a file is at a path, or in the folder of this path. */
export const isWithin = (file, path) => file === path || file.startsWith(`${path.replace(/\/$/, '')}/`);

/**
 * Lists the sources with the tests of their group, in the order of the list.
 * @throws Error where a path of the list matches no file
 */
export function listed() {
  return groups.flatMap(({ guards, tests, without = [] }) => {
    const left = matched(without, isTest);
    const own = matched(tests, isTest).filter((file) => !left.includes(file));
    return matched(guards, isSource).map((file) => ({ file, tests: own }));
  });
}

function matched(paths, fits) {
  return [...new Set(paths.flatMap((path) => below(path, fits)))];
}

function below(path, fits) {
  const files = filesBelow(path).filter(fits);
  if (files.length === 0) throw new Error(`scripts/mutants/list.json: ${path} matches no file`);
  return files;
}

function filesBelow(path) {
  const found = statSync(join(root, path), { throwIfNoEntry: false });
  if (!found?.isDirectory()) return found ? [path] : [];
  const names = readdirSync(join(root, path), { recursive: true, encoding: 'utf8' }).toSorted();
  return names.map((name) => join(path, name)).filter((file) => statSync(join(root, file)).isFile());
}
