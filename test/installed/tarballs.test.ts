/** What is in the tarballs: all that is needed, nothing else, and what tools of the field say of them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import semver from 'semver';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Installation, openInstallation, placeOf, tarballs } from './installation.ts';

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
];

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly engines?: { readonly node?: string };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
  readonly [key: string]: unknown;
}

let installation: Installation;
beforeAll(async () => {
  installation = await openInstallation();
});
afterAll(() => installation.close());

const place = (name: string) => join(installation.folder, placeOf(name));
/** Of two versions of a package, npm puts that of one below it. */
const dependencyOf = (name: string, dependency: string): string => {
  const own = join(place(name), 'node_modules', dependency);
  return existsSync(own) ? own : place(dependency);
};
const manifestIn = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/** Paths of all files, relative to the package. */
const filesOf = (name: string): string[] =>
  readdirSync(place(name), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name: file }) => join(parentPath, file).slice(place(name).length + 1))
    // Where npm has put another version than that of other packages.
    .filter((file) => !file.startsWith('node_modules/'));

const tarballOf = (name: string): string => {
  const file = readdirSync(tarballs).find((each) => each.startsWith(`watchword-${name}-`));
  return join(tarballs, file ?? 'none');
};

/** Names of the packages that a file imports: a declaration those of its types. */
function importsOf(text: string): string[] {
  const names: string[] = [];
  const look = (node: ts.Node): void => {
    const from = specifierOf(node);
    if (from && ts.isStringLiteral(from) && !from.text.startsWith('.')) names.push(packageOf(from.text));
    ts.forEachChild(node, look);
  };
  look(ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest));
  return names;
}

function specifierOf(node: ts.Node): ts.Node | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier;
  if (ts.isImportTypeNode(node))
    return ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined;
  if (!ts.isCallExpression(node)) return undefined;
  const isRequired = ts.isIdentifier(node.expression) && /^require\d*$/.test(node.expression.text);
  const isImported = node.expression.kind === ts.SyntaxKind.ImportKeyword;
  return isRequired || isImported ? node.arguments[0] : undefined;
}

const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

/** What has to be installed with a package and is not installed by it. */
const neededBeside = ({ peerDependencies = {}, peerDependenciesMeta: meta = {} }: Manifest): string[] =>
  Object.keys(peerDependencies).filter((name) => !meta[name]?.optional);

const isBuiltIn = (name: string): boolean => name.startsWith('node:') || builtinModules.includes(name);

describe.each(names)('the package %s', (short) => {
  const name = `@watchword/${short}`;

  it('has a licence, a text to read, what runs and its types, and nothing else', () => {
    const files = filesOf(name);
    expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json']));
    const others = files.filter(
      (file) =>
        !/^(?:LICENSE|README\.md|package\.json|dist\/(?:.+\.(?:c?js|d\.ts)|THIRD-PARTY-NOTICES\.txt|portal\/(?:admin|self)\/.+))$/.test(
          file,
        ),
    );
    expect(others).toEqual([]);
    for (const file of files.filter((path) => /\.c?js$/.test(path)))
      expect([file, readFileSync(join(place(name), file), 'utf8')]).toEqual([
        file,
        expect.not.stringContaining('sourceMappingURL'),
      ]);
  });

  it('has a manifest that says what it is and leads only to what is there', () => {
    const manifest = manifestIn(place(name));
    expect(manifest).toMatchObject({
      ...{ name, license: 'Apache-2.0', type: 'module', sideEffects: expect.anything() },
      ...{ engines: { node: '^20.19.0 || >=22.12.0' } },
    });
    const entries = Object.values(manifest.exports as Readonly<Record<string, object>>);
    expect(entries.length).toBeGreaterThan(0);
    for (const entry of entries) expect(Object.keys(entry)).toEqual(['types', 'default']);
    expect(manifest).not.toHaveProperty('devDependencies');
    expect(manifest).not.toHaveProperty('scripts');
    const targets = JSON.stringify([manifest.exports, manifest.bin ?? {}]).matchAll(/"\.\/(dist\/[^"]+)"/g);
    const files = filesOf(name);
    for (const [, target] of targets) expect(files).toContain(target);
    expect(JSON.stringify(manifest)).not.toMatch(/workspace:|"\.\/src/);
  });

  it('names every package that it imports, in an exact version, and no other', () => {
    const manifest = manifestIn(place(name));
    const files = filesOf(name).filter((path) => /\.(?:js|d\.ts)$/.test(path));
    const imported = files.flatMap((file) => importsOf(readFileSync(join(place(name), file), 'utf8')));
    const wanted = new Set(imported.filter((each) => !isBuiltIn(each) && each !== name));
    const { dependencies = {}, peerDependencies = {} } = manifest;
    expect([...wanted].filter((each) => !(each in dependencies || each in peerDependencies))).toEqual([]);
    for (const version of Object.values(dependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    // What a dependency wants beside itself has to be brought along where nobody installs peers.
    const beside = Object.keys(dependencies).flatMap((each) =>
      neededBeside(manifestIn(dependencyOf(name, each))),
    );
    const extra = Object.keys({ ...dependencies, ...peerDependencies }).filter((each) => !wanted.has(each));
    expect(extra.filter((each) => !beside.includes(each))).toEqual([]);
    expect(beside.filter((each) => !(each in dependencies))).toEqual([]);
  });

  it('is right by publint', async () => {
    const tarball = readFileSync(tarballOf(short));
    const { messages } = await publint({ pack: { tarball: new Uint8Array(tarball).buffer }, strict: true });
    expect(messages).toEqual([]);
  });

  it('is right by Are the types wrong?', async () => {
    const data = createPackageFromTarballData(new Uint8Array(readFileSync(tarballOf(short))));
    const result = await checkPackage(data);
    if (!result.types) throw new Error('there are no types');
    // ESM only: what CommonJS and the resolution of Node 10 make of it is nobody's concern.
    const problems = result.problems.filter(
      (problem) =>
        !('resolutionKind' in problem && ['node10', 'node16-cjs'].includes(problem.resolutionKind)),
    );
    expect(problems).toEqual([]);
  });
});

describe('what is installed with the packages', () => {
  it.each(['20.19.0', '22.12.0', '24.0.0', '26.0.0'])('runs on Node %s by its own word', (version) => {
    const manifests = readdirSync(join(installation.folder, 'node_modules'), {
      recursive: true,
      encoding: 'utf8',
    })
      .filter((path) => /(?:^|node_modules\/)(?:@[^/]+\/)?[^/@.]+\/package\.json$/.test(path))
      .map((path) => manifestIn(join(installation.folder, 'node_modules', path, '..')));
    expect(manifests.length).toBeGreaterThan(30);
    const unfit = manifests.filter(
      ({ engines }) => engines?.node && !semver.satisfies(version, engines.node),
    );
    expect(unfit.map((each) => `${each.name} ${each.version}: ${each.engines?.node}`)).toEqual([]);
  });
});
