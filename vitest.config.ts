import { configDefaults, defineConfig } from 'vitest/config';
import base from './vitest.base.config.ts';
import { testsWithout } from './vitest.reach.ts';

/** Another server than those of the tests: a directory over LDAP, a browser. */
const own = /^(?:ldapts|playwright-core|tsup|esbuild|@watchword\/.+)$/;
const folders =
  /^packages\/core\/src\/(?:access|concurrency|config|describe|directory|errors|events|license|limits|login|manager|mark|oath|otp|pki|policy|rekey|sending|sms|sshkey|status|table|text|web)\//;

/**
 * Tests of what judges and computes: nothing of one stays for the next, so that a worker loads the sources once for all of its
 * files. Each of the others has a worker of its own.
 */
const together = testsWithout(own).filter((path) => folders.test(path));

const { include = [], exclude = configDefaults.exclude, typecheck = {}, ...test } = base.test ?? {};

export default defineConfig({
  ...base,
  test: {
    ...test,
    projects: [
      { ...base, test: { ...test, name: 'together', isolate: false, include: together, exclude } },
      { ...base, test: { ...test, name: 'alone', include, exclude: [...exclude, ...together], typecheck } },
    ],
  },
});
