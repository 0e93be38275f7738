/**
 * What was packed and installed in an empty folder (scripts/packed.mjs), run as a user without rights: nobody if we are
 * root, ourselves if not.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

const packed = fileURLToPath(new URL('../../node_modules/.watchword/packed/', import.meta.url));
export const tarballs = join(packed, 'tarballs');

/** Of nobody; undefined where we cannot become somebody else. */
export const stranger = process.getuid?.() === 0 ? 65_534 : undefined;

/** Ends with us, however we end. */
const asStranger = (command: readonly string[]): [string, ...string[]] => [
  'setpriv',
  ...(stranger === undefined ? [] : [`--reuid=${stranger}`, `--regid=${stranger}`, '--clear-groups']),
  ...['--pdeathsig', 'KILL', ...command],
];

export interface Ended {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

export interface Server {
  /** As it says: `https://127.0.0.1:4443/`. */
  readonly url: string;
  /** SIGHUP, as `systemctl reload` sends it. @returns the line of the log that says what came of it */
  reload(): Promise<string>;
  /** SIGTERM. */
  stop(): Promise<Ended>;
}

export interface Installation {
  /** Where it was installed, and where commands run. */
  readonly folder: string;
  /** Writes a file of the stranger's, which nobody else may read. */
  write(name: string, text: string): Promise<void>;
  /** Unpacks a compressed tar archive into a new folder that belongs to the stranger. */
  unpack(archive: string, name: string): Promise<void>;
  /** Runs one of its commands, or node, to the end. */
  run(command: string, ...args: readonly string[]): Promise<Ended>;
  /** Starts one of its servers on a free port. */
  serve(command: string, ...args: readonly string[]): Promise<Server>;
  close(): Promise<void>;
}

/** Where packages of a name are in the folder of an installation. */
export const placeOf = (name: string): string => join('node_modules', name);

const anyPorts = { WATCHWORD_MANAGER__PORT: '0', WATCHWORD_WS__PORT: '0' };

/**
 * Copies the installation that a package manager made with this version of Node.
 *
 * @param settings of the environment of its commands; preset: servers on any free ports
 */
export async function openInstallation(
  manager: 'npm' | 'pnpm' = 'npm',
  settings: Readonly<Record<string, string>> = anyPorts,
): Promise<Installation> {
  const source = join(packed, `${manager}-${process.version}`);
  if (!existsSync(source)) throw new Error(`There is no ${source}; make it: node scripts/packed.mjs`);
  const folder = await mkdtemp(join(tmpdir(), 'watchword-installed-'));
  // Nine thousand files: Node takes four times as long.
  await run('cp', ['--archive', `${source}/.`, folder]);
  if (stranger !== undefined) await run('chown', ['-R', `${stranger}:${stranger}`, folder]);
  const start = (command: string, args: readonly string[]) =>
    started({ folder, settings }, [command, ...args]);
  return {
    folder,
    write: async (name, text) => {
      await writeFile(join(folder, name), text, { mode: 0o600 });
      if (stranger !== undefined) await chown(join(folder, name), stranger, stranger);
    },
    unpack: async (archive, name) => {
      await mkdir(join(folder, name));
      await run('tar', ['-C', join(folder, name), '-xzf', archive]);
      if (stranger !== undefined) await run('chown', ['-R', `${stranger}:${stranger}`, join(folder, name)]);
    },
    run: async (command, ...args) => start(command, args).ended,
    serve: async (command, ...args) => {
      const { child, ended, output, errors } = start(command, args);
      const url = await Promise.race([listening(child, output), ended.then(failure)]);
      const stop = () => {
        child.kill('SIGTERM');
        return ended;
      };
      const reload = async () => {
        const seen = reloads(errors()).length;
        child.kill('SIGHUP');
        while (reloads(errors()).length === seen) await once(child.stderr, 'data');
        return reloads(errors())[seen] ?? '';
      };
      return { url, reload, stop };
    },
    close: () => rm(folder, { recursive: true }),
  };
}

interface Surroundings {
  readonly folder: string;
  readonly settings: Readonly<Record<string, string>>;
}

function started({ folder, settings }: Surroundings, [command = '', ...args]: readonly string[]) {
  const file = command === 'node' ? process.execPath : join('node_modules/.bin', command);
  const [program, ...words] = asStranger([file, ...args]);
  const child = spawn(program, words, {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const texts = { output: '', errors: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    texts.output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    texts.errors += text;
  });
  const ended = once(child, 'close').then(([code]): Ended => ({ code, ...texts }));
  return { child, ended, output: () => texts.output, errors: () => texts.errors };
}

const reloads = (log: string): readonly string[] =>
  log.match(/^.*configuration (?:was not )?reloaded.*$/gm) ?? [];

async function listening({ stdout }: ChildProcess, output: () => string): Promise<string> {
  for (;;) {
    const [, url] = /listens on (\S+)\n/.exec(output()) ?? [];
    if (url !== undefined) return url;
    if (stdout) await once(stdout, 'data');
  }
}

function failure({ code, errors }: Ended): never {
  throw new Error(`ended with ${code} before it listened: ${errors}`);
}
