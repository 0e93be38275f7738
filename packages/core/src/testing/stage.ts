/** For tests: the Manager's methods in process, over the embedded directory and a real slapd. */

import { createLdapDirectory } from '../adapters/ldap/index.ts';
import { systemClock } from '../adapters/system/index.ts';
import type { ServiceConfigInput } from '../config/config.ts';
import type { Ports } from '../engines.ts';
import { type Reason, ServiceError } from '../errors/errors.ts';
import type { RehearsedCalls } from '../manager/in-process.ts';
import type { ManagerCalls } from '../manager/methods.ts';
import { Dn } from '../text/dn.ts';
import { type SlapdOptions, startSlapd } from './engines/slapd.ts';
import { type Fixture, type FixtureOptions, openFixture } from './fixture.ts';
import { KeptLog } from './kept-log.ts';

export const engines = ['embedded', 'OpenLDAP'] as const;
export type Engine = (typeof engines)[number];

/** A directory below {@link Stage.base}, and an administrator who may do everything there. */
export interface Stage {
  readonly engine: Engine;
  readonly manager: ManagerCalls;
  /** The same, in dry runs. */
  readonly rehearsal: RehearsedCalls<ManagerCalls>;
  readonly ports: Ports;
  /** The administrator's, by DN. */
  readonly credentials: StageParts['credentials'];
  /** The service below, with its clock, its log and its other doors. */
  readonly fixture: Fixture;
  readonly base: string;
  /** The same data under another configuration or with other ports: a node, which the caller closes. */
  node(options: FixtureOptions): Promise<Fixture>;
  /** The administrator's calls to such a node. */
  enter(options: FixtureOptions): Promise<ManagerCalls>;
  /** What the directory was asked since the last time. */
  takeAsked(): readonly string[];
  /** A new container, and what it is called. */
  container(above?: string): Promise<string>;
  /** A new user below a container; `more` goes over what a person has anyway. */
  person(container: string, uid: string, more?: Record<string, string | number | string[]>): Promise<string>;
  close(): Promise<void>;
}

export async function openStage(engine: Engine, slapd: SlapdOptions = {}): Promise<Stage> {
  const { fixture, credentials, options, dispose } = await stages[engine](slapd);
  const closers: (() => Promise<void>)[] = [];
  const login = async ({ service }: Fixture) => {
    const entered = await service.manager.login(credentials);
    closers.push(entered.close);
    return entered;
  };
  const { manager, rehearsal } = await login(fixture);
  const node = ({ config, ports }: FixtureOptions) =>
    fixture.another({
      config: { ...options.config, ...config },
      ports: (usual) => ({ ...options.ports?.(usual), ...ports?.(usual) }),
    });
  let containers = 0;
  return {
    ...{ engine, manager, rehearsal, credentials, fixture, ports: fixture.ports, base: fixture.base },
    node,
    enter: async (more) => (await login(await node(more))).manager,
    takeAsked: () => fixture.directory.takeAsked(),
    container: async (above = fixture.base) => {
      containers += 1;
      const dn = `ou=stage ${containers},${above}`;
      await manager.Create_LDAP_Object({ dn, attrs: { objectclass: 'organizationalUnit' } });
      return dn;
    },
    person: async (container, uid, more = {}) => {
      const dn = Dn.parse(container)
        .child([{ type: 'uid', value: uid }])
        .toString();
      const attrs = { objectclass: ['inetOrgPerson', 'webadmAccount'], cn: uid, sn: 'Person', ...more };
      await manager.Create_LDAP_Object({ dn, attrs });
      return dn;
    },
    close: async () => {
      for (const close of closers) await close();
      await dispose();
    },
  };
}

interface StageParts {
  readonly fixture: Fixture;
  readonly credentials: { readonly username: string; readonly password: string };
  readonly options: FixtureOptions;
  dispose(): Promise<void>;
}

const stages: Readonly<Record<Engine, (slapd: SlapdOptions) => Promise<StageParts>>> = {
  embedded: async () => {
    const options: FixtureOptions = { config: { manager_auth: 'DN' } };
    const fixture = await openFixture(options);
    const credentials = { username: fixture.admin.dn, password: fixture.admin.password };
    return { fixture, credentials, options, dispose: fixture.close };
  },
  OpenLDAP: async (slapdOptions) => {
    const slapd = await startSlapd({ ldif: baseLdif, ...slapdOptions });
    const bind = { bind_dn: slapd.rootDn, bind_password: slapd.rootPassword };
    const directory = createLdapDirectory(
      { urls: [slapd.ldapsUrl], ca: slapd.ca, ...bind },
      { clock: systemClock, log: new KeptLog() },
    );
    const config: Partial<ServiceConfigInput> = { manager_auth: 'DN', super_admins: [slapd.rootDn] };
    const options: FixtureOptions = { config, ports: () => ({ directory }) };
    const fixture = await openFixture(options);
    const credentials = { username: slapd.rootDn, password: slapd.rootPassword };
    const dispose = async () => {
      await fixture.close();
      await slapd.stop();
    };
    return { fixture, credentials, options, dispose };
  },
};

const baseLdif = `dn: dc=example,dc=org
objectClass: organization
objectClass: dcObject
o: Example
dc: example
`;

/** Why a call was refused, in the words that the caller gets. */
export interface Refusal {
  readonly reason: Reason;
  readonly detail: string | undefined;
}

/** What a call is refused with. @throws if it is not, or with anything but a ServiceError */
export async function refusalOf(call: Promise<unknown>): Promise<Refusal> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ServiceError) return { reason: error.reason, detail: error.detail };
    throw error;
  }
  throw new Error('the call was not refused');
}
