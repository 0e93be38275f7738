/** For tests: the Manager's methods in process, over the embedded directory and a real slapd. */

import { openLdapDirectory } from '../../../../ldap/src/index.ts';
import { systemClock } from '../../../../node/src/machine/index.ts';
import type { ServiceConfigInput } from '../../config/config.ts';
import type { DryRunCalls } from '../../doors/manager/in-process.ts';
import type { ManagerCalls } from '../../doors/manager/methods.ts';
import { type Reason, ServiceError } from '../../foundation/errors/errors.ts';
import { Dn } from '../../foundation/text/dn.ts';
import type { Ports } from '../../ports/ports.ts';
import { KeptLog } from '../kept-log.ts';
import { removeWhole, sharedSamba } from './engines/samba.ts';
import { type Slapd, type SlapdOptions, startSlapd } from './engines/slapd.ts';
import { type Fixture, type FixtureOptions, openFixture } from './fixture.ts';

/**
 * True where `vitest.ad.config.ts` runs the tests: on Active Directory alone, where people are called by their CN. Tests of many
 * requests are left to the other directories, which have the same part in them.
 */
export const isActiveDirectory = process.env.WATCHWORD_TEST_DIRECTORY === 'Active Directory';

export type Engine = 'embedded' | 'OpenLDAP' | 'AD';
export const engines: readonly Engine[] = isActiveDirectory ? ['AD'] : ['embedded', 'OpenLDAP'];

/** A directory below {@link Stage.base}, and an administrator who may do everything there. */
export interface Stage {
  readonly engine: Engine;
  readonly manager: ManagerCalls;
  /** The same, in dry runs. */
  readonly dryRun: DryRunCalls<ManagerCalls>;
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
  /** The DN of such a user. */
  nameOf(container: string, uid: string): string;
  /** A new user below a container; `more` goes over what a person has anyway. */
  person(container: string, uid: string, more?: Record<string, string | number | string[]>): Promise<string>;
  close(): Promise<void>;
}

export async function openStage(engine: Engine, slapd: SlapdOptions = {}): Promise<Stage> {
  const { fixture, base = fixture.base, credentials, options, dispose } = await stages[engine](slapd);
  const closers: (() => Promise<void>)[] = [];
  const login = async ({ service }: Fixture) => {
    const entered = await service.manager.login(credentials);
    closers.push(entered.close);
    return entered;
  };
  const { manager, dryRun } = await login(fixture);
  const node = ({ config, ports }: FixtureOptions) =>
    fixture.another({
      config: { ...options.config, ...config },
      ports: (usual) => ({ ...options.ports?.(usual), ...ports?.(usual) }),
    });
  const nameOf = (container: string, uid: string) =>
    Dn.parse(container)
      .child([{ type: engine === 'AD' ? 'CN' : 'uid', value: uid }])
      .toString();
  let containers = 0;
  const made: string[] = [];
  return {
    ...{ engine, manager, dryRun, credentials, fixture, ports: fixture.ports, base },
    node,
    enter: async (more) => (await login(await node(more))).manager,
    takeAsked: () => fixture.directory.takeAsked(),
    container: async (above = base) => {
      containers += 1;
      const dn = `${engine === 'AD' ? 'OU' : 'ou'}=stage ${containers},${above}`;
      made.push(dn);
      await manager.Create_LDAP_Object({ dn, attrs: { objectclass: 'organizationalUnit' } });
      return dn;
    },
    nameOf,
    person: async (container, uid, more = {}) => {
      const dn = nameOf(container, uid);
      const attrs = { ...usualPerson(engine, uid), ...more };
      await manager.Create_LDAP_Object({ dn, attrs });
      return dn;
    },
    close: async () => {
      for (const close of closers) await close();
      await dispose(made);
    },
  };
}

interface StageParts {
  readonly fixture: Fixture;
  readonly credentials: { readonly username: string; readonly password: string };
  readonly options: FixtureOptions;
  /** As the directory spells it. Optional; default: the fixture's. */
  readonly base?: string;
  /** @param made containers of the stage */
  dispose(made: readonly string[]): Promise<void>;
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
    const parts = await openOver(slapd, { username: slapd.rootDn, password: slapd.rootPassword });
    const dispose = async () => {
      await parts.fixture.close();
      await slapd.stop();
    };
    return { ...parts, dispose };
  },
  AD: async () => {
    const samba = await sharedSamba();
    const parts = await openOver(samba, { username: samba.adminDn, password: samba.adminPassword });
    const dispose = async (made: readonly string[]) => {
      await parts.fixture.close();
      await removeWhole(
        samba,
        made.filter((dn) => !made.some((above) => dn.endsWith(`,${above}`))),
      );
    };
    return { ...parts, base: samba.base, dispose };
  },
};

async function openOver(
  { ldapsUrl, ca, base }: Pick<Slapd, 'ldapsUrl' | 'ca' | 'base'>,
  credentials: StageParts['credentials'],
): Promise<Omit<StageParts, 'dispose'>> {
  const bind = { bind_dn: credentials.username, bind_password: credentials.password };
  const ports = { clock: systemClock, log: new KeptLog() };
  const directory = openLdapDirectory({ urls: [ldapsUrl], ca, base, ...bind }, ports);
  const config: Partial<ServiceConfigInput> = { manager_auth: 'DN', super_admins: [credentials.username] };
  const options: FixtureOptions = { config, ports: () => ({ directory }) };
  return { fixture: await openFixture(options), credentials, options };
}

const usualPerson = (engine: Engine, uid: string) =>
  engine === 'AD'
    ? { objectclass: ['user', 'webadmAccount'], samaccountname: uid, sn: 'Person' }
    : { objectclass: ['inetOrgPerson', 'webadmAccount'], cn: uid, sn: 'Person' };

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
