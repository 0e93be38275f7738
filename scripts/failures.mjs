/**
 * A reporter of Vitest that writes down what failed, short: JSON of `{ passed, failures, slowest }`, each failure one line with
 * its place, its name and the first line of its error, and the files that took longest. Vitest's own JSON knows nothing of errors between tests.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root, stamps } from './workspace.mjs';

/** Lanes that run side by side have one each. */
export const report = join(stamps, `tests-${process.env.TEST_LANE ?? 'all'}.json`);

export default class Failures {
  onTestRunEnd(files, errors) {
    const passed = files.reduce((sum, file) => sum + count(file.children.allTests('passed')), 0);
    const failures = [
      ...files.flatMap(failuresOf),
      ...errors.map((error) => line(placeOf(error), 'between tests', error)),
    ];
    mkdirSync(dirname(report), { recursive: true });
    writeFileSync(report, JSON.stringify({ passed, failures, slowest: slowestOf(files) }));
  }
}

/** A line each: seconds, and the file. */
const slowestOf = (files) =>
  files
    .map((file) => ({ seconds: file.diagnostic().duration / 1000, place: file.relativeModuleId }))
    .toSorted((one, other) => other.seconds - one.seconds)
    .slice(0, 20)
    .map(({ seconds, place }) => `${seconds.toFixed(0).padStart(5)} s  ${place}`);

/** Of an error that no test has thrown, such as a fault of types: the file where it is. */
function placeOf({ VITEST_TEST_PATH, stacks }) {
  const file = VITEST_TEST_PATH ?? stacks?.[0]?.file;
  return file ? relative(root, file) : 'somewhere';
}

function failuresOf(file) {
  const place = file.relativeModuleId;
  const groups = [file, ...file.children.allSuites()].flatMap((group) =>
    group.errors().map((error) => line(place, group.fullName ?? 'the file', error)),
  );
  const tests = Array.from(file.children.allTests('failed'), (test) =>
    line(place, test.fullName, test.result().errors[0]),
  );
  return [...groups, ...tests];
}

function line(place, name, error) {
  const [message] = stripVTControlCharacters(String(error?.message ?? error)).split('\n');
  const at = error?.stacks?.find(({ file }) => file.endsWith(place))?.line;
  return `${place}${at ? `:${at}` : ''} ${name}: ${message}`.replaceAll(/\s+/g, ' ').slice(0, 400);
}

const count = (tests) => Array.from(tests).length;
