/** Large changes of the embedded directory in what was packed: the file of their process is there, and runs. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Installation, openInstallation } from './installation.ts';

let installation: Installation;
beforeAll(async () => {
  installation = await openInstallation();
});
afterAll(() => installation.close());

const program = `
import processes from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import { basename } from 'node:path';
import { openDirectory, openEnvironment } from '@watchword/embedded';
import { systemClock, systemRandom } from '@watchword/node';
import { Dn } from '@watchword/core/dn';

const { fork } = processes;
processes.fork = (file, ...rest) => {
  console.log('starts', basename(file));
  return fork(file, ...rest);
};
syncBuiltinESMExports();

const base = Dn.parse('dc=example,dc=org');
const environment = await openEnvironment('large');
const ports = { clock: systemClock, random: systemRandom };
const { service } = await openDirectory(environment, { base }, ports);
const group = base.child([{ type: 'cn', value: 'everybody' }]);
const members = Array.from({ length: 3000 }, (_, n) => 'uid=' + n + ',dc=example,dc=org');
await service.add(group, new Map([['objectclass', ['groupOfNames']], ['member', members]]));
console.log((await service.read(group)).attributes.get('member').length);
await environment.close();
`;

it('are made by a process of their own', async () => {
  await installation.write('large.mjs', program);
  const ended = await installation.run('node', 'large.mjs');
  expect(ended).toEqual({ code: 0, output: 'starts large-changes-program.js\n3000\n', errors: '' });
});
