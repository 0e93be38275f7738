/** The directories that the scenario is played on: a service over each, and who administers it. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Credentials, createService, readConfig, type Service, serviceSettings } from '@watchword/core';
import { KeptLog } from '@watchword/core/testing';
import { openFixture, startSlapd } from '@watchword/core/testing/bed';
import { openEngines } from '@watchword/engines';

export interface Stage {
  readonly service: Service;
  readonly admin: Credentials;
  /** Where the scenario makes its container. */
  readonly base: string;
  close(): Promise<void>;
}

export const directories: Readonly<Record<string, () => Promise<Stage>>> = {
  'embedded directory': async () => {
    const { service, admin, base, close } = await openFixture({ config: { manager_session: 60 } });
    return { service, admin, base, close };
  },
  'OpenLDAP over ldaps': async () => {
    const slapd = await startSlapd();
    const data = await mkdtemp(join(tmpdir(), 'watchword-scenario-'));
    await writeFile(join(data, 'ldap-ca.pem'), slapd.ca);
    const config = readConfig({
      data,
      directory: {
        type: 'ldap',
        urls: [slapd.ldapsUrl],
        ca: join(data, 'ldap-ca.pem'),
        bind_dn: slapd.rootDn,
        bind_password: slapd.rootPassword,
        base: slapd.base,
      },
      domains: { Default: { base: slapd.base } },
      manager_auth: 'DN',
      manager_session: 60,
      super_admins: [slapd.adminDn],
    });
    const engines = await openEngines(config, new KeptLog());
    const service = createService(serviceSettings(config), engines);
    return {
      service,
      base: slapd.base,
      admin: { username: slapd.adminDn, password: slapd.adminPassword },
      close: async () => {
        await service.close();
        await engines.close();
        await slapd.stop();
        await rm(data, { recursive: true });
      },
    };
  },
};
