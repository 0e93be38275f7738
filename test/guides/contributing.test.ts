/** CONTRIBUTING.md: its layout names the folders that there are, and its first change compiles and runs. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path/posix';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readExisting, texts } from '../../packages/core/src/directory/entry/entry.ts';
import { application } from '../../packages/core/src/table/application.ts';
import { type AnyMethod, method } from '../../packages/core/src/table/method.ts';
import { dn, strings } from '../../packages/core/src/table/schema/index.ts';
import { openFixture } from '../../packages/core/src/testing/bed/fixture.ts';
import { readBlocks, root, textOf } from './blocks.ts';
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

const [row = '', work = '', check = ''] = readBlocks(page)
  .filter(({ language }) => language === 'ts')
  .map(({ text }) => text);

const core = '../../../packages/core/src/';
/** The imports of a block, from where the compiler sees it. */
const placed = (text: string): string =>
  text.replace(/from '(\.[^']+)'/g, (_, path: string) => `from '${core}${join('directory/entry', path)}'`);

/** The row as it is among others: the imports of `methods.ts`, and the function of the next block. */
const around = (text: string) => `
import type { BoundView } from '${core}directory/view.ts';
import { method } from '${core}table/method.ts';
import { dn, strings } from '${core}table/schema/index.ts';
import { mailOf } from './work.ts';
const alice = 'uid=alice,dc=example,dc=org';
export const rows = { ${text} };`;

const blocks = new Map([
  ['row.ts', around(row)],
  ['work.ts', placed(work)],
  ['check.ts', placed(check)],
]);

runGuide(page, {
  open: openRoom,
  runners: {
    text: () => {
      expect(layout()).not.toBe('');
    },
    ts: ({ text }) => {
      const name = [...blocks.keys()][[row, work, check].indexOf(text)] ?? 'none';
      expect(typeErrors(name, blocks)).toEqual([]);
    },
  },
});

/** Runs a block without its imports. @returns the value of an expression after it */
function evaluate(text: string, scope: Readonly<Record<string, unknown>>, result: string): unknown {
  const body = ts.transpile(
    `${text.replace(/^import .*$/gm, '').replaceAll('export ', '')}\nreturn ${result};`,
  );
  return new Function(...Object.keys(scope), body)(...Object.values(scope));
}

describe('the first change', () => {
  const mailOf = evaluate(work, { readExisting, texts }, 'mailOf');
  const methods = evaluate(
    '',
    { method, dn, strings, mailOf, alice: 'uid=alice,dc=example,dc=org' },
    `({ ${row} })`,
  );
  const own = { name: 'Own', service: 'own', settings: {}, publicData: [], operations: {} } as const;
  const applications = { Own: application({ ...own, methods: methods as Record<string, AnyMethod> }) };
  const openWithMethod = async () => {
    const fixture = await openFixture({ applications });
    return { ...fixture, call: (name: string, params: unknown) => fixture.call(`Own.${name}`, params) };
  };
  evaluate(check, { afterAll, beforeAll, expect, it, openFixture: openWithMethod }, 'undefined');
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
