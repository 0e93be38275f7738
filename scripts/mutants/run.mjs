/**
 * `npm run test:mutants`: takes out each guard of the sources in `list.json`, one after the other, and runs the tests that reach it.
 * A guard whose loss no test notices is a survivor, and needs a judgment in `judged.json`. With a path, only the guards of that file
 * or folder; with `--list`, the mutants alone; with `--log FILE`, a line of JSON there for each mutant when it is done; with
 * `--lanes N`, in so many processes (2). Closes with a table of survivors and a line `N killed, N survived (N judged)`.
 */
import { appendFileSync, rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ensureDebianPackages } from '../debian.mjs';
import { ensureInstalled } from '../workspace.mjs';
import { copyOfCheckout, plantMutants } from './copy.mjs';
import { Lane } from './lane.mjs';
import { isWithin, listed } from './lists.mjs';
import { Progress } from './progress.mjs';
import { explained, report } from './report.mjs';
import { surveyed, Trial } from './trial.mjs';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { list: { type: 'boolean' }, log: { type: 'string' }, lanes: { type: 'string', default: '2' } },
});
const paths = positionals.map((path) => path.replace(/^\.\//, ''));

ensureInstalled();
const chosen = listed().filter(
  ({ file }) => paths.length === 0 || paths.some((path) => isWithin(file, path)),
);
const files = chosen.map(({ file }) => file);
if (files.length === 0) end(`No file of scripts/mutants/list.json is ${paths.join(' or ')}.`);
const copy = copyOfCheckout();
process.once('exit', () => rmSync(copy, { recursive: true, force: true }));
const mutants = plantMutants(files, copy);

if (options.list) {
  for (const { file, line, guard, mutation } of mutants)
    process.stdout.write(`${file}:${line}  ${guard}  →  ${mutation}\n`);
  process.stdout.write(`${mutants.length} mutants\n`);
} else {
  ensureDebianPackages({ activeDirectory: false });
  process.exitCode = await runAll();
}

async function runAll() {
  const began = performance.now();
  const lanes = Array.from(
    { length: Number(options.lanes) },
    (_, index) => new Lane(copy, `lane-${index + 1}`),
  );
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, async () => {
      await Promise.all(lanes.map((lane) => lane.stop()));
      process.exit(1);
    });
  try {
    const testFiles = [...new Set(chosen.flatMap(({ tests }) => tests))];
    process.stderr.write(
      `${mutants.length} mutants; ${testFiles.length} test files run once without any …\n`,
    );
    const tests = await surveyed(testFiles, lanes);
    const progress = new Progress(mutants.length);
    const trial = new Trial(tests, new Map(chosen.map((one) => [one.file, new Set(one.tests)])), explained());
    const results = await trial.all(mutants, lanes, (mutant, outcome) => {
      progress.note(outcome);
      if (options.log) appendFileSync(options.log, logLine(mutant, outcome));
    });
    const processorTime = lanes.reduce((all, lane) => all + lane.processorTime, 0);
    return report(results, { files, milliseconds: performance.now() - began, processorTime });
  } finally {
    await Promise.all(lanes.map((lane) => lane.stop()));
  }
}

function logLine(mutant, { isKilled, by, milliseconds }) {
  return `${JSON.stringify({ ...mutant, isKilled, by, milliseconds: Math.round(milliseconds) })}\n`;
}

function end(message) {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}
