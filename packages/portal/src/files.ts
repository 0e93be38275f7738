/** The files of a site, with their headers. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export type Site = 'admin' | 'self';

export interface PortalFile {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  /** Its name changes with what is in it: a browser may keep it for ever. */
  readonly hashed: boolean;
  /** The same, packed; undefined where packing gains nothing. */
  readonly brotli: Uint8Array | undefined;
  readonly gzip: Uint8Array | undefined;
}

/**
 * The files by their paths below `/admin/` or `/self/`: `index.html`, `assets/main-Bx3k9.js`. A path of the site that is none of
 * them and has no extension is a page: it is answered with `index.html`.
 * @throws Error where the portal is not built
 */
export function portalFiles(site: Site): ReadonlyMap<string, PortalFile> {
  const folder = join(folderOfSites(), site);
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) =>
    name.replaceAll('\\', '/'),
  );
  const served = names.filter((name) => extname(name) in contentTypes);
  return new Map(served.map((name) => [name, readFile(folder, name)]));
}

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.png': 'image/png',
  '.md': 'text/plain; charset=utf-8',
};

function readFile(folder: string, name: string): PortalFile {
  return {
    bytes: readFileSync(join(folder, name)),
    contentType: contentTypes[extname(name)] ?? 'application/octet-stream',
    hashed: /^assets\/.+-[\w-]{8,}\.\w+$/.test(name),
    brotli: packed(folder, `${name}.br`),
    gzip: packed(folder, `${name}.gz`),
  };
}

const packed = (folder: string, name: string): Uint8Array | undefined =>
  existsSync(join(folder, name)) ? readFileSync(join(folder, name)) : undefined;

/** Finds the files as {@link portalFiles}; undefined and a line in the log if the portal is not built. */
export function findPortalFiles(
  site: Site,
  log: { warn(message: string, fields?: { readonly [name: string]: unknown }): void },
): ReadonlyMap<string, PortalFile> | undefined {
  try {
    return portalFiles(site);
  } catch (error) {
    log.warn(`the portal is not there, and nothing is served at /${site}/`, { error });
    return undefined;
  }
}

/** Beside the program of a bundled server; in the workspace, what was built here. */
function folderOfSites(): string {
  const places = ['./portal/', '../dist/'].map((place) => fileURLToPath(new URL(place, import.meta.url)));
  const found = places.find((place) => existsSync(join(place, 'admin/index.html')));
  if (found === undefined)
    throw new Error('The portal is not built: run "npm run build" in its package first');
  return found;
}
