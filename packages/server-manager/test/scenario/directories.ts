/** The directories that the scenario is played on: a service over each, and who administers it. */
import { type Credentials, Dn, type Service } from '@watchword/core';
import { createLdapDirectory } from '@watchword/core/adapters/ldap';
import { KeptLog, openFixture, startSlapd } from '@watchword/core/testing';

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
    const { service, close } = await openFixture({
      config: { manager_auth: 'DN', super_admins: [slapd.adminDn], manager_session: 60 },
      ports: ({ clock }) => ({
        directory: createLdapDirectory(
          { urls: [slapd.ldapsUrl], ca: slapd.ca, bind_dn: slapd.rootDn, bind_password: slapd.rootPassword },
          { clock, log: new KeptLog() },
        ),
      }),
    });
    return {
      service,
      base: slapd.base,
      admin: { username: Dn.parse(slapd.adminDn).toString(), password: slapd.adminPassword },
      close: async () => {
        await close();
        await slapd.stop();
      },
    };
  },
};
