import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, mergeConfig } from 'vitest/config';
import base from './vitest.base.config.ts';

/**
 * The tests that need no engine and no process, which `npm run test:quick` runs: those that import nothing of
 * either, directly or by way of others.
 */
const root = fileURLToPath(new URL('.', import.meta.url));
const engine =
  /^(?:node:(?:child_process|worker_threads)|lmdb|ldapts|playwright-core|tsup|esbuild|@watchword\/.+)$/;

const known = new Map<string, boolean>();

function reachesEngine(file: string): boolean {
  const found = known.get(file);
  if (found !== undefined) return found;
  known.set(file, false); // a circle adds nothing
  const reaches = importsOf(file).some((name) =>
    name.startsWith('.') ? reachesEngine(resolve(dirname(file), name)) : engine.test(name),
  );
  known.set(file, reaches);
  return reaches;
}

/** Types need nothing. */
function importsOf(file: string): string[] {
  if (!file.endsWith('.ts') || !existsSync(file)) return [];
  const found = readFileSync(file, 'utf8').matchAll(
    /^(?:import|export)\s(?!type\s)[^;]*?\bfrom '([^']+)'|\bimport\('([^']+)'\)/gm,
  );
  return Array.from(found, ([, from, dynamic]) => from ?? dynamic ?? '');
}

const tests = readdirSync(join(root, 'packages'), { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.test\.ts$/.test(path) && !/node_modules|dist|\.ad\.test\.ts$/.test(path))
  .map((path) => join(root, 'packages', path));

export default mergeConfig(
  { ...base, test: { ...base.test, include: [] } },
  defineConfig({
    test: {
      isolate: false,
      include: tests.filter((path) => !reachesEngine(path)).map((path) => relative(root, path)),
    },
  }),
);
