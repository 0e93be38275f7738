import { defineConfig, mergeConfig } from 'vitest/config';
import base from './vitest.config.ts';

/**
 * The tests that meet the runtime, which `npm run test:runtime` runs on another Node: sockets, TLS, native engines,
 * processes, packages. What only judges and computes is the same on every Node.
 */
export default mergeConfig(
  { ...base, test: { ...base.test, include: [], typecheck: { enabled: false } } },
  defineConfig({
    test: {
      include: [
        'packages/{client,quickstart,server-manager,server-ws}/**/*.test.ts',
        'packages/core/src/*.test.ts',
        'packages/core/src/{adapters,pki,qr,start,web}/**/*.test.ts',
        'test/{deploy,hardening,installed,keys,manager-pki,operator,overload,reverse-proxy,start,web-clients}/**/*.test.ts',
        'test/login/{crash,once}.test.ts',
        'examples/**/*.test.ts',
      ],
    },
  }),
);
