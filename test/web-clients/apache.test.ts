/** OpenID Connect by Apache's mod_auth_openidc: a site for users who have logged in here, and a part of it for a group. */
import { type ChildProcess, spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  boundToUs,
  type Fixture,
  freePorts,
  openFixture,
  type Person,
  scratchFolder,
} from '@watchword/core/testing/bed';
import { openIdEngine } from '@watchword/openid';
import { Agent, Response, request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accepting } from '../../packages/core/src/testing/bed/scratch.ts';
import { BrowserTab } from '../installed/conversations/browser-tab.ts';
import { type Served, serveToClients } from './served.ts';

const secret = 'the-secret-of-apache-0123456789';
const help = 'help-me-37';

/** The claims that the page shows of its reader. */
const page =
  '<!--#echo var="REMOTE_USER" -->|<!--#echo var="OIDC_CLAIM_groups" -->|<!--#echo var="OIDC_CLAIM_email" -->';

const configuration = ({ folder, port, issuer, ca }: Record<'folder' | 'port' | 'issuer' | 'ca', string>) => `
ServerRoot ${folder}
PidFile apache.pid
Listen 127.0.0.1:${port}
ServerName localhost
KeepAlive Off
${['mpm_prefork', 'authn_core', 'authz_core', 'authz_user', 'env', 'dir', 'mime', 'include', 'auth_openidc']
  .map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`)
  .join('\n')}
TypesConfig /dev/null
DocumentRoot ${folder}/www
ErrorLog error.log
OIDCProviderMetadataURL ${issuer}/.well-known/openid-configuration
OIDCClientID apache
OIDCClientSecret ${secret}
OIDCRedirectURI http://localhost:${port}/app/redirect
OIDCCryptoPassphrase of-this-test-alone
OIDCCABundlePath ${ca}
OIDCPKCEMethod S256
OIDCScope "openid profile email groups"
OIDCRemoteUserClaim preferred_username
OIDCCacheShmEntrySizeMax 33280
<Directory ${folder}/www>
  Options +Includes
  AddType text/html .shtml
  AddOutputFilter INCLUDES .shtml
  Require all granted
</Directory>
<Location /app/>
  AuthType openid-connect
  Require valid-user
</Location>
<Location /app/staff/>
  Require claim groups:staff
</Location>
`;

let folder: string;
let fixture: Fixture;
let served: Served;
let apache: ChildProcess;
let agent: Agent;
let site: string;

beforeAll(async () => {
  const [port = 0, wsPort = 0] = await freePorts(2);
  site = `http://localhost:${port}`;
  fixture = await openFixture({
    config: {
      ws_url: `https://localhost:${wsPort}`,
      limits: { login_failure_delay_ms: 0 },
      openid_clients: {
        apache: {
          sha256: hash('sha256', secret),
          redirect_uris: [`${site}/app/redirect`],
          post_logout_redirect_uris: [`${site}/bye.html`],
          groups: 'name',
        },
      },
    },
    ports: () => ({ openid: openIdEngine }),
  });
  // The module looks at the times of tokens by the clock of the machine.
  fixture.clock.advance(Date.now() - fixture.clock.now());
  const { alice, bob } = fixture.users;
  const attrs = { objectclass: 'groupOfNames', member: [alice.dn] };
  await fixture.call('Create_LDAP_Object', { dn: `cn=staff,ou=groups,${fixture.base}`, attrs });
  for (const { dn } of [alice, bob]) {
    await fixture.call('Activate_LDAP_Object', { dn });
    await fixture.call('Otp.Emerg_Register', { dn, otp: help, expires: 86_400 });
  }
  served = await serveToClients(fixture, wsPort);
  agent = new Agent({ connect: { ca: await readFile(served.ca, 'utf8') } });
  folder = await scratchFolder('apache');
  await mkdir(join(folder, 'www/app/staff'), { recursive: true });
  const files = { 'bye.html': 'bye', 'app/index.shtml': page, 'app/staff/index.shtml': `staff ${page}` };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, 'www', name), text);
  const terms = { folder, port: `${port}`, issuer: `https://localhost:${wsPort}/openid`, ca: served.ca };
  await writeFile(join(folder, 'apache.conf'), configuration(terms));
  // One process, which changes no user: it ends with this one, however that ends.
  const [command, ...args] = boundToUs(['/usr/sbin/apache2', '-X', '-f', join(folder, 'apache.conf')]);
  apache = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  await accepting(port);
});
afterAll(async () => {
  if (apache) {
    const ended = once(apache, 'exit');
    apache.kill('SIGTERM');
    await ended;
  }
  await agent?.close();
  await served?.close();
  await rm(folder, { recursive: true });
});

