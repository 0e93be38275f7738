import { configDefaults, defineConfig } from 'vitest/config';
import base from './vitest.base.config.ts';

/**
 * Tests of what judges and computes: nothing of one stays for the next, so that a worker loads the sources once for all of its
 * files. Each of the others has a worker of its own: they look at what a process has loaded, holds or began with.
 */
const folders =
  'access,concurrency,config,describe,directory,errors,events,license,limits,login,manager,mark,oath,otp,pki,policy,rekey,sending,sms,sshkey,status,table,text,web';
const together = [
  `packages/core/src/{${folders}}/**/*.test.ts`,
  'packages/{client,server-manager,server-ws}/src/**/*.test.ts',
  'test/hardening/**/*.test.ts',
  'test/limits/{attacks,bounds,cases-*}.test.ts',
];

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
