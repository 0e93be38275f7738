import { defineConfig, mergeConfig } from 'vitest/config';
import base from './vitest.base.config.ts';
import { testsWithout } from './vitest.reach.ts';

/** An engine, a process, the heap of one, or what a build makes. */
const engine =
  /^(?:node:(?:child_process|worker_threads|v8)|lmdb|ldapts|playwright-core|tsup|esbuild|@watchword\/.+|@node-rs\/.+|packages\/portal\/src\/files\.ts)$/;

/** Tests that compute for seconds. */
const seconds = new Set([
  'packages/cli/src/config-file/config-file.test.ts',
  'packages/core/src/ports/event-log/chain.test.ts',
]);

/**
 * The tests that `npm run test:quick` runs: those that import, directly or by way of others, no engine, no process and nothing that
 * has to be built, and that are done at once.
 */
export default mergeConfig(
  { ...base, test: { ...base.test, include: [] } },
  defineConfig({
    test: {
      isolate: false,
      include: testsWithout(engine).filter((path) => !seconds.has(path)),
    },
  }),
);
