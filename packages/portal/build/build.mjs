/** Builds both sites, and packs what browsers load once, so that no server does it for every request. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { build } from 'vite';

// Whoever starts the build, a test for one: what is built is for use.
process.env.NODE_ENV = 'production';

const folder = fileURLToPath(new URL('../', import.meta.url));

for (const mode of ['admin', 'self']) {
  await build({ configFile: join(folder, 'vite.config.ts'), mode, logLevel: 'warn' });
  await compressAll(join(folder, 'dist', mode));
}

async function compressAll(site) {
  const names = await readdir(site, { recursive: true });
  await Promise.all(
    names.filter((name) => /\.(?:html|js|css|svg)$/.test(name)).map((name) => compress(join(site, name))),
  );
}

async function compress(path) {
  const bytes = await readFile(path);
  await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes));
  await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }));
}
