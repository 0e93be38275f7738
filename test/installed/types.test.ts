/** The declarations of what was packed, compiled by strangers: with all of them checked, by our compiler and by the newest one. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readBlocks } from '../guides/blocks.ts';
import { type Installation, openInstallation, placeOf } from './installation.ts';
import { manifestIn, packagesOf } from './manifests.ts';

const run = promisify(execFile);
const modules = fileURLToPath(new URL('../../node_modules/', import.meta.url));
const names = [
  'client',
  'core',
  'embedded',
  'engines',
  'gateways',
  'ldap',
  'node',
  'openid',
  'pki',
  'postgres',
  'server-manager',
  'server-ws',
].map((short) => `@watchword/${short}`);

let installation: Installation;
beforeAll(async () => {
  installation = await openInstallation();
});
afterAll(() => installation.close());

const installed = (name: string): string => join(installation.folder, placeOf(name));

describe.each([
  ['the newest TypeScript and types of Node', 'typescript-newest', '@types/node-newest'],
  ['the TypeScript and types of Node of this workspace', 'typescript', '@types/node'],
])('with %s', (_, compiler, types) => {
  let project: string;
  beforeAll(async () => {
    project = await mkdtemp(join(tmpdir(), 'watchword-types-'));
    const place = join(project, 'node_modules');
    await cp(join(installation.folder, 'node_modules'), place, { recursive: true, verbatimSymlinks: true });
    const beside = packagesOf('fastify', modules, packagesOf('@types/express', modules));
    for (const [name, folder] of [...beside, ['@types/node', realpathSync(join(modules, types))] as const]) {
      await mkdir(dirname(join(place, name)), { recursive: true });
      if (!existsSync(join(place, name))) await cp(folder, join(place, name), { recursive: true });
    }
    // The types of Node need this package, of the version that they name.
    const undici = join(realpathSync(join(modules, types)), '../../undici-types');
    await rm(join(place, 'undici-types'), { recursive: true, force: true });
    await symlink(realpathSync(undici), join(place, 'undici-types'));
    await writeFile(join(project, 'package.json'), '{ "type": "module" }');
    const [configuration] = readBlocks('docs/guide/embedding.md').filter(
      ({ language }) => language === 'json',
    );
    await writeFile(join(project, 'tsconfig.json'), configuration?.text ?? '');
  });
  afterAll(() => rm(project, { recursive: true }));

  /** Compiles files as the guide says. @returns what the compiler complains of */
  async function compile(files: Readonly<Record<string, string>>): Promise<string> {
    for (const [name, text] of Object.entries(files)) await writeFile(join(project, name), text);
    const tsc = join(modules, compiler, 'bin', 'tsc');
    const given = ['-p', 'tsconfig.json', '--noEmit', '--skipLibCheck', 'false'];
    const ended = await run(process.execPath, [tsc, ...given], { cwd: project }).catch((error) => error);
    return ended.stdout;
  }

  it('compiles every entry point, and the programs of the guide "Embedding" and of the READMEs', async () => {
    const guide = readBlocks('docs/guide/embedding.md').filter(({ language }) => language === 'ts');
    const modulesOfGuide = guide.map(({ text, line }) => [fileOf(text) ?? `line-${line}.ts`, text]);
    expect(modulesOfGuide.length).toBeGreaterThan(4);
    const written = ['client', 'core', 'embedded', 'engines', 'ldap', 'node', 'openid', 'pki'];
    const readmes = written.map((short) => [`${short}-readme.ts`, programIn(`@watchword/${short}`)]);
    const files = [['every-entry.ts', everyEntry()], ...modulesOfGuide, ...readmes];
    expect(await compile(Object.fromEntries(files))).toBe('');
  });
});

const fileOf = (block: string): string | undefined => /^\/\/ ([\w-]+\.ts)\n/.exec(block)?.[1];

function everyEntry(): string {
  const points = names.flatMap((name) =>
    Object.keys(manifestIn(installed(name)).exports).map((point) => `${name}${point.slice(1)}`),
  );
  const imports = points.map((point, index) => `import * as entry${index} from '${point}';`);
  return `${imports.join('\n')}\nexport default [${points.map((_, index) => `entry${index}`).join(', ')}];\n`;
}

function programIn(name: string): string {
  const text = readFileSync(join(installed(name), 'README.md'), 'utf8');
  const programs = Array.from(text.matchAll(/```ts\n(.*?)```/gs), ([, program = '']) => program);
  expect(programs.length).toBeGreaterThan(0);
  return programs.join('\n');
}
