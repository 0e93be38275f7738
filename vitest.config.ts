import './scripts/node20.mjs';
import { defineConfig } from 'vitest/config';

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
    execArgv: ['--import', new URL('scripts/thread-sources.mjs', import.meta.url).href],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    typecheck: { enabled: true, include: ['packages/*/src/**/*.test-d.ts'], tsconfig: './tsconfig.json' },
  },
});
