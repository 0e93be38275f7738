/** The guide of SSH: what it types is typed, and a real sshd runs with its lines. */
import { execFile } from 'node:child_process';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { makePlace, startSshd } from '../../examples/ssh/sshd.ts';
import { makesApiKey } from './api-key.ts';
import { runGuide } from './guide.ts';
import { openStand, type Stand } from './stand.ts';

const program = fileURLToPath(new URL('../../examples/ssh/authorized-keys.mjs', import.meta.url));

/** The folders of the SSH server, in the reader's. */
const onServer = (text: string, { folder }: Stand): string =>
  text
    .replaceAll('/usr/local/lib/watchword-ssh', join(folder, 'lib'))
    .replaceAll('/etc/watchword-ssh', join(folder, 'etc'))
    .replaceAll('/var/lib/watchword-ssh', join(folder, 'kept'));

async function expectInstalled(text: string, stand: Stand): Promise<void> {
  for (const name of ['lib', 'etc', 'kept']) await mkdir(join(stand.folder, name));
  await copyFile(program, join(stand.folder, 'lib', 'authorized-keys.mjs'));
  await copyFile(join(stand.folder, 'data', 'ca.pem'), join(stand.folder, 'etc', 'ca.pem'));
  await stand.shell.run('echo "$API_KEY" > etc/api-key');
  const address = stand.here('https://localhost:8443/');
  const configuration = onServer(text, stand).replace('https://login.example.com:8443/', address);
  await writeFile(join(stand.folder, 'etc', 'config.json'), configuration);
}

const run = promisify(execFile);

/** Counts from the next start of the servers. */
async function admitAccount({ folder }: Stand): Promise<void> {
  const file = join(folder, 'data/watchword.yaml');
  const settings = 'settings:\n  SshKey.ReservedNames: nobody';
  await writeFile(file, (await readFile(file, 'utf8')).replace(/^settings:$/m, settings));
}

/** Of an account, by the whole configuration: `Match` decides. */
async function commandFor(account: string, lines: string, { folder }: Stand): Promise<string> {
  const file = join(folder, 'sshd_config');
  await writeFile(file, lines);
  const where = `user=${account},host=localhost,addr=127.0.0.1`;
  makePlace();
  const { stdout } = await run('/usr/sbin/sshd', ['-T', '-f', file, '-C', where]);
  return /^authorizedkeyscommand (.*)$/m.exec(stdout)?.[1] ?? '';
}

/** Whoever runs the test is the user, and the account: root for one, whom the guide keeps out. */
async function expectLogin(text: string, stand: Stand): Promise<void> {
  const { username } = userInfo();
  for (const account of ['root', 'daemon', 'www-data', 'systemd-resolve', '_apt'])
    expect([account, await commandFor(account, text, stand)]).toEqual([account, 'none']);
  expect(await commandFor('alice', text, stand)).toMatch(/authorized-keys\.mjs .* %u$/);
  const dn = `uid=${username},ou=people,dc=example,dc=org`;
  const manag = async (method: string, params: object) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const curl = `curl -sS --cacert data/ca.pem -u "admin:$PASSWORD" https://localhost:4443/manag/ -d '${body}'`;
    return JSON.parse(await stand.shell.run(stand.here(curl)));
  };
  const attrs = { objectclass: ['inetOrgPerson', 'webadmAccount'], cn: 'Reader', sn: 'Reader' };
  expect(await manag('Create_LDAP_Object', { dn, attrs })).toMatchObject({ result: 1 });
  const { result: key } = await manag('SshKey.Key_Register', { dn, type: 'RSA', size: 2048 });
  const lines = onServer(text.replace(`,!${username},`, ','), stand)
    .replace('/usr/bin/node', `/usr/bin/env ${process.execPath}`)
    .replace('AuthorizedKeysCommandUser watchword-ssh', `AuthorizedKeysCommandUser ${username}`);
  const sshd = await startSshd(lines.split('\n'));
  expect(await sshd.ssh(String(key), 'echo $SSHKEY_USERNAME')).toBe(`${username}\n`);
  await manag('SshKey.Key_Unregister', { dn });
  expect(await sshd.ssh(String(key), 'true')).toBe(undefined);
  await sshd.close();
}

runGuide<Stand>('docs/guide/ssh.md', {
  open: openStand,
  runners: {
    'Make an API key for your SSH servers/sh': async (block, stand) => {
      await admitAccount(stand);
      await makesApiKey('sshkey')(block, stand);
    },
    'Have sshd ask/json': ({ text }, stand) => expectInstalled(text, stand),
    sshd_config: ({ text }, stand) => expectLogin(text, stand),
  },
});
