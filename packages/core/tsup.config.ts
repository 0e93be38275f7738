import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { defineConfig } from 'tsup';
import { packageBuild } from '../../scripts/package-build.mjs';

const build = packageBuild();

/**
 * Writes the declarations of all sources, which the bundler then reads: a bundler that reads the sources takes 3 GB. The newest
 * TypeScript writes them in a quarter of the processor time.
 *
 * @returns the entries among them
 */
function writeDeclarations(): Readonly<Record<string, string>> {
  const tsc = join(createRequire(import.meta.url).resolve('typescript-newest/package.json'), '../bin/tsc');
  execFileSync(process.execPath, [tsc, '-p', 'tsconfig.declarations.json', '--checkers', '1'], {
    stdio: 'inherit',
  });
  return Object.fromEntries(
    Object.entries(build.entry).map(([name, path]) => [
      name,
      path.replace('src/', '.cache/declarations/').replace(/\.ts$/, '.d.ts'),
    ]),
  );
}

export default defineConfig(({ dts }) => ({
  ...build,
  // `--no-dts` builds what runs.
  dts: dts !== false && { entry: writeDeclarations() },
}));
