/**
 * An installation on many machines, on this one: nodes that are the server as it is built, with nothing of their own but a
 * configuration; PostgreSQL; two slapds that replicate to each other; nginx in front. Every part may be killed.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createService, readConfig, type Service, serviceSettings } from '@watchword/core';
import { openEngines } from '@watchword/engines';
import { systemClock, systemRandom } from '@watchword/node';
import { type Listener, serve } from '@watchword/node/http';
import { type CertifiedKey, createAuthority, issueServerCertificate } from '@watchword/pki';
import { Database, upgrade } from '@watchword/postgres';
import { createWebServiceHandler } from '@watchword/server-ws';
import {
  type PostgresServer,
  type PostgresStandby,
  startPostgres,
} from '../../packages/core/src/testing/bed/engines/postgres.ts';
import { type Slapd, startSlapdPair } from '../../packages/core/src/testing/bed/engines/slapd.ts';
import { freePorts, scratchFolder } from '../../packages/core/src/testing/bed/scratch.ts';
import { NodeProcess, startNginx } from './processes.ts';

export interface Cluster {
  readonly nodes: readonly Node[];
  readonly postgres: Part;
  readonly slapds: readonly Part[];
  /** Of nginx, and the authority that vouches for it, PEM and the file that it stands in. */
  readonly url: string;
  readonly ca: string;
  readonly caFile: string;
  readonly base: string;
  readonly admin: { readonly username: string; readonly password: string };
  /** Starts a standby that commits wait for; nodes know of it when they start again. */
  addStandby(): Promise<PostgresStandby>;
  /** Another node, in this process. @param change of what its engines are */
  open(change?: (engines: Engines) => Engines): Promise<OpenNode>;
  close(): Promise<void>;
}

export type Engines = Awaited<ReturnType<typeof openEngines>>;

/** A process that can be killed and started again. */
export interface Part {
  readonly name: string;
  /** Undefined while it is stopped, and where it is not known. */
  pid(): number | undefined;
  /** Ends it by SIGKILL, as a machine that loses its power would. */
  kill(): Promise<void>;
  /** Starts it again; resolves when it is there. */
  resume(): Promise<void>;
}

export interface Node extends Part {
  /** Ends it by SIGTERM: it answers what it has begun. */
  stop(): Promise<void>;
}

export interface OpenNode {
  readonly service: Service;
  /** Listens for web services. @returns where */
  serve(): Promise<string>;
  close(): Promise<void>;
}

export interface ClusterOptions {
  /** How many nodes stand behind nginx; default 3. */
  readonly nodes?: number;
  /** Settings of users; left out: many codes to use up in a short time, and no limit in the way. */
  readonly settings?: Readonly<Record<string, string>>;
}

