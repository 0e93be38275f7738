/**
 * Writes docs/reference, and the comments of the typed client, from the tables of the core. `--check` writes nothing and exits
 * with 1 if what is there is not what would be written.
 */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'tsup';

const root = new URL('../', import.meta.url);
/** Folder → the function that makes everything in it, and where that is. */
const folders = {
  'docs/reference/': ['reference', 'packages/core/src/doors/describe/reference.ts'],
  'packages/client/src/documented/': ['documented', 'packages/core/src/doors/describe/documented.ts'],
};

const wanted = await generate();
const present = await read();
const names = [...new Set([...wanted.keys(), ...present.keys()])];
const stale = names.filter((name) => wanted.get(name) !== present.get(name));

if (process.argv.includes('--check')) {
  for (const name of stale) console.error(`${name}${difference(name)}`);
  if (stale.length > 0) console.error('Run `npm run docs` and commit what it writes.');
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  for (const folder of Object.keys(folders)) await mkdir(new URL(folder, root), { recursive: true });
  await Promise.all(stale.map(write));
  console.log(stale.length === 0 ? 'What is generated is up to date.' : `Wrote ${stale.join(', ')}.`);
}

/** Always from the source: a bundle of its own, so that an old build of the core does no harm. */
async function generate() {
  // Where it finds the packages that the core loads at their first use.
  const bundle = new URL('packages/core/node_modules/.docs/', root);
  const sources = Object.values(folders);
  await build({
    entry: Object.fromEntries(sources.map(([name, path]) => [name, fileURLToPath(new URL(path, root))])),
    outDir: fileURLToPath(bundle),
    format: 'esm',
    target: 'node20',
    noExternal: [/./],
    config: false,
    silent: true,
  });
  const files = await Promise.all(
    Object.entries(folders).map(async ([folder, [name]]) => {
      const made = await import(new URL(`${name}.js`, bundle).href);
      return [...made[name]()].map(([file, text]) => [folder + file, text]);
    }),
  );
  return new Map(files.flat());
}

async function read() {
  const paths = await Promise.all(
    Object.keys(folders).map(async (folder) => {
      const names = await readdir(new URL(folder, root)).catch(() => []);
      return names.map((name) => folder + name);
    }),
  );
  return new Map(
    await Promise.all(paths.flat().map(async (path) => [path, await readFile(new URL(path, root), 'utf8')])),
  );
}

async function write(name) {
  const file = new URL(name, root);
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
