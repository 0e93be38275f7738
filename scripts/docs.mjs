/**
 * Writes docs/reference from the tables of the core. `--check` writes nothing and exits with 1 if what is there
 * is not what would be written.
 */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'tsup';

const root = new URL('../', import.meta.url);
const folder = new URL('docs/reference/', root);

const wanted = await generate();
const present = await read(folder);
const names = [...new Set([...wanted.keys(), ...present.keys()])];
const stale = names.filter((name) => wanted.get(name) !== present.get(name));

if (process.argv.includes('--check')) {
  for (const name of stale) console.error(`docs/reference/${name}${difference(name)}`);
  if (stale.length > 0) console.error('Run `npm run docs` and commit what it writes.');
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  await mkdir(folder, { recursive: true });
  await Promise.all(stale.map(write));
  console.log(stale.length === 0 ? 'docs/reference is up to date.' : `Wrote ${stale.join(', ')}.`);
}

/** Always from the source: a bundle of its own, so that an old build of the core does no harm. */
async function generate() {
  const bundle = new URL('.cache/docs/', root);
  await build({
    entry: [fileURLToPath(new URL('packages/core/src/describe/reference.ts', root))],
    outDir: fileURLToPath(bundle),
    format: 'esm',
    target: 'node20',
    noExternal: [/./],
    config: false,
    silent: true,
  });
  const { reference } = await import(new URL('reference.js', bundle).href);
  return reference();
}

async function read(from) {
  const files = await readdir(from).catch(() => []);
  return new Map(
    await Promise.all(files.map(async (name) => [name, await readFile(new URL(name, from), 'utf8')])),
  );
}

async function write(name) {
  const file = new URL(name, folder);
  await (wanted.has(name) ? writeFile(file, wanted.get(name)) : rm(file));
}

/** The first line that is not as it should be. */
function difference(name) {
  if (!wanted.has(name)) return ': is not generated any more';
  if (!present.has(name)) return ': is missing';
  const [is, should] = [present.get(name).split('\n'), wanted.get(name).split('\n')];
  const line = should.findIndex((text, index) => text !== is[index]);
  return `:${line + 1}\n  is:     ${is[line] ?? ''}\n  should: ${should[line] ?? ''}`;
}
