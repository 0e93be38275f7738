/** TypeScript of a guide: checked against the packages as they are, and run as a program of its own. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { type Block, root } from './blocks.ts';
import type { Ground } from './guide.ts';
import { fromSource } from './place.ts';
import { typeErrors } from './types.ts';

const run = promisify(execFile);

/** What makes a program of an excerpt. */
export interface Around {
  /** What the guide takes to be there. */
  readonly before?: string;
  /** Prints what is worth a look. */
  readonly after?: string;
}

export interface TypescriptGround extends Ground {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** A block that is, with a few lines around it, a program. @returns what it prints */
export async function runProgram(
  block: Block,
  ground: TypescriptGround,
  around: Around = {},
): Promise<string> {
  const name = `line-${block.line}.ts`;
  await keepFile(name, [around.before, block.text, around.after, 'export {};'].join('\n'), ground);
  return runNode([name], ground);
}

/** An example, as somebody has run it before. */
export const runExample = (
  path: string,
  args: readonly string[],
  ground: TypescriptGround,
): Promise<string> => runNode([`${root}examples/${path}`, ...args], ground);

async function runNode(args: readonly string[], { folder, environment }: TypescriptGround): Promise<string> {
  const env = { ...process.env, ...environment };
  const { stdout } = await run(process.execPath, [...fromSource, ...args], {
    cwd: folder,
    env,
    timeout: 250_000,
  });
  return stdout;
}

/** A block that begins with `// name.ts` is that file, for the blocks behind it. */
export async function keepModule({ text, line, page }: Block, ground: TypescriptGround): Promise<void> {
  const [, name] = /^\/\/ ([\w-]+\.ts)\n/.exec(text) ?? [];
  if (name === undefined) throw new Error(`${page}, line ${line}: this block names no file`);
  await keepFile(name, text, ground);
}

/** Each folder's files so far. */
const kept = new Map<string, Map<string, string>>();

async function keepFile(name: string, text: string, { folder, here }: TypescriptGround): Promise<void> {
  const files = kept.get(folder) ?? new Map<string, string>();
  kept.set(folder, files.set(name, text));
  expect(typeErrors(name, files)).toEqual([]);
  await writeFile(join(folder, name), here(text));
}

/** Runs a module as a server while there is work; it says when it listens, and ends on SIGTERM by itself. */
export async function whileServing(
  module: string,
  { folder, environment }: TypescriptGround,
  work: () => Promise<void>,
): Promise<void> {
  const env = { ...process.env, ...environment };
  const child = spawn(process.execPath, [...fromSource, module], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  try {
    const [said] = await Promise.race([once(child.stdout, 'data'), ended]);
    expect(String(said)).toBe('listening\n');
    await work();
  } finally {
    child.kill('SIGTERM');
  }
  expect(await ended).toEqual([0, null]);
}
