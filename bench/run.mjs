/**
 * `npm run bench`: what a read through the Manager costs, as a ratio to the same LDAP operation done directly in
 * the same run, what a login costs beside a plain handler, and whether the embedded directory stays quick when it
 * grows. Writes tables to standard output,
 * all numbers to `bench/results.json` and progress to standard error.
 *
 * `aims`, and after it the names of rows, measures the table of aims and nothing else.
 *
 * Options: `--quick` for a short look, `--built` to measure what is built, `--logins` for logins only, `--profile`
 * for where the time of a call goes. For aims: numbers in place of those in `plan.mjs`
 * (`--rounds 4`, `--records 100000`, …), and `--node-options` for the server whose memory is looked at.
 */
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { ensureBuilt, ensureInstalled } from '../scripts/workspace.mjs';
import { aimsTable, rows } from './aims/index.mjs';
import { aimsPlan, plans } from './plan.mjs';
import { comparisonTable, embeddedTable, loginTable, memoryTable } from './table.mjs';

const resultsFile = new URL('results.json', import.meta.url);
const flag = { type: 'boolean', default: false };
const text = { type: 'string' };
/** Options of aims that are numbers, and what of the plan they replace. */
const numbersOfAims = {
  'warm-up': 'warmUpOperations',
  ...{ rounds: 'rounds', remembered: 'remembered', users: 'users' },
  ...{ records: 'records', waiting: 'waiting', idle: 'idle' },
};
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    ...{ quick: flag, built: flag, profile: flag, logins: flag },
    ...Object.fromEntries(
      [...Object.keys(numbersOfAims), 'entries', 'node-options'].map((name) => [name, text]),
    ),
  },
});
const [what, ...which] = positionals;
if (!existsSync('/usr/sbin/slapd')) {
  process.stderr.write('The benchmark needs OpenLDAP: apt-get install slapd.\n');
  process.exit(1);
}
if (!options.built) {
  ensureInstalled();
  ensureBuilt();
}
const plan = options.quick ? plans.quick : plans.full;
if (what === 'aims') await measureAims(which.length > 0 ? which : Object.keys(rows));
else if (options.profile) await profile();
else if (options.logins) await measureLoginsAlone();
else await measureAll();

async function profile() {
  const { profileManager } = await import('./profile.mjs');
  process.stdout.write(await profileManager({ plan, progress }));
}

async function measureAims(names) {
  const given = Object.entries(numbersOfAims).filter(([name]) => options[name] !== undefined);
  const aims = {
    ...aimsPlan,
    ...Object.fromEntries(given.map(([name, replaced]) => [replaced, Number(options[name])])),
    ...(options.entries && { sizes: [Number(options.entries), aimsPlan.sizes[1]] }),
    nodeOptions: options['node-options']?.split(' '),
  };
  const { warmUpOperations, remembered: logins, sizes } = aims;
  show(
    `Aims, ${aims.rounds} rounds; each server warmed by ${warmUpOperations} operations; memory after ${logins} logins; ${sizes[0]} entries`,
  );
  for (const name of names) show(`\n${name}\n${aimsTable(await rows[name]({ plan: aims, progress }))}`);
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
