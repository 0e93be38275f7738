/** A shell in which a reader types a guide: one bash from the first block to the last, in a folder of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'vitest';
import { boundToUs } from '../../packages/core/src/testing/bed/scratch.ts';

export interface Shell {
  /**
   * Types commands. @returns what they print on standard output
   * @throws with what they print on standard error where one of them fails, which ends the shell
   */
  run(commands: string): Promise<string>;
  close(): Promise<void>;
}

export interface ShellOptions {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** Every command has to succeed, also in a pipe, and every variable has to be there. */
const strict = 'set -euo pipefail\n';

export function openShell({ folder, environment }: ShellOptions): Shell {
  const { PATH = '' } = process.env;
  const env = { ...process.env, ...environment, PATH: `${folder}/bin:${PATH}`, HOME: folder };
  const [bash, ...args] = boundToUs(['/bin/bash']);
  // A group of its own: what it runs ends with it.
  const child = spawn(bash, args, { cwd: folder, env, stdio: ['pipe', 'pipe', 'pipe'], detached: true });
  const ended = once(child, 'close').then(() => undefined);
  child.stdin.on('error', () => undefined); // it has ended, and `ended` tells
  child.stdin.write(strict);
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  child.stdout.setEncoding('utf8');
  let typed = 0;
  let isBusy = false;
  const run = async (commands: string) => {
    typed += 1;
    isBusy = true;
    errors = '';
    const done = `[typed ${typed}]`;
    let output = '';
    const take = (text: string) => {
      output += text;
    };
    child.stdout.on('data', take);
    child.stdin.write(`${commands}\necho '${done}'\n`);
    while (!output.endsWith(`${done}\n`) && child.exitCode === null)
      await Promise.race([once(child.stdout, 'data'), ended]);
    child.stdout.off('data', take);
    isBusy = false;
    if (!output.endsWith(`${done}\n`)) throw new Error(`${commands}\nfailed: ${output}${errors}`);
    return output.slice(0, -`${done}\n`.length);
  };
  const close = async () => {
    if (isBusy && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL'); // the test gave it up
    child.stdin.end();
    await ended;
  };
  return { run, close };
}

export interface Step {
  readonly command: string;
  /** What the guide says is printed: the comment lines right behind the command. */
  readonly answer: string | undefined;
}

/** A block as steps: a command up to its answer, or to the end of the block. */
export function stepsOf(block: string): readonly Step[] {
  const steps: Step[] = [];
  let command = '';
  let answer = '';
  const finish = () => {
    if (command.trim() !== '') steps.push({ command, answer: answer === '' ? undefined : answer.trim() });
    [command, answer] = ['', ''];
  };
  for (const line of block.split('\n')) {
    const isAnswer = line.startsWith('# ') && command.trim() !== '' && !command.endsWith('\n\n');
    if (isAnswer) answer += `${line.slice(2)}\n`;
    else if (answer !== '') {
      finish();
      command = `${line}\n`;
    } else command += `${line}\n`;
  }
  finish();
  return steps;
}

/** Compares what was printed with what a guide says is printed, in which `…` stands for anything. */
export function expectPrinted(printed: string, said: string): void {
  const parsed = parse(said);
  if (parsed === undefined) expect(printed.trim()).toMatch(patternOf(said));
  else expect(JSON.parse(printed)).toEqual(withGaps(parsed));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function withGaps(said: unknown): unknown {
  if (said === '…') return expect.anything();
  if (typeof said === 'string') return said.includes('…') ? expect.stringMatching(patternOf(said)) : said;
  if (Array.isArray(said)) return said.map(withGaps);
  if (typeof said !== 'object' || said === null) return said;
  return Object.fromEntries(Object.entries(said).map(([key, value]) => [key, withGaps(value)]));
}

function patternOf(said: string): RegExp {
  const parts = said.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[\\s\\S]*')}$`);
}
