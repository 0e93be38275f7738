/** What test files reach: what they import, directly or by way of others. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('.', import.meta.url));

const packages = readdirSync(join(root, 'packages')).map((name) => join(root, 'packages', name));

/** Every test of a package, from the root of the repository. What is installed in packages is passed by: it leads in circles. */
const tests = packages
  .flatMap((folder) => [join(folder, 'src'), join(folder, 'test')])
  .filter((folder) => existsSync(folder))
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  )
  .filter((path) => /\.test\.ts$/.test(path) && !path.endsWith('.ad.test.ts'));

/** Lists the tests that reach no module of this name: a package, or a file by its path from the root of the repository. */
export function testsWithout(module: RegExp): readonly string[] {
  const known = new Map<string, boolean>();
  const reaches = (file: string): boolean => {
    const found = known.get(file);
    if (found !== undefined) return found;
    known.set(file, false); // a circle adds nothing
    const does = importsOf(file).some((name) => {
      if (!name.startsWith('.')) return module.test(name);
      const path = resolve(dirname(file), name);
      return module.test(relative(root, path)) || reaches(path);
    });
    known.set(file, does);
    return does;
  };
  return tests.filter((path) => !reaches(path)).map((path) => relative(root, path));
}

/** Types need nothing. */
function importsOf(file: string): string[] {
  if (!file.endsWith('.ts') || !existsSync(file)) return [];
  const found = readFileSync(file, 'utf8').matchAll(
    /^(?:import|export)\s(?!type\s)[^;]*?\bfrom '([^']+)'|\bimport\('([^']+)'\)/gm,
  );
  return Array.from(found, ([, from, dynamic]) => from ?? dynamic ?? '');
}
