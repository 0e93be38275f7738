/** The folder that a reader works in: this repository's examples and packages at hand, and its commands on the path. */
import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { scratchFolder } from '../../packages/core/src/testing/bed/scratch.ts';
import { root } from './blocks.ts';

export interface Place {
  readonly folder: string;
  close(): Promise<void>;
}

/** What a clone has beside the guides. */
const ofTheClone = ['examples', 'package.json', 'packages', 'schema', 'scripts'];

const commands = { 'watchword-manager': 'server-manager', 'watchword-ws': 'server-ws' };

/** Programs of this repository, from their sources, as node runs them. */
export const fromSource: readonly string[] = [
  '--conditions=watchword-source',
  `--import=${root}test/guides/typescript.mjs`,
];

export async function openPlace(): Promise<Place> {
  const folder = await scratchFolder('guide');
  for (const name of ofTheClone) await symlink(`${root}${name}`, join(folder, name));
  await symlink(`${root}node_modules`, join(folder, 'node_modules'));
  await mkdir(join(folder, 'bin'));
  for (const [name, packageName] of Object.entries(commands)) {
    const program = `${root}packages/${packageName}/src/main.ts`;
    const line = [process.execPath, ...fromSource, program].map((word) => `'${word}'`).join(' ');
    await writeFile(join(folder, 'bin', name), `#!/bin/sh\nexec ${line} "$@"\n`);
    await chmod(join(folder, 'bin', name), 0o755);
  }
  return { folder, close: () => rm(folder, { recursive: true }) };
}
