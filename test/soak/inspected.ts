/** A program of ours in a process whose memory is looked at: by V8's inspector, and by what the system says (proc(5)). */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, readFileSync } from 'node:fs';
import { finished } from 'node:stream/promises';
import { boundToUs } from '@watchword/core/testing/bed';
import { WebSocket } from 'undici';

/** Bytes. */
export interface Memory {
  /** Of V8's heap and of buffers outside of it, after a whole collection. */
  readonly heap: number;
  /** Of the process, without files. */
  readonly anonymous: number;
}

export interface Inspected {
  readonly pid: number;
  /** The lines of standard output that name an address. */
  readonly said: string;
  /** Collects all garbage and reads what is left. */
  memory(): Promise<Memory>;
  /** Writes a heap snapshot, as the developer tools of Chromium open it. */
  snapshot(file: string): Promise<void>;
  stop(): Promise<number | null>;
}

interface Terms {
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** @param program a built module that listens, and says so */
export async function startInspected(program: string, terms: Terms): Promise<Inspected> {
  const node = [process.execPath, '--inspect=127.0.0.1:0', ...terms.arguments.toSpliced(0, 0, program)];
  const [command, ...args] = boundToUs(node);
  const child = spawn(command, args, {
    env: { PATH: process.env.PATH, ...terms.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const debuggerAt = reading(child, 'stderr', /Debugger listening on (ws:\S+)/);
  const listens = reading(child, 'stdout', /listens on (https:\S+)/);
  const [inspector, said] = await Promise.all([debuggerAt.then(openInspector), listens]);
  const { pid = 0 } = child;
  return {
    ...{ pid, said },
    memory: async () => {
      // What finalizers let go of is collected by the next collection.
      for (let times = 0; times < 3; times += 1) await inspector.send('HeapProfiler.collectGarbage');
      return { heap: await inspector.held(), anonymous: anonymousOf(pid) };
    },
    snapshot: (file) => inspector.snapshot(file),
    stop: async () => {
      inspector.close();
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      const [code] = await ended;
      return code;
    },
  };
}

function anonymousOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  return Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}

/** Goes on reading, so that the program is never kept waiting. */
function reading(child: ChildProcess, from: 'stdout' | 'stderr', pattern: RegExp): Promise<string> {
  let text = '';
  return new Promise((resolve, reject) => {
    child[from]?.on('data', (chunk) => {
      if (text.length < 65_536) text += chunk;
      const [, found] = pattern.exec(text) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`ended with ${code} before it said ${pattern}: ${text}`)));
  });
}

interface Inspector {
  send(method: string, params?: object): Promise<Readonly<Record<string, unknown>>>;
  /** Bytes that JavaScript holds, as {@link Memory.heap} counts them. */
  held(): Promise<number>;
  snapshot(file: string): Promise<void>;
  close(): void;
}

/** The protocol of V8's inspector: JSON over a WebSocket. */
async function openInspector(url: string): Promise<Inspector> {
  const socket = new WebSocket(url);
  const waiting = new Map<number, (result: Readonly<Record<string, unknown>>) => void>();
  let take = (_chunk: string): unknown => undefined;
  let last = 0;
  socket.addEventListener('message', ({ data }) => {
    const { id, result, method, params } = JSON.parse(String(data));
    if (method === 'HeapProfiler.addHeapSnapshotChunk') take(params.chunk);
    waiting.get(id)?.(result ?? {});
    waiting.delete(id);
  });
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', () => reject(new Error(`nobody answers at ${url}`)));
  });
  const send: Inspector['send'] = (method, params = {}) =>
    new Promise((resolve) => {
      last += 1;
      waiting.set(last, resolve);
      socket.send(JSON.stringify({ id: last, method, params }));
    });
  return {
    send,
    held: async () => {
      const { result } = await send('Runtime.evaluate', {
        expression: 'JSON.stringify(process.memoryUsage())',
      });
      const { heapUsed, external } = JSON.parse(String(Object(result).value));
      return heapUsed + external;
    },
    snapshot: async (path) => {
      const file = createWriteStream(path);
      take = (chunk) => file.write(chunk);
      await send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
      await finished(file.end());
    },
    close: () => socket.close(),
  };
}
