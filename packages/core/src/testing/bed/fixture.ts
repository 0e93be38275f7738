/**
 * A service for tests, on an embedded directory in a folder of its own: an administrator, users Alice and
 * Bob, a clock that the test moves, a log that is kept. `another()` is a second node on the same data.
 */
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Environment,
  maxEphemeralRecords,
  openCertificateRecords,
  openDirectory,
  openEntryRecords,
  openEnvironment,
  openEventLog,
  openLedger,
  openStore,
} from '../../../../embedded/src/index.ts';
import { readContents } from '../../../../embedded/src/records/contents.ts';
import { keptEvents } from '../../../../embedded/src/testing/kept-events.ts';
import { systemRandom, thisSystem } from '../../../../node/src/machine/index.ts';
import { type CertifiedKey, createAuthority, openAuthority } from '../../../../pki/src/index.ts';
import { bundled } from '../../applications/index.ts';
import type { ServiceConfigInput } from '../../config/config.ts';
import type { Failure, RpcResponse, SuccessResponse } from '../../doors/manager/envelope.ts';
import type { ManagerResponse } from '../../doors/manager/exchange.ts';
import type { Credentials } from '../../doors/manager/identity/credentials.ts';
import type { PeerCertificate } from '../../foundation/http/http.ts';
import { Dn } from '../../foundation/text/dn.ts';
import type { PasswordPolicy } from '../../ports/directory/directory.ts';
import type { AuditEvent } from '../../ports/event-log/event-log.ts';
import { KeyRing } from '../../ports/keys.ts';
import type { HostResolver, Ports } from '../../ports/ports.ts';
import type { StoreContents } from '../../ports/store/store-contents.ts';
import { type Core, createCore, createService, type Service } from '../../service.ts';
import { KeptLog } from '../kept-log.ts';
import { TestClock } from '../test-clock.ts';
import { WatchedDirectory } from '../watched-directory.ts';
import { scratchFolder } from './scratch.ts';

export interface FixtureOptions {
  /** Settings that differ from the usual ones. */
  readonly config?: Partial<ServiceConfigInput>;
  /** Engines that differ from the usual ones: stand-ins around the real ones, or a directory over LDAP. */
  readonly ports?: (usual: Ports) => Partial<Ports>;
  /** Applications that the service has beside the usual ones. */
  readonly applications?: Core['applications'];
  /** The password policy of the directory. Optional; default: any password is accepted. */
  readonly passwordPolicy?: PasswordPolicy | undefined;
}

export interface Person extends Credentials {
  readonly dn: string;
}

/** A request as a test writes it; left out: the administrator's, from 192.0.2.1:40000. */
export interface Asking {
  /** Text and bytes are sent as they are, anything else as JSON. */
  readonly body?: unknown;
  /** The credentials of the request; null: none. */
  readonly as?: Credentials | null;
  /** The whole `Authorization` header, instead of `as`. */
  readonly authorization?: string;
  readonly cookie?: string;
  readonly address?: string;
  readonly closing?: boolean;
  readonly isDryRun?: boolean;
  readonly certificate?: PeerCertificate;
}

export interface Fixture {
  readonly service: Service;
  /** Made as the service's own is, for tests of single functions. */
  readonly core: Core;
  readonly ports: Ports;
  readonly clock: TestClock;
  readonly log: KeptLog;
  /** `dc=example,dc=org`; people stand in `ou=people`, groups in `ou=groups` below it. */
  readonly base: string;
  /** The directory, which tells what was asked of it. */
  readonly directory: WatchedDirectory;
  /** Certificate and key of the authority: signs what the service never would. */
  readonly authority: CertifiedKey;
  /** The group that `super_admins` names; `admin` is its only member. */
  readonly administrators: string;
  readonly admin: Person;
  readonly users: { readonly alice: Person; readonly bob: Person };
  /** Sends a request to the Manager. */
  answer(asking?: Asking): Promise<ManagerResponse>;
  /** Calls one method and returns the envelope: with `result` or with `error`. */
  call(method: string, params?: unknown, asking?: Asking): Promise<Partial<SuccessResponse & Failure>>;
  /** All durable state besides the directory. */
  kept(): StoreContents;
  /** The entries of the event log, in order. */
  events(): readonly AuditEvent[];
  /** Counts entries of the event log with these words: equal refusals in a row are one entry with a count. */
  countEvents(words: string): number;
  /** A second node: another service with engines of its own on the same data, and the same clock. */
  another(options?: FixtureOptions): Promise<Fixture>;
  /** Closes this node; the first one also takes the data away. */
  close(): Promise<void>;
}

const base = 'dc=example,dc=org';
const administrators = `cn=administrators,ou=groups,${base}`;

const person = (username: string, password: string): Person => ({
  dn: `uid=${username},ou=people,${base}`,
  username,
  password,
});

const admin = person('admin', 'Adm1n-of-all');
const users = { alice: person('alice', 'alice-Pa55'), bob: person('bob', 'bob-Pa55') };

