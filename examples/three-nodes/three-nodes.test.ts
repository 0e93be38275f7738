/** The example does what it says: the login that it prints succeeds once, also when two nodes and a slapd are killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { run } from '../../packages/core/src/testing/bed/scratch.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

let child: ChildProcess;
let logged = '';
beforeAll(async () => {
  child = spawn(process.execPath, ['scripts/example.mjs', 'three-nodes/three-nodes.ts'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    logged += text;
  });
  while (!logged.includes('Ctrl-C')) {
    if (child.exitCode !== null || !child.stdout) throw new Error(`it ended: ${logged}`);
    await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  }
});
afterAll(() => void child.kill('SIGKILL'));

/** What is told below a sentence, as it is typed. */
const typed = (start: string): string =>
  new RegExp(`^  ${start}[^]*?(?=\\n\\n)`, 'm').exec(logged)?.[0] ?? '';
const shell = async (command: string) => (await run('bash', ['-c', command])).stdout;

it('logs in with a code, and not again', async () => {
  const login = typed('curl');
  // A code of one moment: the second time it is the same one.
  const fixed = login.replace(/\$\(oathtool[^)]*\)/, await shell(/oathtool[^)]*/.exec(login)?.[0] ?? ''));
  expect(JSON.parse(await shell(fixed))).toMatchObject({ code: 1 });
  expect(JSON.parse(await shell(fixed))).toMatchObject({ code: 0 });
});

it('goes on when two nodes and a slapd are killed, and ends as a whole', async () => {
  const kills = typed('kill').split('\n');
  await shell(kills.filter((line) => /node [12]|slapd 1/.test(line)).join('\n'));
  const login = typed('curl').replace(/--totp/, '--totp --now "+30 seconds"');
  expect(JSON.parse(await shell(login))).toMatchObject({ code: 1 });
  const ended = once(child, 'exit');
  child.kill('SIGINT');
  expect(await ended).toEqual([0, null]);
  const rest = kills.map((line) => /kill -9 (\d+)/.exec(line)?.[1]).filter(Boolean);
  expect(
    await shell(`for pid in ${rest.join(' ')}; do kill -0 $pid 2>/dev/null && echo $pid; done; true`),
  ).toBe('');
});
