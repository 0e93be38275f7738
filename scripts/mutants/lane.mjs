/** One process of tests that stays for many mutants, and is replaced where a mutant hangs or spoils it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** For the start of a process, which loads the tools. */
const startMilliseconds = 120_000;

export class Lane {
  #copy;
  #name;
  #child;
  #server;
  #connection;
  #answers;
  /** Of the processes that have ended, in seconds. */
  #processorTime = 0;
  /** Why there was no answer last. */
  fault = '';

  constructor(copy, name) {
    this.#copy = copy;
    this.#name = name;
  }

  /**
   * Runs one test file.
   * @param job `mutant` (0: none), `file`, `only` (names of tests), `records` (which guards each test reaches), `patience` of a test
   * @returns what failed and what was reached; undefined: it did not end in `within` milliseconds, or the process ended
   */
  async run(job, within) {
    if (!this.#child) await this.#start();
    const { file, ...rest } = job;
    this.#connection.write(`${JSON.stringify({ ...rest, file: join(this.#copy, file) })}\n`);
    const began = performance.now();
    const answer = await this.#answer(within);
    if (answer) return answer;
    const hasHung = performance.now() - began >= within;
    this.fault = hasHung ? `does not end in ${within / 1000} s` : 'ends its process';
    await this.stop();
    return undefined;
  }

  async #start() {
    const path = join(this.#copy, `${this.#name}.sock`);
    const server = createServer();
    server.listen(path);
    await once(server, 'listening');
    const log = openSync(join(this.#copy, `${this.#name}.log`), 'w');
    this.#child = spawn(
      process.execPath,
      [
        join(this.#copy, 'node_modules/vitest/vitest.mjs'),
        'run',
        '--config',
        'scripts/mutants/vitest.config.mjs',
      ],
      {
        cwd: this.#copy,
        detached: true, // a group of its own, to end with all that the tests have started
        stdio: ['ignore', log, log],
        env: {
          ...process.env,
          WATCHWORD_MUTANTS_SOCKET: path,
          WATCHWORD_MUTANT_FILE: join(this.#copy, `${this.#name}.reached`),
        },
      },
    );
    this.#server = server;
    const connected = once(server, 'connection');
    const ended = once(this.#child, 'exit').then(() => []);
    const [connection] = await Promise.race([connected, ended, later(startMilliseconds, [])]);
    if (!connection) throw new Error(`no test process starts: see ${this.#copy}/${this.#name}.log`);
    connection.on('error', () => undefined);
    this.#connection = connection;
    this.#answers = createInterface(connection)[Symbol.asyncIterator]();
    if (!(await this.#answer(startMilliseconds))) throw new Error('the test process does not answer');
  }

  /** Seconds that the processes of this lane and those that they started have computed. */
  get processorTime() {
    return this.#processorTime + (this.#child ? processorTimeOf(this.#child.pid) : 0);
  }

  async #answer(within) {
    const { value } = await Promise.race([this.#answers.next(), later(within, {})]);
    return value === undefined ? undefined : JSON.parse(value);
  }

  /** Ends the process with all that it has started. */
  async stop() {
    const child = this.#child;
    if (!child) return;
    this.#child = undefined;
    this.#processorTime += processorTimeOf(child.pid);
    const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // it has ended
    }
    await ended;
    this.#connection?.destroy();
    await new Promise((closed) => this.#server.close(closed));
  }
}

/** Seconds that a group of processes has computed, with their children that have ended (proc_pid_stat(5)). */
function processorTimeOf(group) {
  let ticks = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const [state, , of, ...rest] = readFileSync(`/proc/${pid}/stat`, 'latin1')
        .replace(/^.*\) /s, '')
        .split(' ');
      if (state !== undefined && Number(of) === group)
        for (const time of rest.slice(8, 12)) ticks += Number(time);
    } catch {
      // it has ended
    }
  }
  return ticks / 100;
}

function later(milliseconds, value) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds, value).unref());
}
