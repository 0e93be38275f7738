/** What the quick start prints, as a person uses it: pasted into a shell, scanned, typed. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { DemoToken } from '../src/index.ts';

const run = promisify(execFile);

export const curlLines = (output: string): string[] =>
  Array.from(output.matchAll(/^ {2}(curl .*)$/gm), ([, line]) => line ?? '');

/** What a shell prints for a line. */
export async function paste(line = ''): Promise<string> {
  const { stdout } = await run('/bin/sh', ['-c', line.replace('curl ', 'curl --silent ')]);
  return stdout;
}

/** The lines of an output that are drawn in half blocks; empty: there are none. */
export const qrCode = (output: string): string =>
  (output.match(/^(?:\x1b\[[\d;]*m)*[█▀▄ ]{21,}(?:\x1b\[0m)?$/gm) ?? []).join('\n');

/** The code of a moment in the words of date(1). */
export async function oathtool(
  { secret, algorithm, digits, period }: DemoToken,
  moment: string,
): Promise<string> {
  const shape = [`--totp=${algorithm}`, `--digits=${digits}`, `--time-step-size=${period}s`];
  const { stdout } = await run('oathtool', [...shape, `--now=${moment}`, '--base32', secret]);
  return stdout.trim();
}
