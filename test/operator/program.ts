/** The Manager's program as an operator runs it: a process, from the sources, with or without a terminal. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { boundToUs } from '@watchword/core/testing/bed';
import { build } from 'tsup';

const root = new URL('../../', import.meta.url);
/** Where what is built finds the engines that are not built with it. */
const place = fileURLToPath(new URL('packages/core/node_modules/.test-children', root));

export interface Program {
  /** What stands before the arguments of `watchword-manager`. */
  readonly command: readonly string[];
  /** The module of each program, by its name. */
  readonly modules: Readonly<Record<'watchword-manager' | 'watchword-ws', string>>;
  dispose(): Promise<void>;
}

/** Builds both programs from the sources as they are, without declarations. */
export async function buildProgram(): Promise<Program> {
  await mkdir(place, { recursive: true });
  const outDir = await mkdtemp(join(place, 'operator-'));
  const source = (name: string) => fileURLToPath(new URL(`packages/${name}/src/main.ts`, root));
  await build({
    ...{ outDir, format: 'esm', silent: true, config: false, splitting: true, dts: false },
    entry: { 'watchword-manager': source('server-manager'), 'watchword-ws': source('server-ws') },
    noExternal: [/^@watchword\//],
    external: [/^@?(?!watchword\/)[a-z]/],
    outExtension: () => ({ js: '.mjs' }),
    esbuildOptions: (options) => {
      options.conditions = ['watchword-source'];
    },
  });
  const modules = {
    'watchword-manager': join(outDir, 'watchword-manager.mjs'),
    'watchword-ws': join(outDir, 'watchword-ws.mjs'),
  };
  return {
    command: [process.execPath, modules['watchword-manager']],
    modules,
    dispose: () => rm(outDir, { recursive: true }),
  };
}

/**
 * A command that gets `kill -9` as soon as it has told a line of this kind for the n-th time: at the same place however slow or busy
 * the machine is, where whoever reads the line would kill it too late.
 */
export function killedWhenItTells(
  [node = '', ...rest]: readonly string[],
  line: RegExp,
  times = 1,
): readonly string[] {
  const code = `
let left = ${times};
for (const stream of [process.stdout, process.stderr]) {
  const write = stream.write.bind(stream);
  stream.write = (text, ...more) => {
    const isSent = write(text, ...more);
    if (${line}.test(text) && --left === 0) process.kill(process.pid, 'SIGKILL');
    return isSent;
  };
}`;
  return [node, '--import', `data:text/javascript,${encodeURIComponent(code)}`, ...rest];
}

export interface Ended {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

export interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves with the match of a pattern in standard output. */
  prints(pattern: RegExp): Promise<string>;
  /** Resolves with the match of a pattern in the standard error stream. */
  logs(pattern: RegExp): Promise<string>;
}

/** @param command what stands before the arguments */
export function start(args: readonly string[], [command = '', ...before]: readonly string[]): Started {
  const [bound, ...all] = boundToUs([command, ...before, ...args]);
  const child = spawn(bound, all, { stdio: ['ignore', 'pipe', 'pipe'] });
  const printed = { output: '', errors: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed.output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    printed.errors += text;
  });
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...printed }));
  const match = async (stream: 'output' | 'errors', pattern: RegExp): Promise<string> => {
    for (;;) {
      const [found] = pattern.exec(printed[stream]) ?? [];
      if (found !== undefined) return found;
      const next = await Promise.race([
        once(stream === 'output' ? child.stdout : child.stderr, 'data'),
        ended,
      ]);
      if ('code' in next) throw new Error(`It ended: ${next.errors}`);
    }
  };
  return {
    ...{ child, ended },
    prints: (pattern) => match('output', pattern),
    logs: (pattern) => match('errors', pattern),
  };
}

/** Python's pty: a real terminal, at which each line is typed when its question is there. */
const typist = `
import json, os, pty, sys
command, lines = json.loads(sys.argv[1]), json.loads(sys.argv[2])
child, terminal = pty.fork()
if child == 0:
    os.execv(command[0], command)
shown, asked = b'', 0
while True:
    try:
        piece = os.read(terminal, 4096)
    except OSError:
        break
    if not piece:
        break
    shown += piece
    if asked < len(lines) and shown.count(b': ', shown.rfind(b'\\n') + 1) and lines[asked][0].encode() in shown[shown.rfind(b'\\n') + 1:]:
        os.write(terminal, lines[asked][1].encode())
        asked += 1
_, status = os.waitpid(child, 0)
sys.stdout.buffer.write(shown)
sys.exit(os.waitstatus_to_exitcode(status))
`;

/** @param typed questions, by a part of them, and the keys that answer them. @returns all that the terminal showed */
export function type(
  command: readonly string[],
  typed: readonly (readonly [question: string, keys: string])[],
): Promise<Ended> {
  return start([JSON.stringify(command), JSON.stringify(typed)], ['/usr/bin/python3', '-c', typist]).ended;
}
