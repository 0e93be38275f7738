/**
 * `npm test`: every check that a change has to pass. `npm run test:quick` leaves out the tests that need an engine or
 * a process; `npm run test:runtime` runs those that meet the runtime, for another Node; `npm run test:ad` runs the
 * tests against a Samba Active Directory instead. Closes with a line `N passed, N failed`.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureDebianPackages } from './debian.mjs';
import { ensurePacked } from './packed.mjs';
import { bin, ensureBuilt, ensureInstalled, root, step } from './workspace.mjs';

const activeDirectory = process.argv.includes('--ad');
const quick = process.argv.includes('--quick');
const runtime = process.argv.includes('--runtime');
const report = join(root, 'node_modules', '.watchword', 'tests.json');

ensureInstalled();
if (!quick) ensureDebianPackages({ activeDirectory });
if (!activeDirectory && !runtime) {
  step('Linting', bin('biome'), ['check', '--error-on-warnings', '.'], { quiet: false });
  step('Checking types', bin('tsc'), ['-p', 'tsconfig.json', '--noEmit'], { quiet: false });
}
if (!activeDirectory && !quick) {
  ensureBuilt();
  ensurePacked();
}
process.exitCode = runTests();

function runTests() {
  rmSync(report, { force: true });
  const lane = (activeDirectory && 'ad') || (quick && 'quick') || (runtime && 'runtime');
  const config = lane ? ['--config', `vitest.${lane}.config.ts`] : [];
  const args = ['run', ...config, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const { status } = spawnSync(bin('vitest'), args, { cwd: root, stdio: 'inherit' });
  const { passed, failed } = countTests();
  // A run can fail without a failed test: an error between tests, a file that does not load.
  const failures = status === 0 ? failed : Math.max(1, failed);
  process.stdout.write(`\n${passed} passed, ${failures} failed\n`);
  return failures === 0 && passed > 0 ? 0 : 1;
}

function countTests() {
  if (!existsSync(report)) return { passed: 0, failed: 0 };
  const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8'));
  return { passed: numPassedTests, failed: numFailedTests };
}
