import { defineConfig, mergeConfig } from 'vitest/config';
import base from './vitest.base.config.ts';

/** The tests against a Samba Active Directory, which `npm run test:ad` runs. */
export default mergeConfig(
  { ...base, test: { ...base.test, include: [], exclude: [], typecheck: { enabled: false } } },
  defineConfig({
    test: {
      env: { WATCHWORD_TEST_DIRECTORY: 'Active Directory' },
      include: ['packages/*/src/**/*.ad.test.ts', 'test/**/*.ad.test.ts'],
    },
  }),
);
