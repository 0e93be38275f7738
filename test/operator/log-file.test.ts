/** The log of servers in a file that is rotated while they answer requests. */
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { askStatus, type Ground, openGround, type Served } from '../configuration/ground.ts';

let ground: Ground;
let web: Served;
let path: string;
beforeAll(async () => {
  ground = await openGround('embedded');
  path = join(ground.folder, 'server.log');
  await ground.write({ log: { file: 'server.log', format: 'json' } });
  web = await ground.serve('watchword-ws');
});
afterAll(() => ground.dispose());

/** Waits until the file at the path has a line with these words. */
const hasLine = (words: string) =>
  expect.poll(() => readFile(path, 'utf8').catch(() => ''), { timeout: 20_000 }).toContain(words);

it('writes to the new file after a rotation and SIGHUP, also with a configuration that is wrong', async () => {
  await hasLine('listens on');
  await rename(path, `${path}.1`);
  await writeFile(path, '', { mode: 0o640 });
  expect(await askStatus(web)).toBe(200);
  await ground.write({ log: { file: 'server.log', format: 'json' }, websrv: {} });
  web.child.kill('SIGHUP');
  await hasLine('the configuration was not reloaded');
  await ground.write({ log: { file: 'server.log', format: 'json' } });
  web.child.kill('SIGHUP');
  await hasLine('configuration reloaded');
  await rename(path, `${path}.2`);
  const { code, errors } = (await web.stop()) as Awaited<Served['ended']>;
  expect([code, errors]).toEqual([0, '']);
  const files = await Promise.all([1, 2].map((number) => readFile(`${path}.${number}`, 'utf8')));
  const messages = files.map((text) =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => String(JSON.parse(line).message)),
  );
  expect(messages[0]?.some((message) => message.includes('listens on'))).toBe(true);
  expect(messages[1]?.at(-1)).toBe('stopping');
});
