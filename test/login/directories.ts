/** The directories that logins are played on: a service over each, with a clock that the test moves. */
import { createLdapDirectory } from '@watchword/core/adapters/ldap';
import { systemClock } from '@watchword/core/adapters/system';
import { type Fixture, type FixtureOptions, KeptLog, openFixture, startSlapd } from '@watchword/core/testing';
import type { Senders } from '../../packages/core/src/ports/sending/sender.ts';

/** A service over a directory; `halt` and `resume` stop and start the directory, where it is a server. */
export interface Ground extends Fixture {
  halt?(signal?: NodeJS.Signals): Promise<void>;
  resume?(): Promise<void>;
}

type Config = NonNullable<FixtureOptions['config']>;

export const directories = {
  'the embedded directory': (config: Config, senders: Senders = {}): Promise<Ground> =>
    openFixture({ config, ports: () => ({ senders }) }),

  OpenLDAP: async (config: Config, senders: Senders = {}): Promise<Ground> => {
    // New passwords are kept as {SSHA}; no password policy, whose lock would be one more throttle.
    const slapd = await startSlapd({ ldif });
    const directory = createLdapDirectory(
      { urls: [slapd.ldapsUrl], ca: slapd.ca, bind_dn: slapd.rootDn, bind_password: slapd.rootPassword },
      { clock: systemClock, log: new KeptLog() },
    );
    const root = { username: slapd.rootDn, password: slapd.rootPassword };
    const throughRoot: Config = { manager_auth: 'DN', super_admins: [slapd.rootDn] };
    const fixture = await openFixture({
      config: { ...config, ...throughRoot },
      ports: () => ({ directory, senders }),
    });
    return {
      ...fixture,
      call: (method, params, asking) => fixture.call(method, params, { as: root, ...asking }),
      another: (options = {}) =>
        fixture.another({
          config: { ...options.config, ...throughRoot },
          ports: (usual) => ({ directory, ...options.ports?.({ ...usual, directory }) }),
        }),
      halt: (signal) => slapd.halt(signal),
      resume: () => slapd.resume(),
      close: async () => {
        await fixture.close();
        await slapd.stop();
      },
    };
  },
} as const;

/** The containers that the embedded directory of a fixture has, too. */
const ldif = `dn: dc=example,dc=org
objectClass: organization
objectClass: dcObject
o: Example
dc: example

dn: ou=people,dc=example,dc=org
objectClass: organizationalUnit
ou: people

dn: ou=groups,dc=example,dc=org
objectClass: organizationalUnit
ou: groups
`;
