/**
 * `npm test`: every check that a change has to pass. `npm run test:quick` leaves out the tests that need an engine or
 * a process; `npm run test:long` repeats more often what chance decides; `npm run test:runtime` runs those that meet the
 * runtime, for another Node, with `-- --brief` those of what is packed and of the engines; `npm run test:ad` runs the tests against a Samba Active Directory instead. Closes with a line
 * for each failure and a line `N passed, N failed`.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { ensureDebianPackages } from './debian.mjs';
import { ensurePacked } from './packed.mjs';
import { bin, ensureBuilt, ensureInstalled, root, step } from './workspace.mjs';

const long = process.argv.includes('--long');
const activeDirectory = process.argv.includes('--ad');
const quick = process.argv.includes('--quick');
const runtime = process.argv.includes('--runtime');
if (process.argv.includes('--brief')) process.env.TEST_BRIEF = '1';

ensureInstalled();
if (!quick) ensureDebianPackages({ activeDirectory });
if (!activeDirectory && !runtime && !process.env.TEST_LINTED) {
  // Types are checked by Vitest, beside the tests.
  step('Linting', bin('biome'), ['check', '--error-on-warnings', '.'], { quiet: false });
}
if (!activeDirectory && !quick) {
  // What is packed is built.
  await ensurePacked();
  ensureBuilt();
}
const lane = (activeDirectory && 'ad') || (quick && 'quick') || (runtime && 'runtime') || undefined;
if (lane) process.env.TEST_LANE = lane;
const { report } = await import('./failures.mjs');
process.exitCode = runTests();

function runTests() {
  rmSync(report, { force: true });
  const config = lane ? ['--config', `vitest.${lane}.config.ts`] : [];
  const env = { ...process.env, ...(long && { WATCHWORD_LONG: '1' }) };
  const args = ['run', ...config, '--reporter=default', '--reporter=scripts/failures.mjs'];
  const { status } = spawnSync(bin('vitest'), args, { cwd: root, stdio: 'inherit', env });
  const { passed, failures, slowest } = reported();
  // A run can fail before it reports: a configuration that does not load, a process that is ended.
  if (status !== 0 && failures.length === 0) failures.push(`Vitest ended with ${status}, see above`);
  process.stdout.write(`\nSlowest files:\n${slowest.join('\n')}\n`);
  for (const failure of failures) process.stdout.write(`\nfailed: ${failure}`);
  process.stdout.write(`\n${passed} passed, ${failures.length} failed\n`);
  return failures.length === 0 && passed > 0 ? 0 : 1;
}

function reported() {
  return existsSync(report)
    ? JSON.parse(readFileSync(report, 'utf8'))
    : { passed: 0, failures: [], slowest: [] };
}
