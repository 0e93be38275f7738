/** Manifests of installed packages: which packages one depends on, and where they are. */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, unknown>>;
}

export const manifestIn = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/**
 * Folders of a package and of all that it depends on, by their names; types of Node left out, as those are of the compiler.
 *
 * @param from the folder `node_modules` in which it is
 */
export function packagesOf(
  name: string,
  from: string,
  found = new Map<string, string>(),
): Map<string, string> {
  const place = join(from, name);
  if (found.has(name) || name === '@types/node' || !existsSync(place)) return found;
  const folder = realpathSync(place);
  found.set(name, folder);
  const siblings = name.startsWith('@') ? dirname(dirname(folder)) : dirname(folder);
  for (const each of Object.keys(manifestIn(folder).dependencies ?? {})) packagesOf(each, siblings, found);
  return found;
}
