/**
 * The Manager server as an operator runs it, over either directory, with an authority that was brought along: an
 * intermediate one whose root the server does not know.
 */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startServers } from '@watchword/cli';
import { Dn, readConfig, type ServerConfig } from '@watchword/core';
import { KeptLog } from '@watchword/core/testing';
import { type Openssl, openOpenssl, startSlapd } from '@watchword/core/testing/bed';
import { type Engines, openEngines } from '@watchword/engines';
import type { CertifiedKey } from '@watchword/pki';
import { managerCommand } from '@watchword/server-manager';

export interface Ground {
  /** In its folder stand the server's data and what curl is given. */
  readonly openssl: Openssl;
  readonly authority: CertifiedKey;
  readonly admin: { readonly dn: string; readonly password: string };
  /** In a mode of `manager_auth`, on the same data each time. @param more settings that differ */
  start(mode: ServerConfig['manager_auth'], more?: object): Promise<Running>;
  close(): Promise<void>;
}

export interface Running {
  readonly url: string;
  /** Of the server's own certificate. */
  readonly ca: string;
  readonly log: KeptLog;
  stop(): Promise<void>;
}

interface Place {
  readonly settings: object;
  readonly admin: Ground['admin'];
  /** Whatever has to be there before the first login. */
  prepare(engines: Engines): Promise<void>;
  stop(): Promise<void>;
}

const extensions = ['keyUsage = keyCertSign, cRLSign'];

export async function openGround(directory: keyof typeof places): Promise<Ground> {
  const openssl = await openOpenssl();
  const place = await places[directory](openssl.folder);
  const root = await openssl.certify('/CN=Root', { isAuthority: true, extensions });
  const authority = await openssl.certify('/CN=Issuing', { isAuthority: true, extensions, by: root });
  const file = async (name: string, text: string) => {
    await writeFile(join(openssl.folder, name), text, { mode: 0o600 });
    return join(openssl.folder, name);
  };
  const ca = {
    certificate: await file('issuing.pem', authority.certificate),
    key: await file('issuing.key', authority.key),
  };
  const data = join(openssl.folder, 'data');
  await mkdir(data, { mode: 0o700 });
  const configOf = (manager_auth: ServerConfig['manager_auth'], more: object) =>
    readConfig({
      ...{ data, ca, manager_auth, manager_session: 60, ...place.settings },
      // All tests come from one address.
      limits: { login_failure_delay_ms: 0, user_failures: 1000 },
      ...{ super_admins: [place.admin.dn], manager: { host: '127.0.0.1', port: 0 } },
      ...more,
    });
  return {
    ...{ openssl, authority, admin: place.admin },
    start: async (mode, more = {}) => {
      const [config, log] = [configOf(mode, more), new KeptLog()];
      const engines = await openEngines(config, log);
      await place.prepare(engines);
      const { listeners, close } = await startServers([managerCommand], config, engines);
      const trusted = await readFile(join(data, 'ca.pem'), 'utf8');
      return { url: `${listeners[0]?.url}manag/`, ca: trusted, log, stop: close };
    },
    close: async () => {
      await place.stop();
      await rm(openssl.folder, { recursive: true });
    },
  };
}

const base = 'dc=example,dc=org';
const admin = { dn: `uid=admin,${base}`, password: 'Adm1n-of-all' };

const places = {
  'embedded directory': async (): Promise<Place> => ({
    settings: { directory: { type: 'embedded', base }, domains: { Default: { base } } },
    admin,
    prepare: async ({ directory: { service } }) => {
      const dn = Dn.parse(admin.dn);
      if (await service.read(dn)) return;
      const attributes = { objectclass: ['inetOrgPerson'], cn: ['admin'], sn: ['admin'] };
      await service.add(dn, new Map(Object.entries(attributes)));
      await service.setPassword(dn, admin.password, { mustChange: false });
    },
    stop: async () => {},
  }),

  'OpenLDAP over ldaps': async (folder: string): Promise<Place> => {
    const slapd = await startSlapd();
    const ca = join(folder, 'ldap-ca.pem');
    await writeFile(ca, slapd.ca);
    const bind = { bind_dn: slapd.rootDn, bind_password: slapd.rootPassword, base: slapd.base };
    return {
      settings: {
        directory: { type: 'ldap', urls: [slapd.ldapsUrl], ca, ...bind },
        domains: { Default: { base: slapd.base } },
      },
      admin: { dn: slapd.adminDn, password: slapd.adminPassword },
      prepare: async () => {},
      stop: () => slapd.stop(),
    };
  },
};
