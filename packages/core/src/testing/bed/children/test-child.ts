/** A module in a Node process of its own, which a test may kill. */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'tsup';

/** Under node_modules, so that a bundle finds the packages that are not bundled. */
const folder = fileURLToPath(new URL('../../../../node_modules/.test-children', import.meta.url));

/** A module of this folder as plain JavaScript that `node` runs. */
export interface Bundle {
  /** Starts it in a new process with these arguments. */
  start(...args: readonly string[]): ChildProcess;
  /** Starts it with a limit of the length of files, in KiB. */
  startWithin(kib: number, ...args: readonly string[]): ChildProcess;
  /** Starts it with a limit of open files. */
  startWithFiles(count: number, ...args: readonly string[]): ChildProcess;
  /** Starts it with a limit of address space, in KiB. */
  startWithAddresses(kib: number, ...args: readonly string[]): ChildProcess;
  dispose(): Promise<void>;
}

/** @param module its place, or its name in this folder: `echo.ts`; without splitting all is in one file. */
export async function bundle(module: URL | string, { splitting = true } = {}): Promise<Bundle> {
  await mkdir(folder, { recursive: true });
  const outDir = await mkdtemp(join(folder, 'bundle-'));
  const entry = fileURLToPath(new URL(module, import.meta.url));
  await build({
    entry: { child: entry },
    outDir,
    format: 'esm',
    splitting,
    silent: true,
    external: [/^(?!@watchword\/)[@a-z]/],
    noExternal: [/^@watchword\//],
    esbuildOptions: (options) => Object.assign(options, { conditions: ['watchword-source'] }),
    config: false,
    outExtension: () => ({ js: '.mjs' }),
  });
  const file = join(outDir, 'child.mjs');
  return {
    start: (...args) => fork(file, args, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] }),
    startWithin: (kib, ...args) => startLimited(`-f ${kib * 2}`, [file, ...args]), // units of 512 bytes, by POSIX
    startWithFiles: (count, ...args) => startLimited(`-n ${count}`, [file, ...args]),
    startWithAddresses: (kib, ...args) => startLimited(`-v ${kib}`, [file, ...args]),
    dispose: () => rm(outDir, { recursive: true }),
  };
}

function startLimited(limit: string, args: readonly string[]): ChildProcess {
  const limited = `ulimit ${limit} && exec "$0" "$@"`;
  return spawn('/bin/sh', ['-c', limited, process.execPath, ...args], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}