export async function openCluster({
  nodes: count = 3,
  settings = manyCodes,
}: ClusterOptions = {}): Promise<Cluster> {
  const folder = await scratchFolder('cluster');
  const [postgres, slapds] = await Promise.all([startPostgres({ fsync: true }), startSlapdPair()]);
  const [slapd] = slapds;
  const ground: Ground = {
    folder,
    postgres,
    slapds,
    database: await postgres.createDatabase(),
    standbys: [],
    settings,
  };
  await prepareDatabase(ground);
  const { certificate: ca } = await prepareFiles(ground);
  const ports = await freePorts(count + 1);
  const nodes = ports.slice(1).map((port, index) => new NodeProcess(`node ${index + 1}`, { folder, port }));
  await configure(nodes, ground);
  await Promise.all(nodes.map((node) => node.resume()));
  const nginx = await startNginx(folder, ports);
  return {
    nodes,
    postgres: {
      name: 'PostgreSQL',
      pid: () => undefined,
      kill: () => postgres.halt('SIGKILL'),
      resume: () => postgres.resume(),
    },
    slapds: slapds.map((one, index) => ({
      name: `slapd ${index + 1}`,
      pid: () => one.pid(),
      kill: () => one.halt('SIGKILL'),
      resume: () => one.resume(),
    })),
    ...{ url: nginx.url, ca, caFile: join(folder, 'ca.pem'), base: slapd.base },
    admin: { username: slapd.adminDn, password: slapd.adminPassword },
    addStandby: async () => {
      const standby = await postgres.startStandby();
      ground.standbys.push(standby);
      await configure(nodes, ground);
      return standby;
    },
    open: (change) => openNode(ground, change),
    close: async () => {
      await nginx.stop();
      await Promise.all(nodes.map((node) => node.kill()));
      await Promise.all(ground.standbys.map((one) => one.stop()));
      await Promise.all([postgres.stop(), ...slapds.map((one) => one.stop())]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Ground {
  readonly folder: string;
  readonly postgres: PostgresServer;
  readonly database: string;
  readonly slapds: readonly [Slapd, Slapd];
  readonly standbys: PostgresStandby[];
  readonly settings: Readonly<Record<string, string>>;
}

/** Writes what each node starts with. */
async function configure(nodes: readonly NodeProcess[], ground: Ground): Promise<void> {
  for (const { configuration, data, port } of nodes)
    await writeFile(configuration, JSON.stringify(configurationOf(ground, { data, port })));
}

/** As an operator does before the first start: `watchword-manager tables`. */
async function prepareDatabase({ postgres, database: name }: Ground): Promise<void> {
  const { port, owner, node } = postgres;
  const hosts = [{ host: '127.0.0.1', port }];
  const bounds = { timeout_ms: 20_000, connections: 1 };
  const database = new Database({ hosts, database: name, ...owner, tls: false, ...bounds });
  await upgrade(database, { role: node.user, isDry: false });
  await database.close();
}

/** What every node has a copy of: the authority, and what vouches for the engines; the key ring comes with the first node. */
async function prepareFiles({ folder, postgres, slapds }: Ground): Promise<CertifiedKey> {
  const authority = await createAuthority({ commonName: 'Nodes', days: 2 }, ports);
  const names = { names: ['localhost'], addresses: ['127.0.0.1'], days: 1 };
  const server = await issueServerCertificate(authority, names, ports);
  const files = {
    'ca.pem': authority.certificate,
    'ca.key': authority.key,
    'server.pem': server.certificate,
    'server.key': server.key,
    'ldap-ca.pem': slapds.map(({ ca }) => ca).join(''),
    'postgres-ca.pem': postgres.ca,
  };
  for (const [name, text] of Object.entries(files))
    await writeFile(join(folder, name), text, { mode: 0o600 });
  return authority;
}

const ports = { clock: systemClock, random: systemRandom };

/** A code for every two seconds, and half an hour of them to use up; no limit in the way. */
export const step = 2;
const manyCodes = {
  'Otp.LoginMode': 'LDAPOTP',
  'Otp.MaxTries': '1000000',
  'Otp.TOTPTimeStep': String(step),
  'Otp.TOTPTimeOffsetWindow': '2000',
};

/** Of the server `ws` on this port. */
function configurationOf(
  { folder, postgres, standbys, database, slapds, settings }: Ground,
  { data, port }: NodePlace,
) {
  const [slapd] = slapds;
  const at = (name: string): string => join(folder, name);
  return {
    data,
    keys_file: at('keys.yaml'),
    ca: { certificate: at('ca.pem'), key: at('ca.key') },
    store: {
      type: 'postgres' as const,
      hosts: [postgres, ...standbys].map((server) => `localhost:${server.port}`),
      database,
      ...postgres.node,
      ca: at('postgres-ca.pem'),
    },
    directory: {
      type: 'ldap' as const,
      urls: slapds.map(({ ldapsUrl }) => ldapsUrl),
      ca: at('ldap-ca.pem'),
      ...{ bind_dn: slapd.adminDn, bind_password: slapd.adminPassword, base: slapd.base, timeout_s: 5 },
    },
    domains: { Default: { base: slapd.base } },
    manager_auth: 'DN' as const,
    super_admins: [slapd.adminDn],
    ws: { host: '127.0.0.1', port, certificate: at('server.pem'), key: at('server.key') },
    trusted_callers: ['127.0.0.1'],
    reverse_proxies: ['127.0.0.1'],
    limits: { login_failure_delay_ms: 0, user_failures: 1_000_000 },
    log: { level: 'warn' as const },
    settings,
  };
}

interface NodePlace {
  readonly data: string;
  readonly port: number;
}

async function openNode(
  ground: Ground,
  change: (engines: Engines) => Engines = (engines) => engines,
): Promise<OpenNode> {
  const data = await mkdtemp(join(ground.folder, 'open-'));
  const config = readConfig(configurationOf(ground, { data, port: 0 }));
  const engines = await openEngines(config, quiet);
  const service = createService(serviceSettings(config), change(engines));
  let listener: Listener | undefined;
  return {
    service,
    serve: async () => {
      const read = (name: string) => readFile(join(ground.folder, name), 'utf8');
      const tls = { certificate: await read('server.pem'), key: await read('server.key') };
      listener = await serve(createWebServiceHandler(service), {
        host: '127.0.0.1',
        port: 0,
        tls,
        log: quiet,
      });
      return `https://localhost:${listener.port}/`;
    },
    close: async () => {
      await listener?.close();
      await service.close();
      await engines.close();
    },
  };
}

const quiet = { info: () => {}, warn: () => {}, error: () => {} };
