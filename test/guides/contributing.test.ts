/** CONTRIBUTING.md: its layout names the folders that there are, and its recipe is a row. */
import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { root, textOf } from './blocks.ts';
import { runGuide } from './guide.ts';
import { openRoom } from './reading-room.ts';
import { typeErrors } from './types.ts';

const page = 'CONTRIBUTING.md';
const layout = (): string => /```text\n([\s\S]*?)```/.exec(textOf(page))?.[1] ?? '';

const foldersIn = (path: string): readonly string[] =>
  readdirSync(`${root}${path}`, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !/^\.|^(?:node_modules|data|dist|coverage)$/.test(entry.name))
    .map(({ name }) => name);

/** The words of the layout that end with a slash. */
const named = (): readonly string[] => [
  ...new Set(Array.from(layout().matchAll(/(?<![\w/-])(?:[\w-]+\/)+/g), ([path]) => path)),
];

/** `run` of the recipe calls it; the test beside the roles runs the row. */
const around = (row: string) => `
import type { Dn } from '../../../packages/core/src/foundation/text/dn.ts';
import type { BoundView } from '../../../packages/core/src/directory/view.ts';
import { method } from '../../../packages/core/src/table/method.ts';
import { dn, strings } from '../../../packages/core/src/table/schema/index.ts';
const alice = 'uid=alice,dc=example,dc=org';
const mailOf = (dn: Dn, call: BoundView): Promise<string[]> => Promise.reject([dn, call]);
export const rows = { ${row} };`;

runGuide(page, {
  open: openRoom,
  runners: {
    text: () => {
      expect(layout()).not.toBe('');
    },
    ts: ({ text }) => {
      expect(typeErrors('recipe.ts', new Map([['recipe.ts', around(text)]]))).toEqual([]);
    },
  },
});

it('the layout names every folder of the repository and of the core, and no other', () => {
  const below = (path: string) => foldersIn(path).map((name) => `${path}/${name}/`);
  const core = foldersIn('packages/core/src').map((name) => `${name}/`);
  const top = foldersIn('').map((name) => `${name}/`);
  const more = ['packages/core/src/', 'test/guides/', 'test/installed/'];
  const all = [...top, ...below('packages'), ...core, ...below('docs'), ...more].filter(
    (name) => name !== 'packages/',
  );
  expect(named().toSorted()).toEqual([...new Set(all)].toSorted());
});
