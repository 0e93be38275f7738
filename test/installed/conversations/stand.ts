/** Both servers of the packed packages, installed in an empty folder, with every door open: what the conversations talk to. */
import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createManager, createWebServices, type Manager, type WebServices } from '@watchword/client';
import { nodeTransport } from '@watchword/client/node';
import { freePorts, readMessage } from '@watchword/core/testing/bed';
import { Agent, fetch, type RequestInit, type Response } from 'undici';
import { type Ended, openInstallation } from '../installation.ts';

export const admin = { username: 'ada', password: 'the first Pa55word' };
export const wiki = {
  ...{ id: 'wiki', secret: 'the-secret-of-the-wiki' },
  ...{ callback: 'https://wiki.example.com/callback', afterLogout: 'https://wiki.example.com/bye' },
};
export const smsAccount = { username: 'portal' };

export interface Person {
  readonly dn: string;
  readonly username: string;
  readonly password: string;
  /** The secret of the TOTP token in slot 1. */
  readonly secret: Buffer;
  /** The next TOTP code by oathtool: each is newer than the one before, and inside the window. */
  nextCode(): string;
}

export interface Stand {
  readonly folder: string;
  readonly addresses: { readonly manager: string; readonly ws: string; readonly ldap: string };
  /** PEM file of the authority of both servers. */
  readonly caFile: string;
  readonly manager: Manager;
  readonly web: WebServices;
  /** The password of `smsAccount`. */
  readonly smsPassword: string;
  /** A request that trusts the authority of the servers and follows no redirect. */
  send(url: string, request?: RequestInit): Promise<Response>;
  /** Creates and activates a user with a TOTP token. */
  person(username: string, settings?: Readonly<Record<string, string>>): Promise<Person>;
  /** Waits for a message whose text the pattern is found in. @returns what was found */
  message(pattern: RegExp): Promise<string>;
  /** Runs a command of the installation to its end. */
  run(command: string, ...args: readonly string[]): Promise<Ended>;
  /** Reloads the web services. @returns the line of the log that says what came of it */
  reload(): Promise<string>;
  /** Writes a file of the installation. */
  write(name: string, text: string): Promise<void>;
  close(): Promise<readonly Ended[]>;
}

const base = 'dc=example,dc=com';

/** The configuration file of the web services. */
export const ownFile = 'watchword-ws.yaml';

export async function openStand(): Promise<Stand> {
  const [managerPort, wsPort, ldapPort] = await freePorts(3);
  const installation = await openInstallation('npm', {
    WATCHWORD_MANAGER__PORT: `${managerPort}`,
    WATCHWORD_WS__PORT: `${wsPort}`,
  });
  await installation.write('first-password', `${admin.password}\n`);
  const terms = ['--base', base, '--name', admin.username, '--password-file', 'first-password'];
  await installation.run('watchword-manager', 'init', '--config', 'watchword.yaml', ...terms);
  const { output } = await installation.run('watchword-ws', '--make-sms-account');
  const [, smsPassword = '', hash = ''] = /^(\w{24})$[\s\S]*hash: "(\S+)"/m.exec(output) ?? [];
  const settings = {
    ...{ ldap_door: { ldaps_port: ldapPort }, trusted_callers: ['127.0.0.1'] },
    ...{ metrics_clients: ['127.0.0.1'], relying_party: { id: 'localhost' } },
    sms_accounts: { [smsAccount.username]: { hash } },
    openid_clients: { [wiki.id]: openIdClient() },
    settings: { 'Otp.PasswordReset': 'Yes', 'Otp.SelfRegister': 'Yes' },
    ...Object.fromEntries(
      ['mail', 'sms', 'push'].map((kind) => [kind, { type: 'folder', folder: 'messages' }]),
    ),
  };
  const made = await readFile(join(installation.folder, 'watchword.yaml'), 'utf8');
  const lines = Object.entries(settings).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  // A file of their own for the web services: what one conversation changes there, no command of another one reads.
  for (const name of ['watchword.yaml', ownFile])
    await installation.write(name, `${made}\n${lines.join('\n')}\n`);
  // As systemd starts them: both at the same time.
  const servers = await Promise.all([
    installation.serve('watchword-manager', '--config', 'watchword.yaml'),
    installation.serve('watchword-ws', '--config', ownFile),
  ]);
  const caFile = join(installation.folder, 'data', 'ca.pem');
  const ca = await readFile(caFile, 'utf8');
  const agent = new Agent({ connect: { ca } });
  const transport = nodeTransport({ ca });
  const addresses = {
    manager: `https://localhost:${managerPort}/`,
    ws: `https://localhost:${wsPort}/`,
    ldap: `ldaps://localhost:${ldapPort}`,
  };
  const manager = createManager({ url: `${addresses.manager}manag/`, ...admin, fetch: transport.fetch });
  return {
    ...{ folder: installation.folder, addresses, caFile, manager, smsPassword },
    web: createWebServices({ url: addresses.ws, fetch: transport.fetch }),
    send: (url, request = {}) => fetch(url, { dispatcher: agent, redirect: 'manual', ...request }),
    person: (username, own = {}) => makePerson(manager, username, own),
    message: (pattern) => readMessage(join(installation.folder, 'messages'), pattern),
    run: installation.run,
    write: installation.write,
    reload: async () => (await servers[1]?.reload()) ?? '',
    close: async () => {
      await Promise.all([agent.close(), transport.close()]);
      const ended = await Promise.all(servers.map((server) => server.stop()));
      await installation.close();
      return ended;
    },
  };
}

const openIdClient = () => ({
  sha256: createHash('sha256').update(wiki.secret).digest('hex'),
  redirect_uris: [wiki.callback],
  post_logout_redirect_uris: [wiki.afterLogout],
});

async function makePerson(
  manager: Manager,
  username: string,
  settings: Readonly<Record<string, string>>,
): Promise<Person> {
  const dn = `uid=${username},ou=people,${base}`;
  const password = `${username}-Pa55word-of-mine`;
  const attrs = {
    ...{
      objectclass: ['inetOrgPerson', 'webadmAccount'],
      cn: username,
      sn: 'Tester',
      userpassword: password,
    },
    ...{ mail: `${username}@example.com`, mobile: '+491512345678' },
  };
  await manager.Create_LDAP_Object({ dn, attrs });
  const secret = randomBytes(20);
  await manager.Otp.TOTP_Register({ dn, key: secret.toString('base64') });
  if (Object.keys(settings).length > 0) await manager.Set_User_Settings({ dn, settings });
  return { dn, username, password, secret, nextCode: codesOf(secret) };
}

/** In seconds, RFC 6238. */
const step = 30;

function codesOf(secret: Buffer): () => string {
  let last = 0;
  return () => {
    last = Math.max(last + 1, Math.floor(Date.now() / 1000 / step) - 1);
    const at = ['--totp', `--now=@${last * step}`, secret.toString('hex')];
    return execFileSync('oathtool', at, { encoding: 'utf8', env: { ...process.env, TZ: 'UTC' } }).trim();
  };
}

/** What a door or a feature has to answer when somebody uses it from beginning to end. */
export interface Conversation {
  /** The applications, by their names in the configuration, that it talks to. */
  readonly about: readonly string[];
  /** Registers the tests. @param stand is open when a test runs */
  readonly tests: (stand: () => Stand) => void;
}
