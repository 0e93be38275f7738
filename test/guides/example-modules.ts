/** Examples as modules in a scratch folder, which sees the packages as a program of a reader does. */
import { execFile } from 'node:child_process';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { scratchFolder } from '../../packages/core/src/testing/bed/scratch.ts';
import { root } from './blocks.ts';
import { fromSource } from './place.ts';

const run = promisify(execFile);

/** Examples by the names of their modules, without an ending. */
export type Examples = ReadonlyMap<string, string>;

/** Results of {@link ExampleModules}, by the names of the modules: a sentence for each that is wrong. */
type Wrong = ReadonlyMap<string, string>;

export interface ExampleModules {
  /** Compiles all modules with TypeScript 7. @returns the errors */
  compile(): Promise<Wrong>;
  /** Runs modules in one process, and compares their output with the comments after `console.log`. */
  run(names: readonly string[]): Promise<Wrong>;
  close(): Promise<void>;
}

const configuration = {
  extends: `${root}tsconfig.base.json`,
  compilerOptions: { noEmit: true },
  // Sources of the packages need the declarations beside them.
  include: ['*.ts', `${root}packages/*/src/**/*.d.ts`],
};

export async function openExamples(examples: Examples): Promise<ExampleModules> {
  const folder = await scratchFolder('examples');
  await symlink(`${root}node_modules`, join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), '{"type": "module"}');
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(configuration));
  for (const [name, text] of examples) await writeFile(join(folder, `${name}.ts`), text);
  return {
    compile: () => compile(folder),
    run: (names) => runModules(folder, names, examples),
    close: () => rm(folder, { recursive: true }),
  };
}

async function compile(folder: string): Promise<Wrong> {
  const compiler = `${root}node_modules/typescript-newest/bin/tsc`;
  const { stdout } = await run(process.execPath, [compiler, '-p', folder, '--pretty', 'false'], {
    cwd: folder,
  }).catch((error) => error);
  const errors = [...stdout.matchAll(/^(?:.*\/)?([\w-]+)\.ts\((\d+),\d+\): (.*(?:\n .*)*)/gm)];
  if (errors.length === 0 && stdout.trim() !== '') throw new Error(stdout);
  // Of several errors of a module the first one.
  return new Map(errors.toReversed().map(([, name = '', line, text]) => [name, `line ${line}: ${text}`]));
}

async function runModules(folder: string, names: readonly string[], examples: Examples): Promise<Wrong> {
  const program = `${root}test/guides/run-examples.mjs`;
  await mkdir(join(folder, 'home'));
  const { stdout } = await run(
    process.execPath,
    [...fromSource, program, ...names.map((name) => join(folder, `${name}.ts`))],
    { cwd: folder, env: { ...process.env, HOME: join(folder, 'home') }, timeout: 100_000 },
  ).catch((error) => error);
  const lines = String(stdout).split('\n').filter(Boolean);
  const results = new Map(lines.map((line) => resultOf(JSON.parse(line))));
  const wrong = names.map((name) => [name, wrongOf(examples.get(name) ?? '', results.get(name))] as const);
  return new Map(wrong.flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])));
}

interface Result {
  readonly path: string;
  readonly printed: readonly string[];
  readonly error?: string;
}

const resultOf = (result: Result) => [basename(result.path, '.ts'), result] as const;

function wrongOf(example: string, result: Result | undefined): string | undefined {
  if (!result) return 'did not end';
  if (result.error !== undefined) return result.error;
  const said = Array.from(example.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm), ([, text]) => text);
  const [wanted, printed] = [said.join('\n'), result.printed.join('\n')];
  return wanted === printed ? undefined : `says ${wanted}, and prints ${printed}`;
}
