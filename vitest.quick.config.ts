import { defineConfig, mergeConfig } from 'vitest/config';
import base from './vitest.base.config.ts';
import { testsWithout } from './vitest.reach.ts';

/** An engine, or a process. */
const engine =
  /^(?:node:(?:child_process|worker_threads)|lmdb|ldapts|playwright-core|tsup|esbuild|@watchword\/.+)$/;

/**
 * The tests that need no engine and no process, which `npm run test:quick` runs: those that import nothing of
 * either, directly or by way of others.
 */
export default mergeConfig(
  { ...base, test: { ...base.test, include: [] } },
  defineConfig({
    test: {
      isolate: false,
      include: [...testsWithout(engine)],
    },
  }),
);
