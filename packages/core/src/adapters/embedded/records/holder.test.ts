/** Who still holds what a process held. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { isGone, thisProcess } from './holder.ts';

const numbered = (number: number | undefined, start?: string): string => {
  const [namespace, , mine] = thisProcess.split(' ');
  return `${namespace} ${number} ${start ?? mine}`;
};

it('a process that runs is not gone', () => {
  expect(isGone(thisProcess)).toBe(false);
});

it('a process that has ended is gone', async () => {
  const child = spawn(process.execPath, ['--eval', '']);
  await once(child, 'exit');
  expect(isGone(numbered(child.pid))).toBe(true);
});

it.runIf(process.platform === 'linux')('a process is not another one that has its number now', () => {
  expect(isGone(numbered(process.pid, '1'))).toBe(true);
});

it('of a process whose number another container gave it nothing can be told', () => {
  expect(isGone(`pid:[1] 2147483646 1`)).toBe(false);
});
