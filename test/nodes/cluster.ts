/**
 * An installation on many machines, on this one: nodes that are the server as it is built, with nothing of their own but a
 * configuration; PostgreSQL; two slapds that replicate to each other; nginx in front. Every part may be killed.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createService, readConfig, type Service } from '@watchword/core';
import { type CertifiedKey, createAuthority, issueServerCertificate } from '@watchword/core/adapters/pki';
import { Database, upgrade } from '@watchword/core/adapters/postgres';
import { systemClock, systemRandom } from '@watchword/core/adapters/system';
import { openEngines, serviceSettings } from '@watchword/core/start';
import { nginxConfiguration } from '../../packages/core/src/testing/engines/nginx.ts';
import { type PostgresServer, startPostgres } from '../../packages/core/src/testing/engines/postgres.ts';
import { type Slapd, startSlapdPair } from '../../packages/core/src/testing/engines/slapd.ts';
import { accepting, boundToUs, freePorts, scratchFolder } from '../../packages/core/src/testing/scratch.ts';

export interface Cluster {
  readonly nodes: readonly Node[];
  readonly postgres: Part;
  readonly slapds: readonly Part[];
  /** Of nginx, and the authority that vouches for it, PEM. */
  readonly url: string;
  readonly ca: string;
  readonly base: string;
  readonly admin: { readonly username: string; readonly password: string };
  /** Another node, in this process. @param change of what its engines are */
  open(change?: (engines: Engines) => Engines): Promise<OpenNode>;
  close(): Promise<void>;
}

type Engines = Awaited<ReturnType<typeof openEngines>>;

/** A process that can be killed and started again. */
export interface Part {
  readonly name: string;
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
  close(): Promise<void>;
}

export interface ClusterOptions {
  /** How many nodes stand behind nginx; default 3. */
  readonly nodes?: number;
}

export async function openCluster({ nodes: count = 3 }: ClusterOptions = {}): Promise<Cluster> {
  const folder = await scratchFolder('cluster');
  const [postgres, slapds] = await Promise.all([startPostgres({ fsync: true }), startSlapdPair()]);
  const [slapd] = slapds;
  const ground = { folder, postgres, slapds, database: await postgres.createDatabase() };
  await prepareDatabase(ground);
  const { certificate: ca } = await prepareFiles(ground);
  const ports = await freePorts(count + 1);
  const nodes = ports.slice(1).map((port, index) => new NodeProcess(`node ${index + 1}`, { folder, port }));
  for (const [index, node] of nodes.entries()) {
    const place = join(folder, `node${index + 1}`);
    await mkdir(place);
    await writeFile(
      node.configuration,
      JSON.stringify(configurationOf(ground, { data: place, port: node.port })),
    );
  }
  await Promise.all(nodes.map((node) => node.resume()));
  const nginx = await startNginx(folder, ports);
  return {
    nodes,
    postgres: { name: 'PostgreSQL', kill: () => postgres.halt('SIGKILL'), resume: () => postgres.resume() },
    slapds: slapds.map((one, index) => ({
      name: `slapd ${index + 1}`,
      kill: () => one.halt('SIGKILL'),
      resume: () => one.resume(),
    })),
    ...{ url: nginx.url, ca, base: slapd.base },
    admin: { username: slapd.adminDn, password: slapd.adminPassword },
    open: (change) => openNode(ground, change),
    close: async () => {
      await nginx.stop();
      await Promise.all(nodes.map((node) => node.kill()));
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
const settings = {
  'Otp.LoginMode': 'LDAPOTP',
  'Otp.MaxTries': '1000000',
  'Otp.TOTPTimeStep': String(step),
  'Otp.TOTPTimeOffsetWindow': '2000',
};

/** Of the server `ws` on this port. */
function configurationOf({ folder, postgres, database, slapds }: Ground, { data, port }: NodePlace) {
  const [slapd] = slapds;
  const at = (name: string): string => join(folder, name);
  return {
    data,
    keys_file: at('keys.yaml'),
    ca: { certificate: at('ca.pem'), key: at('ca.key') },
    store: {
      type: 'postgres' as const,
      hosts: [`localhost:${postgres.port}`],
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
  return {
    service,
    close: async () => {
      await service.close();
      await engines.close();
    },
  };
}

const quiet = { info: () => {}, warn: () => {}, error: () => {} };

const program = fileURLToPath(new URL('../../packages/server-ws/dist/main.js', import.meta.url));

class NodeProcess implements Node {
  readonly name: string;
  readonly port: number;
  readonly configuration: string;
  #child: ChildProcess | undefined;

  constructor(name: string, { folder, port }: { readonly folder: string; readonly port: number }) {
    this.name = name;
    this.port = port;
    this.configuration = join(folder, `${name.replace(' ', '-')}.json`);
  }

  kill(): Promise<void> {
    return this.#end('SIGKILL');
  }

  stop(): Promise<void> {
    return this.#end('SIGTERM');
  }

  async resume(): Promise<void> {
    const [command, ...args] = boundToUs([process.execPath, program, '--config', this.configuration]);
    this.#child = spawn(command, args, {
      stdio: 'ignore',
      env: { PATH: process.env.PATH },
    });
    await accepting(this.port);
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }
}

/** In front of all nodes: what one does not accept goes to another, and what one has got stays there. */
async function startNginx(folder: string, [own = 0, ...behind]: readonly number[]) {
  const place = join(folder, 'nginx');
  await mkdir(place);
  const servers = behind.map((port) => `server 127.0.0.1:${port} max_fails=1 fail_timeout=1s;`);
  const site = `
    upstream nodes { ${servers.join(' ')} }
    server {
        listen 127.0.0.1:${own} ssl;
        ssl_certificate ../server.pem;
        ssl_certificate_key ../server.key;
        location / {
            proxy_pass https://nodes;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_set_header Host $host;
            proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
            proxy_connect_timeout 2s;
            proxy_read_timeout 60s;
        }
    }`;
  await writeFile(join(place, 'nginx.conf'), nginxConfiguration([site]));
  const [command, ...args] = boundToUs(['/usr/sbin/nginx', '-p', place, '-c', 'nginx.conf', '-e', 'stderr']);
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'ignore'] });
  const ended = once(child, 'exit');
  await accepting(own);
  return {
    url: `https://localhost:${own}/`,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
