/** Installing and building the workspace, only when something has changed since the last time. */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtSo } from './package-build.mjs';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
export const pnpm = ['-y', 'pnpm@12.21.0'];
/** What was made of which state of the sources, and what tests find ready. */
export const stamps = join(root, 'node_modules', '.watchword');

/** Installs the npm packages of the lockfile. */
export function ensureInstalled() {
  const state = digest(['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', ...manifests()]);
  if (isStamped('installed', state)) return;
  step('Installing npm packages', 'npx', [...pnpm, 'install', '--frozen-lockfile', '--reporter=silent']);
  stamp('installed', state);
}

/** Compiles what runs; declarations of types are made where packages are packed. */
export function ensureBuilt() {
  const state = sourceState();
  // The portal first: the servers take its files along.
  const missing = ['portal', ...packages().filter((each) => each !== 'portal')].filter(
    (name) => !isBuilt(name, state),
  );
  if (missing.length === 0) return;
  announce('Building (once; the next start is quick)');
  const together = builtSo(join(root, 'packages'));
  for (const name of missing.filter((each) => !together.includes(each))) build(name, state);
  const some = missing.filter((each) => together.includes(each));
  if (some.length === 0) return;
  // No other one: what is packed has declarations, and a build of what runs removes them.
  const env = { ...process.env, BUILT_PACKAGES: some.join(' ') };
  run(bin('tsup'), ['--config', join('scripts', 'packages.tsup.config.ts')], { env });
  for (const name of some) stampBuilt(name, state);
}

/** The files that browsers are served, made of the sources of the portal. */
export function ensurePortal() {
  const state = sourceState();
  if (isBuilt('portal', state)) return;
  announce('Building the portal');
  build('portal', state);
}

const isBuilt = (name, state) => isStamped(`built-${name}`, state, join(root, 'packages', name, 'dist'));

/** What runs of a package was made of this state. */
export const stampBuilt = (name, state) => stamp(`built-${name}`, state);

function build(name, state) {
  const cwd = join(root, 'packages', name);
  if (existsSync(join(cwd, 'tsup.config.ts'))) run(bin('tsup'), ['--no-dts'], { cwd });
  else run(process.execPath, [join('build', 'build.mjs')], { cwd });
  stampBuilt(name, state);
}

/** Path of a program of the workspace's packages. */
export const bin = (name) => join(root, 'node_modules', '.bin', name);

/** Runs a command with its output on standard error; ends this process with a sentence if it fails. */
export function step(title, command, args, options = {}) {
  announce(title);
  run(command, args, options);
}

/** The same beside others: what it says is told if it fails. */
export async function stepBeside(title, command, args, options = {}) {
  announce(title);
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], ...options });
  const said = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => said.push(bytes));
  const status = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  if (status !== 0) fail(command, args, `${Buffer.concat(said)}\n`);
}

function announce(title) {
  process.stderr.write(`${title} …\n`);
}

function run(command, args, { quiet = true, ...options } = {}) {
  const result = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', quiet ? 'pipe' : 2, quiet ? 'pipe' : 2],
    ...options,
  });
  if (result.status === 0) return;
  fail(command, args, quiet ? `${result.stdout ?? ''}${result.stderr ?? ''}\n` : '');
}

function fail(command, args, output) {
  process.stderr.write(`${output}Failed: ${command} ${args.join(' ')}\n`);
  process.exit(1);
}

function packages() {
  return readdirSync(join(root, 'packages'));
}

function manifests() {
  const files = ['package.json', 'tsup.config.ts', 'vite.config.ts'];
  return packages().flatMap((name) => files.map((file) => `packages/${name}/${file}`));
}

function sources() {
  return packages()
    .flatMap((name) => filesBelow(`packages/${name}/src`))
    .filter((path) => !/\.test\.tsx?$/.test(path));
}

function filesBelow(folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesBelow(`${folder}/${entry.name}`) : [`${folder}/${entry.name}`],
  );
}

function digest(paths) {
  const hash = createHash('sha256');
  for (const path of paths.toSorted()) {
    if (existsSync(join(root, path))) hash.update(path).update(readFileSync(join(root, path)));
  }
  return hash.digest('hex');
}

/** A digest of all that packages are built from. */
export function sourceState() {
  const texts = packages().flatMap((name) => [
    `packages/${name}/README.md`,
    ...filesBelow(`packages/${name}/build`),
  ]);
  const own = [
    'tsconfig.base.json',
    '.pnpmfile.mjs',
    'LICENSE',
    'scripts/server-bundle.mjs',
    'scripts/package-build.mjs',
  ];
  return digest([...manifests(), ...texts, ...own, ...sources()]);
}

/** True if this was made of this state, and all that was made is there. */
export function isStamped(name, state, ...made) {
  const path = join(stamps, name);
  return existsSync(path) && readFileSync(path, 'utf8') === state && made.every((place) => existsSync(place));
}

export function stamp(name, state) {
  mkdirSync(stamps, { recursive: true });
  writeFileSync(join(stamps, name), state);
}
