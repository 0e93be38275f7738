/**
 * The test runner of `npm run test:mutants`: one process runs test file after test file, each with the mutant that it is asked for,
 * and so loads the sources once. It asks for work over a socket.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { createConnection } from 'node:net';
import { createInterface } from 'node:readline';
import { TestRunner } from 'vitest';
import './switch.mjs';

const state = globalThis.watchwordMutant;
const { WATCHWORD_MUTANTS_SOCKET: socket = '', WATCHWORD_MUTANT_FILE: reachedFile = '' } = process.env;

export default class MutantTestRunner extends TestRunner {
  #connection = createConnection(socket);
  #lines = createInterface(this.#connection)[Symbol.asyncIterator]();
  /** What is run; undefined: the file that the process begins with. */
  #job;
  #failure;
  #reached = [];
  #began = 0;

  constructor(config) {
    super(config);
    const note = (error) => {
      this.#failure ??= { test: 'unhandled', message: String(error) };
    };
    process.on('unhandledRejection', note).on('uncaughtException', note);
  }

  onBeforeCollect() {
    this.#failure = undefined;
    this.#reached = [];
    this.cancelRun = false;
    this.#began = performance.now();
  }

  async onBeforeRunTask(test) {
    const { only, records } = this.#job ?? {};
    if (only && !only.includes(nameOf(test))) test.mode = 'skip';
    if (records) this.#noteReached('');
    await super.onBeforeRunTask(test);
    test.began = performance.now();
  }

  onAfterRunTask(test) {
    super.onAfterRunTask(test);
    const milliseconds = performance.now() - (test.began ?? 0);
    if (this.#job?.records) this.#noteReached(nameOf(test), milliseconds);
    if (test.result?.state !== 'fail') return;
    this.#fail(test);
  }

  async onAfterRunFiles(files) {
    super.onAfterRunFiles(files);
    for (const file of files) this.#failedIn(file);
    if (this.#job?.records) this.#noteReached('');
    const answer = {
      pid: process.pid,
      failure: this.#failure,
      reached: this.#reached,
      milliseconds: performance.now() - this.#began,
    };
    this.#connection.write(`${JSON.stringify(answer)}\n`);
    const { value, done } = await this.#lines.next();
    if (done) {
      this.#connection.end();
      return;
    }
    this.#begin(JSON.parse(value));
  }

  /** The process goes on with what is pushed here. */
  #begin(job) {
    this.#job = job;
    state.active = job.mutant;
    state.reached = job.records ? new Set() : undefined;
    process.env.WATCHWORD_MUTANT = String(job.mutant);
    if (job.records) process.env.WATCHWORD_MUTANT_REACHED = reachedFile;
    else delete process.env.WATCHWORD_MUTANT_REACHED;
    this.config.testTimeout = job.patience;
    this.config.hookTimeout = job.patience;
    this.workerState.ctx.files.push({ filepath: job.file, testLocations: undefined });
  }

  #fail(task) {
    this.#failure ??= { test: nameOf(task), message: task.result?.errors?.[0]?.message ?? '' };
    this.cancelRun = true;
  }

  #failedIn(task) {
    if (task.result?.state === 'fail') this.#fail(task);
    for (const each of task.tasks ?? []) this.#failedIn(each);
  }

  /** Guards that were reached since the last time, by this process and by those that a test has started. */
  #noteReached(test, milliseconds = 0) {
    const ids = [...(state.reached ?? [])];
    if (existsSync(reachedFile)) {
      for (const line of readFileSync(reachedFile, 'utf8').split('\n')) if (line) ids.push(Number(line));
      rmSync(reachedFile);
    }
    state.reached?.clear();
    if (test !== '' || ids.length > 0) this.#reached.push({ test, ids, milliseconds });
  }
}

/** The titles around a test and its own. */
function nameOf(test) {
  const names = [];
  for (let at = test; at; at = at.suite) names.unshift(at.name);
  return names.join(' > ');
}
