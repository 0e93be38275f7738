/**
 * The embedded directory as LDIF, and LDIF into it: `node scripts/ldif.mjs export CONFIG > FILE` and
 * `node scripts/ldif.mjs import CONFIG < FILE`. A server on the same data may run meanwhile.
 */
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { ensureBuilt, ensureInstalled } from './workspace.mjs';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { 'no-overlays': { type: 'boolean', default: false } },
});
const [action, path] = positionals;

if (!['export', 'import'].includes(action) || path === undefined) {
  process.stderr.write('Usage: node scripts/ldif.mjs export|import CONFIG [--no-overlays]\n');
  process.exit(1);
}
ensureInstalled();
ensureBuilt();
const { Dn, ServiceError, StartError } = await import('@watchword/core');
const { openDirectory, openEnvironment } = await import('@watchword/core/adapters/embedded');
const { loadConfig, systemClock, systemRandom } = await import('@watchword/core/adapters/system');

try {
  await withDirectory(action === 'export' ? exportLdif : importLdif);
} catch (error) {
  if (!(error instanceof StartError || error instanceof ServiceError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

async function withDirectory(work) {
  const { config } = loadConfig(path, process.env);
  if (config.directory.type !== 'embedded') throw new StartError(`${path} names no embedded directory.`);
  const environment = await openEnvironment(config.data);
  try {
    const ports = { clock: systemClock, random: systemRandom };
    await work(
      await openDirectory(environment, { base: Dn.parse(config.directory.base), writers: [] }, ports),
    );
  } finally {
    await environment.close();
  }
}

async function exportLdif(directory) {
  for await (const record of directory.exportLdif({ overlays: !values['no-overlays'] })) {
    if (!process.stdout.write(record)) await once(process.stdout, 'drain');
  }
}

async function importLdif(directory) {
  const onProgress = (entries) => process.stderr.write(`\r${entries} entries`);
  await directory.importLdif(process.stdin, { onProgress });
  process.stderr.write('\n');
}
