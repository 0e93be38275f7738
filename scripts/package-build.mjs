/** How packages of ours are built whose entries are those of their `exports`: what is imported stays an import. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a package has beside its entries: programs that are run, and imported by nobody. */
const programs = {
  '@watchword/embedded': { 'large-changes-program': 'src/large-changes/large-changes-program.ts' },
  '@watchword/pki': { 'pdf-program': 'src/pdf/pdf-program.ts' },
  '@watchword/quickstart': { main: 'src/main.ts' },
};

/** Returns what tsup makes of a package. */
export function packageBuild(folder = '.') {
  const { name, exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const entries = Object.values(exports).flatMap(({ 'watchword-source': source, default: built }) =>
    built === undefined ? [] : [[/^\.\/dist\/(.+)\.js$/.exec(built)[1], join(folder, source)]],
  );
  const others = Object.entries(programs[name] ?? {}).map(([each, source]) => [each, join(folder, source)]);
  return {
    entry: Object.fromEntries([...entries, ...others]),
    outDir: join(folder, 'dist'),
    format: 'esm',
    target: 'node20',
    external: [/^[@a-z]/],
    dts: { entry: Object.fromEntries(entries), compilerOptions: { stripInternal: true } },
    clean: true,
  };
}

/** Names of the packages below a folder that are built so. */
export const builtSo = (packages) =>
  readdirSync(packages).filter((name) => /\bpackageBuild\(/.test(configOf(join(packages, name))));

function configOf(folder) {
  try {
    return readFileSync(join(folder, 'tsup.config.ts'), 'utf8');
  } catch {
    return '';
  }
}
