/**
 * Runs the modules that its arguments name, each in a folder of its own, and writes a line of JSON for each:
 * its path, the lines that it printed, and its error.
 */
import { mkdirSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { format } from 'node:util';

for (const path of process.argv.slice(2)) {
  const printed = [];
  console.log = (...values) => printed.push(format(...values));
  const folder = path.replace(/\.ts$/, '');
  mkdirSync(folder);
  process.chdir(folder);
  let error;
  try {
    await import(pathToFileURL(path).href);
  } catch (thrown) {
    error = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  }
  process.stdout.write(`${JSON.stringify({ path, printed, error })}\n`);
}
process.exit(0);