/** As a browser that opens pages asks: the module refuses scripts instead of sending them to a login. */
const navigating = { accept: 'text/html', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };

/** @param see each address that the browser asks */
const openTab = (see: (url: string) => unknown = () => undefined) =>
  new BrowserTab({
    addresses: { manager: site, ws: served.url },
    send: async (url, { method = 'GET', headers, body } = {}) => {
      see(url);
      const answer = await request(url, {
        ...{ dispatcher: agent, method: method === 'POST' ? 'POST' : 'GET' },
        headers: { ...(headers as Record<string, string>), ...navigating, ...(body ? form : {}) },
        body: body ? String(body) : null,
      });
      const text = await answer.body.text();
      const result = Object.entries(answer.headers).flatMap(([name, values = []]) =>
        [values].flat().map((value): [string, string] => [name, value]),
      );
      return new Response(text, {
        status: answer.statusCode,
        headers: result,
      });
    },
  });

/** Comes to the page by a login with both factors. @returns the page, or the one that refuses */
async function logIn(tab: BrowserTab, { username, password }: Person) {
  const asked = await tab.submit(await tab.open(`${site}/app/index.shtml`), { username, password });
  expect(asked.text).toContain('name="code"');
  return tab.submit(asked, { code: help });
}

describe('a site behind Apache', () => {
  it('is read after a login, by its user, with groups and mail', async () => {
    const tab = openTab();
    const read = await logIn(tab, fixture.users.alice);
    expect(read).toEqual({
      url: `${site}/app/index.shtml`,
      status: 200,
      text: 'alice|staff|alice@example.org',
    });
    expect((await tab.open(`${site}/app/staff/index.shtml`)).text).toBe(
      'staff alice|staff|alice@example.org',
    );
  });

  it('is closed where the group of the user is wanted and is another', async () => {
    const tab = openTab();
    expect((await logIn(tab, fixture.users.bob)).text).toMatch(/^bob\|/);
    expect((await tab.open(`${site}/app/staff/index.shtml`)).status).toBe(401);
  });

  it('is not read with a wrong password, a wrong code or no login', async () => {
    const { username, password } = fixture.users.alice;
    const tab = openTab();
    const page = await tab.open(`${site}/app/index.shtml`);
    const wrong = await tab.submit(page, { username, password: 'wrong' });
    expect([new URL(wrong.url).origin, wrong.text.includes('name="password"')]).toEqual([
      new URL(served.url).origin,
      true,
    ]);
    const asked = await tab.submit(wrong, { username, password });
    expect((await tab.submit(asked, { code: 'wrong' })).text).not.toContain('alice|');
    expect((await tab.open(`${site}/app/index.shtml`)).text).not.toContain('alice|');
  });

  it('takes no answer that another browser asked for', async () => {
    const answers: string[] = [];
    const tab = openTab((url) => url.includes('code=') && answers.push(url));
    await logIn(tab, fixture.users.alice);
    const [answer = ''] = answers;
    expect(answer).toContain(`${site}/app/redirect?`);
    expect((await openTab().open(answer)).text).not.toContain('alice|');
  });

  it('is closed after the logout, which ends the session here, too', async () => {
    const tab = openTab();
    await logIn(tab, fixture.users.alice);
    const leaving = await tab.open(`${site}/app/redirect?logout=${encodeURIComponent(`${site}/bye.html`)}`);
    expect((await tab.submit(leaving, { logout: 'yes' })).text).toBe('bye');
    const again = await tab.open(`${site}/app/index.shtml`);
    expect(again.text).toContain('name="password"');
  });
});
