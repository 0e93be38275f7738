/** The operating guide: its lines of the log are logged, its keys changed, its licence signed, its proxy asked. */
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Block, textOf } from './blocks.ts';
import { checkConfiguration, runGuide, typeBlock } from './guide.ts';
import { whileProxying } from './nginx.ts';
import { runExample } from './program.ts';
import { openStand, type Stand } from './stand.ts';

/** The reader has read the other guide: alice has a certificate. */
async function openWithCertificate(): Promise<Stand> {
  const stand = await openStand();
  await runExample('enroll-user-certificate/enroll.ts', ['data/quickstart.json', 'alice'], stand);
  await stand.shell.run('cp data/alice-certificate.pem alice.pem');
  return stand;
}

const call = (method: string, params: object, { shell, here }: Stand) => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const curl = `curl -sS --cacert data/ca.pem -u "admin:$PASSWORD" https://localhost:4443/manag/ -d '${body}'`;
  return shell.run(here(curl));
};

/** What differs from one line to the next: moment, address and transaction. */
const shape = (line: string): string =>
  line
    .replace(
      /^[^[]*\[[\d :-]+\] \[[^\]]+\] \[Manager:[A-Z0-9]{8}\]/,
      '[moment] [address] [Manager:transaction]',
    )
    .trim();

async function logIn(stand: Stand): Promise<string> {
  const form = `-d username=alice --data-urlencode "ldapPassword=$ALICE_PASSWORD" -d otpPassword=${stand.nextCode()}`;
  return stand.shell.run(
    stand.here(`curl -sS --cacert data/ca.pem https://localhost:8443/otp/json/otpNormalLogin/ ${form}`),
  );
}

const granted = '"Authentication success"';

runGuide<Stand>('docs/guide/operating.md', {
  open: openWithCertificate,
  runners: {
    text: async ({ text }: Block, stand) => {
      await call(
        'Set_User_Password',
        { dn: 'uid=bob,ou=people,dc=example,dc=org', password: 'b0b-Pa55word' },
        stand,
      );
      expect(stand.logged.map(shape)).toContainEqual(expect.stringContaining(shape(text)));
    },
    // Its commands are typed for installed servers by in-production.test.ts.
    'Change settings while the server runs/sh': ({ text }) => {
      const typed = textOf('docs/guide/in-production.md');
      for (const line of text.trim().split('\n')) expect(typed).toContain(`${line}\n`);
    },
    'Rotate the keys/sh': async (block, stand) => {
      const before = await readFile(join(stand.folder, 'data/keys'), 'utf8');
      await typeBlock(block, stand);
      const after = await readFile(join(stand.folder, 'data/keys'), 'utf8');
      expect(after.split('\n').slice(1).join('\n')).toBe(before);
      await stand.restart({});
      expect(await logIn(stand)).toContain(granted);
    },
    'Watch the servers/yaml': async (block, stand) => {
      checkConfiguration(block);
      await stand.restart({ WATCHWORD_METRICS_CLIENTS: '127.0.0.1' });
    },
    'Limit users by a licence/yaml': async (block, stand) => {
      checkConfiguration(block);
      const file = (name: string) => join(stand.folder, name);
      await stand.restart({
        WATCHWORD_LICENSE__FILE: file('license.json'),
        WATCHWORD_LICENSE__KEY: file('issuer.pem'),
      });
      expect(await call('Get_License_Details', {}, stand)).toContain('"customer_id":"Example Ltd"');
    },
    'Keep the log in a file/conf': async ({ text }: Block, { folder, shell }) => {
      const { username } = userInfo();
      const logs = join(folder, 'logs');
      const own = text
        .replace('/var/log/watchword', logs)
        .replaceAll('watchword watchword', `${username} ${username}`)
        .replace('systemctl reload watchword-manager watchword-ws', `touch ${join(folder, 'reloaded')}`);
      await mkdir(logs, { mode: 0o750 });
      await writeFile(join(logs, 'watchword.log'), 'a line\n');
      await writeFile(join(folder, 'rotation'), own, { mode: 0o600 });
      await shell.run(
        `/usr/sbin/logrotate --force --state ${join(folder, 'rotated')} ${join(folder, 'rotation')}`,
      );
      expect(await readFile(join(logs, 'watchword.log.1'), 'utf8')).toBe('a line\n');
      expect((await stat(join(logs, 'watchword.log'))).mode & 0o777).toBe(0o640);
      expect((await stat(join(folder, 'reloaded'))).size).toBe(0);
    },
    nginx: async ({ text }: Block, stand) => {
      await stand.restart({
        WATCHWORD_REVERSE_PROXIES: '127.0.0.1',
        WATCHWORD_PROXY_HEADERS__CERTIFICATE: 'Client-Cert',
      });
      await whileProxying(text, stand, async (url) => {
        const curl = `curl -sS --cacert nginx/login.pem ${url}`;
        expect(await stand.shell.run(`${curl}otp?wsdl`)).toContain('location="https://localhost/otp/"');
        const form = `-d username=alice --data-urlencode "ldapPassword=$ALICE_PASSWORD" -d otpPassword=${stand.nextCode()}`;
        expect(await stand.shell.run(`${curl}otp/json/otpNormalLogin/ ${form}`)).toContain(granted);
      });
      await stand.restart({ WATCHWORD_WS_URL: 'https://login.example.com' });
      const wsdl = await stand.shell.run(
        stand.here('curl -sS --cacert data/ca.pem https://localhost:8443/otp?wsdl'),
      );
      expect(wsdl).toContain('location="https://login.example.com/otp/"');
    },
  },
});
