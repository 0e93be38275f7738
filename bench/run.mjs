/**
 * `npm run bench`: what a read through the Manager costs, as a ratio to the same LDAP operation done directly in
 * the same run, what a login costs beside a plain handler, and whether the embedded directory stays quick when it
 * grows. Writes tables to standard output,
 * all numbers to `bench/results.json` and progress to standard error.
 *
 * Options: `--quick` for a short look, `--built` to measure what is built, `--logins` for logins only, `--profile`
 * for where the time of a call goes.
 */
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { ensureBuilt, ensureInstalled } from '../scripts/workspace.mjs';
import { plans } from './plan.mjs';
import { comparisonTable, embeddedTable, loginTable, memoryTable } from './table.mjs';

const resultsFile = new URL('results.json', import.meta.url);
const flag = { type: 'boolean', default: false };
const { values: options } = parseArgs({
  options: { quick: flag, built: flag, profile: flag, logins: flag },
});
if (!existsSync('/usr/sbin/slapd')) {
  process.stderr.write('The benchmark needs OpenLDAP: apt-get install slapd.\n');
  process.exit(1);
}
if (!options.built) {
  ensureInstalled();
  ensureBuilt();
}
const plan = options.quick ? plans.quick : plans.full;
if (options.profile) await profile();
else if (options.logins) await measureLoginsAlone();
else await measureAll();

async function profile() {
  const { profileManager } = await import('./profile.mjs');
  process.stdout.write(await profileManager({ plan, progress }));
}

async function measureAll() {
  const { measureThroughManager, measureOneConnection } = await import('./through-manager.mjs');
  const { measureEmbedded } = await import('./embedded-directory.mjs');
  const comparisons = [];
  const keep = (results) => {
    comparisons.push(...results);
    for (const result of results) show(comparisonTable(result));
  };
  for (const users of plan.users) keep(await measureThroughManager(users, { plan, progress }));
  keep([await measureOneConnection(plan.detailed, { plan, progress })]);
  const embedded = await measureEmbedded({ plan, progress });
  show(embeddedTable(embedded));
  const logins = await measureLogins();
  await save({ machine: machine(), plan, comparisons, embedded, logins });
}

/** The other results stay as they are. */
async function measureLoginsAlone() {
  const others = JSON.parse(await readFile(resultsFile, 'utf8'));
  await save({ ...others, logins: await measureLogins() });
}

async function measureLogins() {
  const { compareLogins } = await import('./logins/compare.mjs');
  const logins = await compareLogins({ plan: plan.logins, progress });
  for (const result of logins.comparisons) show(loginTable(result));
  show(memoryTable(logins));
  return logins;
}

function machine() {
  const processors = cpus();
  return { processors: processors.length, model: processors[0]?.model, node: process.version };
}

async function save(results) {
  await writeFile(resultsFile, `${JSON.stringify(results, rounded, 2)}\n`);
}

function rounded(_, value) {
  return typeof value === 'number' ? Number(value.toPrecision(4)) : value;
}

function show(text) {
  clearProgress();
  process.stdout.write(`${text}\n`);
}

/** One line that changes on a terminal, one line for each step elsewhere. */
function progress(text) {
  clearProgress();
  process.stderr.write(process.stderr.isTTY ? text : `${text}\n`);
}

function clearProgress() {
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
}
