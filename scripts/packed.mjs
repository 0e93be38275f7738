/**
 * Packs every package that is published and installs what was packed, as a stranger would: in an empty folder, as a
 * user without rights, where all engines must run on this Node. The tests in test/installed only start what is here.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  ensurePortal,
  isStamped,
  pnpm,
  root,
  sourceState,
  stamp,
  stampBuilt,
  stamps,
  stepBeside,
} from './workspace.mjs';

const folder = join(stamps, 'packed');
const tarballs = join(folder, 'tarballs');
/** Those on which most others wait come first. */
const published = [
  'core',
  'client',
  'node',
  'ldap',
  'embedded',
  'pki',
  'postgres',
  'gateways',
  'openid',
  'engines',
  'server-manager',
  'server-ws',
];
/** nobody, where we may become somebody else. */
const stranger = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** True if what was packed, and so each `dist` with its declarations, is of these sources. */
export const arePacked = () => isStamped('tarballs', sourceState(), tarballs);

/** @returns folder with `tarballs/` and, for this version of Node, `npm-VERSION/` and `pnpm-VERSION/` */
export async function ensurePacked() {
  const state = sourceState();
  if (!isStamped('tarballs', state, tarballs)) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(tarballs, { recursive: true });
    ensurePortal(); // the servers take its files along
    await packAll(state);
    stamp('tarballs', state);
  }
  await Promise.all(['npm', 'pnpm'].map((manager) => ensureInstallation(manager, state)));
}

/** Packs each package once those are packed whose types it is built with, two at a time. */
async function packAll(state) {
  const left = new Set(published);
  const running = new Map();
  const isPacked = (name) => !left.has(name) && !running.has(name);
  while (left.size + running.size > 0) {
    const ready = [...left].filter((name) => dependenciesOf(name).every(isPacked));
    for (const name of ready.slice(0, 2 - running.size)) {
      left.delete(name);
      running.set(
        name,
        pack(name, state).then(() => running.delete(name)),
      );
    }
    await Promise.race(running.values());
  }
}

function dependenciesOf(name) {
  const { dependencies = {} } = JSON.parse(
    readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'),
  );
  return Object.keys(dependencies).map((each) => each.replace('@watchword/', ''));
}

/** What is packed is built for it, with types. */
async function pack(name, state) {
  const cwd = join(root, 'packages', name);
  await stepBeside(`Packing ${name}`, 'npx', [...pnpm, 'pack', '--pack-destination', tarballs], { cwd });
  stampBuilt(name, state);
}

async function ensureInstallation(manager, state) {
  const name = `${manager}-${process.version}`;
  const place = join(folder, name);
  if (isStamped(name, state, place)) return;
  const home = mkdtempSync(join(tmpdir(), 'watchword-packed-'));
  try {
    const project = prepareProject(home);
    // Proxies and authorities of this machine hold for the stranger, too; folders of ours do not.
    const env = { ...process.env, HOME: home, npm_config_cache: join(home, '.npm') };
    await stepBeside(`Installing what was packed, with ${manager}`, ...installing[manager], {
      cwd: project,
      env,
      timeout: 300_000,
      ...stranger,
    });
    rmSync(place, { recursive: true, force: true });
    cpSync(project, place, { recursive: true, verbatimSymlinks: true });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
  stamp(name, state);
}

/** `engine-strict` refuses a package that does not name this Node among those that it runs on. */
const installing = {
  npm: ['npm', ['install', '--engine-strict', '--no-audit', '--no-fund']],
  pnpm: ['npx', [...pnpm, 'install', '--config.engine-strict=true']],
};

/** A folder with nothing but the tarballs and a manifest that names them. */
function prepareProject(home) {
  const project = join(home, 'project');
  cpSync(tarballs, join(project, 'tarballs'), { recursive: true });
  const dependencies = Object.fromEntries(
    readdirSync(tarballs).map((file) => [nameOf(file), `file:./tarballs/${file}`]),
  );
  writeFileSync(
    join(project, 'package.json'),
    JSON.stringify({ private: true, type: 'module', dependencies }),
  );
  // pnpm has to be told where packed packages find one another, as no registry has them, and that nothing is to be
  // compiled: the binaries of lmdb are packages of their own. JSON is YAML.
  const settings = { overrides: dependencies, allowBuilds: { lmdb: false, 'msgpackr-extract': false } };
  writeFileSync(join(project, 'pnpm-workspace.yaml'), JSON.stringify(settings));
  const { uid, gid } = stranger;
  if (uid !== undefined) spawnSync('chown', ['-R', `${uid}:${gid}`, home]);
  return project;
}

/** `watchword-server-ws-0.1.0.tgz` is @watchword/server-ws. */
const nameOf = (file) => file.replace(/^watchword-(.+)-[^-]+\.tgz$/, '@watchword/$1');

if (process.argv[1] === fileURLToPath(import.meta.url)) await ensurePacked();
