import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import base from '../../vitest.base.config.ts';

/** What a process of `npm run test:mutants` starts with. */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ['scripts/mutants/start.test.ts'],
    typecheck: { enabled: false },
    isolate: false,
    maxWorkers: 1,
    runner: fileURLToPath(new URL('test-runner.mjs', import.meta.url)),
    reporters: [{}],
    disableConsoleIntercept: true,
  },
});
