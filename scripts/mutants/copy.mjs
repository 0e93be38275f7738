/** A copy of the checkout with mutants in its sources: a run that is ended leaves the checkout as it was. */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { root } from '../workspace.mjs';
import { mutantsOf } from './guards.mjs';

/** In memory where there is a file system for it. */
const place = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** @returns path of the copy */
export function copyOfCheckout() {
  const copy = mkdtempSync(join(place, 'watchword-mutants-'));
  const options = { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 };
  const listed = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], options);
  for (const path of listed.split('\0')) {
    if (path === '' || !existsSync(join(root, path))) continue;
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    cpSync(join(root, path), join(copy, path), { verbatimSymlinks: true });
  }
  linkPackages(copy);
  return copy;
}

/** The packages of others are those of the checkout; our own are those of the copy, to which their relative links lead. */
function linkPackages(copy) {
  const modules = join(copy, 'node_modules');
  mkdirSync(modules);
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name === '@watchword') copyLinks('node_modules/@watchword', copy);
    else symlinkSync(join(root, 'node_modules', name), join(modules, name));
  }
  for (const folder of ['packages', 'examples'])
    for (const name of readdirSync(join(root, folder))) copyLinks(`${folder}/${name}/node_modules`, copy);
  for (const name of readdirSync(join(root, 'packages'))) {
    const built = join(root, 'packages', name, 'dist');
    if (existsSync(built)) symlinkSync(built, join(copy, 'packages', name, 'dist'));
  }
}

function copyLinks(path, copy) {
  if (existsSync(join(root, path)))
    cpSync(join(root, path), join(copy, path), { recursive: true, verbatimSymlinks: true });
}

/** Puts the mutants of these files into the copy. @returns them; the number of a mutant is its place, from 1 on */
export function plantMutants(files, copy) {
  const planted = [];
  for (const file of files) {
    const { mutants, instrument } = mutantsOf(file, readFileSync(join(root, file), 'utf8'));
    const from = relative(dirname(file), 'scripts/mutants/switch.mjs');
    writeFileSync(join(copy, file), instrument(planted.length + 1, from));
    planted.push(...mutants);
  }
  return planted.map((mutant, index) => ({ ...mutant, id: index + 1 }));
}
