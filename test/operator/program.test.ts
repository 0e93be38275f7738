/** `watchword-manager` typed at a real terminal, and beside a server that runs: processes, none of them mocked. */
import { copyFile, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createManager } from '@watchword/client';
import { nodeTransport } from '@watchword/client/node';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { buildProgram, type Program, start, type } from './program.ts';

const [first, second] = ['the password of the first day', 'the password of the second day'];
let program: Program;
beforeAll(async () => {
  program = await buildProgram();
});
afterAll(() => program.dispose());

/** `watchword-manager`, to its end. */
const asked = (...args: readonly string[]) => start(args, program.command).ended;

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchword-operator-'));
  file = join(folder, 'watchword.yaml');
});
afterEach(() => rm(folder, { recursive: true }));

const enter = '\r';
const interrupt = '\x03';

it('a password is typed at a terminal and not shown, and an administrator comes of it', async () => {
  const result = await type(
    [...program.command, 'init', '-c', file],
    [
      ['Base', `dc=example,dc=com${enter}`],
      ['Login name', `anna${enter}`],
      ['Password', `short${enter}`],
      ['Password', `${first}${enter}`],
      ['same again', `${first}${enter}`],
    ],
  );
  expect(result.code).toBe(0);
  expect(result.output).toContain('It has fewer than 15 characters.');
  expect(result.output).toContain('uid=anna,ou=people,dc=example,dc=com is the administrator');
  expect(result.output).not.toContain(first);
});

it('Ctrl-C at the password ends it, and nobody was made', async () => {
  const typed = [
    ['Base', `dc=example,dc=com${enter}`],
    ['Login name', enter],
    ['Password', interrupt],
  ] as const;
  const result = await type([...program.command, 'init', '-c', file], typed);
  expect([result.code, result.output]).toEqual([1, expect.stringContaining('Stopped before all was said.')]);
  const again = await asked('export-ldif', '-c', file);
  expect(again.output).not.toContain('uid=');
});

it('a new password counts at once in a server that runs, and a backup is taken beside it', async () => {
  const password = join(folder, 'password');
  await writeFile(password, first, { mode: 0o600 });
  const secret = ['--password-file', password];
  expect((await asked('init', '-c', file, '--base', 'dc=example,dc=com', ...secret)).code).toBe(0);
  await writeFile(file, (await readFile(file, 'utf8')).replace('port: 4443', 'port: 0'), { mode: 0o600 });
  const server = start(['--config', file], program.command);
  const url = (await server.prints(/https:\S+(?=\n)/)).replace(/\/$/, '');
  const ca = await readFile(join(folder, 'data', 'ca.pem'), 'utf8');
  const { fetch, close } = nodeTransport({ ca });
  const count = (as: string) =>
    createManager({ url: `${url}/manag/`, username: 'admin', password: as, fetch })
      .Count_Activated_Users()
      .then(String, (error: unknown) => (error instanceof Error && 'reason' in error ? error.reason : error));
  expect(await count(first)).toBe('0');
  await writeFile(password, second);
  expect(await asked('reset-admin', '-c', file, ...secret)).toMatchObject({ code: 0, errors: '' });
  expect([await count(second), await count(first)]).toEqual(['0', 'credentials_refused']);
  const manager = createManager({ url: `${url}/manag/`, username: 'admin', password: second, fetch });
  const add = (number: number) =>
    manager.Create_LDAP_Object({
      dn: `uid=user${number},ou=people,dc=example,dc=com`,
      attrs: { objectclass: ['inetOrgPerson'], cn: ['x'], sn: ['x'] },
    });
  const adding = Array.from({ length: 100 }, (_, number) => add(number));
  expect(await asked('backup', '-c', file, join(folder, 'copy'))).toMatchObject({ code: 0, errors: '' });
  await Promise.all(adding);
  await writeFile(
    file,
    (await readFile(file, 'utf8')).replace('manager_session: 300', 'manager_session: 60'),
  );
  server.child.kill('SIGHUP');
  await server.logs(/configuration reloaded/);
  expect(await count(second)).toBe('0');
  await close();
  server.child.kill('SIGTERM');
  expect(await server.ended).toMatchObject({
    code: 0,
    errors: expect.stringMatching(/configuration reloaded .*changed=.*manager_session/),
  });

  await rename(join(folder, 'data'), join(folder, 'lost'));
  await rename(join(folder, 'copy'), join(folder, 'data'));
  await copyFile(join(folder, 'lost', 'keys'), join(folder, 'data', 'keys'));
  const restored = await asked('export-ldif', '-c', file);
  expect([restored.code, restored.output]).toEqual([0, expect.stringContaining('uid=admin,')]);
});