/** Opens a service with all its engines; `close()` removes them. */
export async function openFixture(options: FixtureOptions = {}): Promise<Fixture> {
  const folder = await scratchFolder('fixture');
  const environment = await openEnvironment(folder);
  const ephemeral = await openEnvironment(join(folder, 'ephemeral'), { isEphemeral: true });
  const clock = new TestClock();
  const parts = { environment, ephemeral, clock, authority: await newAuthority(clock) };
  await addPeople(await usualPorts(parts, new KeptLog()));
  const fixture = await openNode(parts, options);
  return {
    ...fixture,
    close: async () => {
      await fixture.close();
      await ephemeral.close();
      await environment.close();
      await rm(folder, { recursive: true });
    },
  };
}

interface NodeParts {
  readonly environment: Environment;
  readonly ephemeral: Environment;
  readonly clock: TestClock;
  readonly authority: CertifiedKey;
}

async function openNode(
  parts: NodeParts,
  { config, ports: change, applications, passwordPolicy }: FixtureOptions,
): Promise<Fixture> {
  const { environment, clock, authority } = parts;
  const log = new KeptLog();
  const settings = { ...usualConfig, ...config };
  const usual = await usualPorts({ ...parts, passwordPolicy }, log);
  const changed = { ...usual, ...change?.(usual) };
  const directory = new WatchedDirectory(changed.directory);
  const ports = { ...changed, directory };
  const all = { ...applications, ...bundled };
  const core = createCore(settings, ports, all);
  const service = createService(settings, ports, all);
  const answer = (asking: Asking = {}) => service.manager.answer(requestOf(asking));
  return {
    ...{ service, core, ports, directory, clock, log, authority, base, administrators, admin, users, answer },
    call: async (method, params, asking) => {
      const body = { jsonrpc: '2.0', id: 1, method, ...(params !== undefined && { params }) };
      return (await answer({ ...asking, body })).body as RpcResponse;
    },
    events: () => keptEvents(environment),
    kept: () => readContents(environment, clock.now()),
    countEvents: (words) => countEvents(keptEvents(environment), words),
    another: (more = {}) => openNode(parts, more),
    close: () => service.close(),
  };
}

const usualConfig: ServiceConfigInput = {
  domains: { Default: { base } },
  super_admins: [administrators],
  manager_auth: 'UID',
};

async function usualPorts(
  {
    environment,
    ephemeral,
    clock,
    authority,
    passwordPolicy = anyPassword,
  }: NodeParts & Pick<FixtureOptions, 'passwordPolicy'>,
  log: KeptLog,
): Promise<Ports> {
  const random = systemRandom;
  const keys = new KeyRing([Buffer.alloc(32, 7)], random);
  const events = await openEventLog(environment, { signer: keys });
  return {
    directory: await openDirectory(
      environment,
      { base: Dn.parse(base), hashCost: little, passwordPolicy },
      { clock, random },
    ),
    store: openLedger({ lasting: environment, ephemeral }, clock, events),
    ephemeral: openStore(ephemeral, clock, maxEphemeralRecords),
    events,
    entryRecords: openEntryRecords(environment),
    certificates: openCertificateRecords(environment),
    authority: await openAuthority(authority, { clock, random }),
    keys,
    hosts: noHosts,
    system: thisSystem,
    ...{ clock, random, log },
  };
}

/** Users of tests have passwords like `secret`. */
const anyPassword: PasswordPolicy = { minLength: 1, refusesCommon: false };

/** Hashes that are as good for a test as those of the servers, and take no processor: tests of those open the directory alone. */
const little = { memoryCost: 8, timeCost: 1, parallelism: 1 };

const newAuthority = (clock: TestClock): Promise<CertifiedKey> =>
  createAuthority({ commonName: 'Fixture CA', days: 3650 }, { clock, random: systemRandom });

const noHosts: HostResolver = { addresses: async () => [] };

function requestOf({ body = '', as = admin, authorization, cookie, address, closing, ...more }: Asking) {
  const bytes = body instanceof Uint8Array ? body : Buffer.from(asText(body));
  return {
    body: async () => bytes,
    authorization: authorization ?? (as ? basic(as) : undefined),
    cookie,
    address: address ?? '192.0.2.1',
    port: 40_000,
    closing: closing ?? false,
    ...more,
  };
}

const asText = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body));

/** The `Authorization` header of HTTP Basic, in UTF-8. */
export function basic({ username, password }: Credentials): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

const countEvents = (events: readonly AuditEvent[], words: string): number =>
  events.filter(({ text }) => text.includes(words)).reduce((sum, { count = 1 }) => sum + count, 0);

async function addPeople({ directory: { service } }: Ports): Promise<void> {
  const entry = (dn: string, attributes: Record<string, string[]>) =>
    service.add(Dn.parse(dn), new Map(Object.entries(attributes)));
  await entry(`ou=people,${base}`, { objectclass: ['organizationalUnit'] });
  await entry(`ou=groups,${base}`, { objectclass: ['organizationalUnit'] });
  for (const { dn, username, password } of [admin, users.alice, users.bob]) {
    const attributes = { cn: [username], sn: [username], mail: [`${username}@example.org`] };
    await entry(dn, { objectclass: ['inetOrgPerson'], ...attributes, userpassword: [quickHash(password)] });
  }
  await entry(administrators, { objectclass: ['groupOfNames'], member: [admin.dn] });
}

/** `{SSHA}`: made in no time, so that a fixture opens quickly. */
function quickHash(password: string): string {
  const salt = Buffer.from('fixture!');
  const digest = createHash('sha1').update(password).update(salt).digest();
  return `{SSHA}${Buffer.concat([digest, salt]).toString('base64')}`;
}
