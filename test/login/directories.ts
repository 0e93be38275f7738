/** The directories that logins are played on: a service over each, with a clock that the test moves. */
import type { Credentials, ManagerCalls } from '@watchword/core';
import { KeptLog } from '@watchword/core/testing';
import { type Fixture, type FixtureOptions, openFixture, startSlapd } from '@watchword/core/testing/bed';
import { openLdapDirectory } from '@watchword/ldap';
import { systemClock } from '@watchword/node';
import type { Senders } from '../../packages/core/src/ports/sending/sender.ts';
import { removeWhole, sharedSamba } from '../../packages/core/src/testing/bed/engines/samba.ts';
import { done, isActiveDirectory } from './people.ts';

/** A service over a directory; `halt` and `resume` stop and start the directory, where it is a server. */
export interface Ground extends Fixture {
  halt?(signal?: NodeJS.Signals): Promise<void>;
  resume?(): Promise<void>;
}

type Config = NonNullable<FixtureOptions['config']>;

const usual = {
  'the embedded directory': (config: Config, senders: Senders = {}): Promise<Ground> =>
    openFixture({ config, ports: () => ({ senders }) }),

  OpenLDAP: async (config: Config, senders: Senders = {}): Promise<Ground> => {
    // New passwords are kept as {SSHA}; no password policy, whose lock would be one more throttle.
    const slapd = await startSlapd({ ldif });
    const root = { username: slapd.rootDn, password: slapd.rootPassword };
    const ground = await openOver({ ...slapd, root }, config, senders);
    return {
      ...ground,
      halt: (signal) => slapd.halt(signal),
      resume: () => slapd.resume(),
      close: async () => {
        await ground.close();
        await slapd.stop();
      },
    };
  },
} as const;

/** In place of the others where `vitest.ad.config.ts` runs the tests. */
const activeDirectory = {
  'Active Directory': async (config: Config, senders: Senders = {}): Promise<Ground> => {
    const samba = await sharedSamba();
    const root = { username: samba.adminDn, password: samba.adminPassword };
    const over = await openOver({ ...samba, root }, config, senders);
    const { manager, close } = await over.service.manager.login(root);
    const ground = { ...over, call: callsBy(manager) };
    const containers = ['people', 'groups'].map((name) => `ou=${name},${samba.base}`);
    for (const dn of containers)
      await done(ground, 'Create_LDAP_Object', { dn, attrs: { objectclass: 'organizationalUnit' } });
    return {
      ...ground,
      close: async () => {
        await close();
        await ground.close();
        await removeWhole(samba, containers);
      },
    };
  },
};

type Directories = Readonly<Record<keyof typeof usual, OpenGround>>;

/** By the names that they are gone through by; tests of one name one of the usual ones. */
export const directories = (isActiveDirectory ? activeDirectory : usual) as Directories;

/** Calls of somebody who has logged in once: each bind costs Samba more than what is asked then. */
function callsBy(manager: ManagerCalls): Fixture['call'] {
  return async (name, params) => {
    const row = name.split('.').reduce<unknown>((calls, word) => Object(calls)[word], manager);
    try {
      const result = await (row as (params: unknown) => Promise<unknown>)(params);
      return { result } as Awaited<ReturnType<Fixture['call']>>;
    } catch (error) {
      return { error: { data: String(error) } } as Awaited<ReturnType<Fixture['call']>>;
    }
  };
}

type OpenGround = (config: Config, senders?: Senders) => Promise<Ground>;

interface DirectoryServerPlace {
  readonly ldapsUrl: string;
  readonly ca: string;
  readonly base: string;
  /** Who may do everything. */
  readonly root: Credentials;
}

async function openOver(
  { ldapsUrl, ca, base, root }: DirectoryServerPlace,
  config: Config,
  senders: Senders,
): Promise<Fixture> {
  const bind = { bind_dn: root.username, bind_password: root.password };
  const ports = { clock: systemClock, log: new KeptLog() };
  const directory = openLdapDirectory({ urls: [ldapsUrl], ca, base, ...bind }, ports);
  const throughRoot: Config = { manager_auth: 'DN', super_admins: [root.username] };
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
  };
}

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
