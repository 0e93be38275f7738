import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { bundle } from '../../../core/src/testing/bed/children/test-child.ts';
import { hasEnded, thisProcess } from './holder.ts';

const numbered = (number: number | undefined, start?: string): string => {
  const [namespace, , mine] = thisProcess.split(' ');
  return `${namespace} ${number} ${start ?? mine}`;
};

it('returns false for a process that runs', () => {
  expect(hasEnded(thisProcess)).toBe(false);
});

it('returns true for a process that has ended', async () => {
  const child = spawn(process.execPath, ['--eval', '']);
  await once(child, 'exit');
  expect(hasEnded(numbered(child.pid))).toBe(true);
});

it.runIf(process.platform === 'linux')('returns true when another process has the PID now', () => {
  expect(hasEnded(numbered(process.pid, '1'))).toBe(true);
});

it.runIf(process.platform === 'linux')(
  'never returns false again while an ended process is removed',
  async () => {
    const program = await bundle(new URL('../testing/watching-child.ts', import.meta.url));
    const watching = program.start();
    await once(watching, 'message');
    for (let round = 0; round < 30; round += 1) {
      const child = spawn('sleep', ['60']);
      await once(child, 'spawn');
      const [, start] = /^(?:\S+ ){21}(\d+) /.exec(await readFile(`/proc/${child.pid}/stat`, 'latin1')) ?? [];
      watching.send(numbered(child.pid, start));
      // The child checks it while it ends.
      await sleep(5);
      child.kill('SIGKILL');
      expect(await once(watching, 'message')).toEqual([false, undefined]);
    }
    watching.disconnect();
    await program.dispose();
  },
);

it('returns false for a process of another namespace', () => {
  expect(hasEnded(`pid:[1] 2147483646 1`)).toBe(false);
});
