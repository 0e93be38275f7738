/** Both servers as they are built and shipped, on one throwaway slapd and one data folder, in processes that are looked into. */
import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePorts, type Slapd, scratchFolder, startSlapd } from '@watchword/core/testing/bed';
import { readKeyRing } from '@watchword/node';
import { type Inspected, startInspected } from './inspected.ts';
import { entries } from './people.ts';

export const wiki = {
  ...{ id: 'wiki', secret: 'the-secret-of-the-wiki' },
  callback: 'https://wiki.example.com/callback',
};

export interface Servers {
  readonly base: string;
  /** PEM of the authority of both. */
  readonly ca: string;
  readonly addresses: { readonly manager: string; readonly ws: string; readonly ldapPort: number };
  readonly admin: { readonly username: string; readonly password: string };
  readonly ws: Inspected;
  readonly manager: Inspected;
  stop(): Promise<void>;
}

/** What the units of systemd set for the programs: they are looked at as they are run. */
async function unitEnvironment(): Promise<Record<string, string>> {
  const unit = await readFile(new URL('../../deploy/watchword-ws.service', import.meta.url), 'utf8');
  const [line = ''] = /(?<=^Environment=).*$/m.exec(unit) ?? [];
  return Object.fromEntries(line.split(' ').map((one) => [one.split('=')[0], one.replace(/^[^=]*=/, '')]));
}

const programOf = (name: string) =>
  new URL(`../../packages/server-${name}/dist/main.js`, import.meta.url).pathname;

export async function startServers(): Promise<Servers> {
  const folder = await scratchFolder('soak');
  const data = join(folder, 'data');
  await mkdir(data, { mode: 0o700 });
  const keysFile = join(folder, 'keys');
  const base = 'dc=example,dc=org';
  const slapd = await startSlapd({
    ...{ ldif: entries(base, readKeyRing(keysFile)), unchecked: true },
    // As docs/guide/directories.md says.
    indexes: ['uniqueMember,memberUid eq', 'webadmSettings pres'],
  });
  await writeFile(join(folder, 'slapd-ca.pem'), slapd.ca);
  const [managerPort = 0, wsPort = 0, ldapPort = 0] = await freePorts(3);
  const ports = { manager: managerPort, ws: wsPort, ldap: ldapPort };
  const config = join(folder, 'watchword.yaml');
  // JSON is YAML.
  await writeFile(config, JSON.stringify(configurationOf(slapd, { folder, keysFile, ports })), {
    mode: 0o600,
  });
  const terms = { arguments: ['--config', config], environment: await unitEnvironment() };
  const ws = await startInspected(programOf('ws'), terms);
  const manager = await startInspected(programOf('manager'), terms);
  return {
    ...{ base, ws, manager, admin: { username: slapd.adminDn, password: slapd.adminPassword } },
    ca: await readFile(join(data, 'ca.pem'), 'utf8'),
    addresses: {
      manager: `https://localhost:${ports.manager}/`,
      ws: `https://localhost:${ports.ws}/`,
      ldapPort: ports.ldap,
    },
    stop: async () => {
      await Promise.all([ws.stop(), manager.stop()]);
      await slapd.stop();
      await rm(folder, { recursive: true });
    },
  };
}

interface Place {
  readonly folder: string;
  readonly keysFile: string;
  readonly ports: { readonly manager: number; readonly ws: number; readonly ldap: number };
}

function configurationOf(slapd: Slapd, { folder, keysFile, ports }: Place): object {
  const byPassword = { settings: { 'Otp.LoginMode': 'LDAP' } };
  return {
    ...{ manager_auth: 'DN', manager_session: 300, super_admins: [slapd.adminDn] },
    ...{ data: join(folder, 'data'), keys_file: keysFile, log: { level: 'error' } },
    domains: { Default: { base: slapd.base } },
    directory: {
      ...{ type: 'ldap', urls: [slapd.ldapsUrl], ca: join(folder, 'slapd-ca.pem'), base: slapd.base },
      ...{ bind_dn: slapd.readerDn, bind_password: slapd.readerPassword },
    },
    // It says where users are, and is believed; connections of others come from elsewhere on loopback.
    trusted_callers: ['127.0.0.1'],
    metrics_clients: ['127.0.0.1'],
    limits: { login_failure_delay_ms: 0 },
    manager: { port: ports.manager },
    ws: { port: ports.ws },
    ldap_door: { ldaps_port: ports.ldap, client: 'mail' },
    clients: { mail: byPassword, [wiki.id]: byPassword },
    openid_clients: {
      [wiki.id]: {
        sha256: createHash('sha256').update(wiki.secret).digest('hex'),
        redirect_uris: [wiki.callback],
      },
    },
  };
}
