/** What packages declare: which they need, in which versions, and what the lanes of tests run of them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkout } from '../bed/scratch.ts';
import { closureOf, largestCircle } from './import-graph.ts';

interface Manifest {
  readonly private?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

const at = (path: string): URL => new URL(path, checkout);
const manifestIn = (folder: string): Manifest =>
  JSON.parse(readFileSync(at(`${folder}package.json`), 'utf8'));
const names = readdirSync(at('packages/'));
const manifests = new Map(names.map((name) => [name, manifestIn(`packages/${name}/`)]));

const own = /^@watchword\/(.+)$/;
const oursOf = ({ dependencies = {}, devDependencies = {} }: Manifest): readonly string[] =>
  Object.keys({ ...dependencies, ...devDependencies }).flatMap((name) => own.exec(name)?.[1] ?? []);

describe('packages', () => {
  it('need one another in no circle, in their tests neither', () => {
    const graph = new Map([...manifests].map(([name, manifest]) => [name, oursOf(manifest)]));
    expect([...graph.values()].flat().length).toBeGreaterThan(20);
    expect(largestCircle(graph)).toEqual([]);
  });

  it('say on a page of their own what they are', () => {
    const silent = names.filter((name) => !existsSync(at(`packages/${name}/README.md`)));
    expect(silent.filter((name) => manifests.get(name)?.private !== true)).toEqual([]);
  });

  it('need one another as docs/architecture.md draws it', () => {
    const isPrivate = (name: string) => manifests.get(name)?.private === true;
    const needed = new Map(
      [...manifests].map(([name, { dependencies = {}, devDependencies = {} }]) => [
        name,
        [...oursOf({ dependencies }), ...oursOf({ devDependencies }).filter(isPrivate)],
      ]),
    );
    const ways = (name: string) => needed.get(name) ?? [];
    const isDirect = (name: string, to: string) =>
      !ways(name).some((by) => by !== to && closureOf(needed, [by]).has(to));
    const arrows = names.flatMap((name) =>
      ways(name)
        .filter((to) => isDirect(name, to))
        .map((to) => `${name} --> ${to}`),
    );
    const [, drawing = ''] =
      /```mermaid\n(.*?)```/s.exec(readFileSync(at('docs/architecture.md'), 'utf8')) ?? [];
    const drawn = Array.from(drawing.matchAll(/^ {2}(\S+) --> (.+)$/gm), ([, from, to = '']) =>
      to.split(' & ').map((each) => `${from} --> ${each}`),
    );
    expect(drawn.flat().toSorted()).toEqual(arrows.toSorted());
  });

  it('have one version of each npm package', () => {
    const all = [manifestIn(''), ...manifests.values()].flatMap(({ dependencies, devDependencies }) =>
      Object.entries({ ...dependencies, ...devDependencies }),
    );
    const differs = ([name, version]: readonly [string, string]) =>
      all.some(([other, another]) => other === name && another !== version);
    expect(all.length).toBeGreaterThan(50);
    expect(all.filter(differs)).toEqual([]);
  });
});

it('the core needs four npm packages', () => {
  expect(Object.keys(manifests.get('core')?.dependencies ?? {})).toEqual([
    '@simplewebauthn/server',
    'qrcode-svg',
    'saxes',
    'zod',
  ]);
});

/** `*`, `**` and `{a,b}` of a pattern of vitest. */
const patternOf = (glob: string): RegExp => {
  const parts = glob.split(/(\*\*\/|\*|\{[^}]*\})/).map((part) => {
    if (part === '**/') return '(?:.+/)?';
    if (part === '*') return '[^/]*';
    if (part.startsWith('{')) return `(?:${part.slice(1, -1).replaceAll('*', '[^/]*').split(',').join('|')})`;
    return part.replaceAll('.', '\\.');
  });
  return new RegExp(`^${parts.join('')}$`);
};

/** The packages of others are links, which lead round in circles. */
function testsBelow(folder: string): readonly string[] {
  return readdirSync(at(`${folder}/`), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : testsBelow(path);
    return path.endsWith('.test.ts') ? [path] : [];
  });
}

describe('a lane of tests', () => {
  const tests = ['packages', 'test', 'examples'].flatMap(testsBelow);

  it.each(['vitest.projects.ts', 'vitest.runtime.config.ts', 'vitest.quick.config.ts'])(
    '%s names tests that there are',
    (config) => {
      const text = readFileSync(at(config), 'utf8');
      const globs = Array.from(
        text.matchAll(/'((?:packages|test|examples)\/[^']+\.test\.ts)'/g),
        ([, glob = '']) => glob,
      );
      expect(globs).not.toEqual([]);
      expect(globs.filter((glob) => !tests.some((test) => patternOf(glob).test(test)))).toEqual([]);
    },
  );
});
