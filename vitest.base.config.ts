import './scripts/node20.mjs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { temporaryPlace } from './packages/core/src/testing/bed/scratch.ts';

// For the temporary folders of all tests, and of the programs that they start.
process.env.TMPDIR = temporaryPlace(4 * 2 ** 30);

const source = { conditions: ['watchword-source', 'module', 'node'] };

export default defineConfig({
  resolve: source,
  ssr: { resolve: source },
  test: {
    include: [
      'packages/*/src/**/*.test.ts',
      'packages/*/test/**/*.test.ts',
      'examples/**/*.test.ts',
      'test/**/*.test.ts',
    ],
    exclude: ['**/node_modules/**', '**/dist/**', '**/*.ad.test.ts'],
    execArgv: ['--import', new URL('scripts/child-sources.mjs', import.meta.url).href],
    // One file more than there are processors: most tests wait for a server, a browser or a disk.
    maxWorkers: availableParallelism() + 1,
    // What one lane has transformed, the next one reads.
    fsModuleCache: true,
    // For what hangs. How long something may take is measured in processor time: no test fails as a machine is slow.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    typecheck: {
      enabled: true,
      // TypeScript 7 finds the same in a quarter of the time. Declarations are made with the version that has an API.
      checker: new URL('node_modules/typescript-newest/bin/tsc', import.meta.url).pathname,
      include: ['packages/*/src/**/*.test-d.ts'],
      tsconfig: './tsconfig.json',
    },
  },
});
