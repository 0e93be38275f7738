/**
 * A throwaway PostgreSQL server for tests: on loopback with a folder and a port of its own, removed afterwards. It needs the Debian
 * package postgresql and refuses to run as root, so root runs it as `postgres`.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chmod, chown, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { boundToUs, freePorts, issueCertificate, run, scratchFolder } from '../scratch.ts';

export interface PostgresServerOptions {
  /** Whether a commit waits for the disk; default false. */
  readonly fsync?: boolean;
  /** Lines of postgresql.conf. */
  readonly settings?: readonly string[];
  /** First lines of pg_hba.conf. */
  readonly hba?: readonly string[];
  /** Variables of its environment. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface PostgresServer {
  readonly port: number;
  /** Certificate of the CA that it listens with, PEM. */
  readonly ca: string;
  /** Owner of all databases, may do anything. */
  readonly owner: PostgresRole;
  /** May log in, and nothing else. */
  readonly node: PostgresRole;
  /** A new database, empty. @returns its name */
  createDatabase(): Promise<string>;
  /** Runs a statement as the owner. */
  query<R extends object>(database: string, sql: string, values?: readonly unknown[]): Promise<readonly R[]>;
  /** A standby that follows it, and that commits wait for. */
  startStandby(): Promise<PostgresStandby>;
  /** Ends the server process, by default as a crash would. */
  halt(signal?: NodeJS.Signals): Promise<void>;
  resume(): Promise<void>;
  stop(): Promise<void>;
}

export interface PostgresStandby {
  readonly port: number;
  /** Makes it the primary. */
  promote(): Promise<void>;
  stop(): Promise<void>;
}

export interface PostgresRole {
  readonly user: string;
  readonly password: string;
}

const owner: PostgresRole = { user: 'owner', password: "0wner's secret" };
const node: PostgresRole = { user: 'node', password: 'node-secret' };

export async function startPostgres(options: PostgresServerOptions = {}): Promise<PostgresServer> {
  const folder = await scratchFolder('postgres');
  const certificate = await issueCertificate(folder);
  const data = join(folder, 'data');
  const [port] = (await freePorts(1)) as [number];
  await mkdir(data, { mode: 0o700 });
  await writeFile(join(folder, 'password'), owner.password);
  await giveAway(folder, data);
  const passwordFile = join(folder, 'password');
  const make = [
    '-D',
    data,
    '-U',
    owner.user,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '-E',
    'UTF8',
  ];
  await asPostgres([await program('initdb'), ...make, '--locale=C', '--no-sync']);
  await writeFile(join(data, 'postgresql.auto.conf'), configuration(options, { port, certificate, folder }));
  const { hba = [], env } = options;
  const hbaFile = join(data, 'pg_hba.conf');
  await writeFile(hbaFile, [...hba, await readFile(hbaFile, 'utf8')].join('\n'));
  const server = new ServerProcess(await program('postgres'), { data, port, env });
  await server.start();
  const query = async <R extends object>(database: string, sql: string, values: readonly unknown[] = []) => {
    const client = new Client({ host: '127.0.0.1', port, database, ...owner });
    await client.connect();
    try {
      return (await client.query<R>(sql, [...values])).rows;
    } finally {
      await client.end();
    }
  };
  await query('postgres', `CREATE ROLE ${node.user} LOGIN PASSWORD '${node.password}'`);
  /** A reload is read by each process of the server for itself: commits wait from when the checkpointer has. */
  const commitsWait = async (): Promise<void> => {
    const synchronous = "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'";
    while ((await query('postgres', synchronous)).length === 0) await sleep(20);
    await query('postgres', 'CHECKPOINT');
  };
  const startStandby = async (): Promise<PostgresStandby> => {
    const copy = join(folder, 'standby');
    const [ownPort] = (await freePorts(1)) as [number];
    const from = ['-h', '127.0.0.1', '-p', String(port), '-U', owner.user, '-D', copy];
    const env = { ...process.env, PGPASSWORD: owner.password };
    await asPostgres([await program('pg_basebackup'), ...from, '-R', '-X', 'stream', '-c', 'fast'], env);
    await appendFile(join(copy, 'postgresql.auto.conf'), `port = ${ownPort}\n`);
    const follower = new ServerProcess(await program('postgres'), { data: copy, port: ownPort });
    await follower.start();
    await query('postgres', "ALTER SYSTEM SET synchronous_standby_names = '*'");
    await query('postgres', 'SELECT pg_reload_conf()');
    await commitsWait();
    return {
      port: ownPort,
      promote: async () => {
        await asPostgres([await program('pg_ctl'), 'promote', '-w', '-D', copy]);
      },
      stop: () => follower.end('SIGQUIT'),
    };
  };
  /** Waits until the standbys have applied what is committed: a standby without the database of a node refuses its connections. */
  const applied = async (): Promise<void> => {
    const [now] = await query<{ lsn: string }>('postgres', 'SELECT pg_current_wal_lsn() AS lsn');
    const lagging = 'SELECT 1 FROM pg_stat_replication WHERE replay_lsn < $1::pg_lsn';
    while ((await query('postgres', lagging, [now?.lsn])).length > 0) await sleep(20);
  };
  let databases = 0;
  return {
    ...{ port, ca: certificate.ca, owner, node, query, startStandby },
    createDatabase: async () => {
      databases += 1;
      const name = `test${databases}`;
      await query('postgres', `CREATE DATABASE ${name}`);
      await applied();
      return name;
    },
    halt: (signal = 'SIGKILL') => server.end(signal),
    resume: () => server.start(),
    stop: async () => {
      await server.end('SIGQUIT');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Place {
  readonly port: number;
  readonly folder: string;
  readonly certificate: { readonly certFile: string; readonly keyFile: string };
}

const configuration = (
  { fsync = false, settings = [] }: PostgresServerOptions,
  { port, folder, certificate: { certFile, keyFile } }: Place,
): string =>
  [
    `port = ${port}`,
    "listen_addresses = '127.0.0.1'",
    `unix_socket_directories = '${folder}'`,
    `fsync = ${fsync ? 'on' : 'off'}`,
    'ssl = on',
    `ssl_cert_file = '${certFile}'`,
    `ssl_key_file = '${keyFile}'`,
    'shared_buffers = 32MB',
    'max_connections = 60',
    ...settings,
    '',
  ].join('\n');

/** Debian keeps each version apart. */
async function program(name: string): Promise<string> {
  const versions = await readdir('/usr/lib/postgresql');
  const latest = versions.sort((a, b) => Number(b) - Number(a))[0];
  return `/usr/lib/postgresql/${latest}/bin/${name}`;
}

const isRoot = process.getuid?.() === 0;

async function giveAway(...folders: readonly string[]): Promise<void> {
  if (!isRoot) return;
  const { uid, gid } = await stat('/var/lib/postgresql');
  for (const folder of folders) await chown(folder, uid, gid);
  const [top = ''] = folders;
  for (const file of await readdir(top)) {
    await chown(join(top, file), uid, gid);
    await chmod(join(top, file), file === 'data' ? 0o700 : 0o600);
  }
}

const commandOf = (command: readonly string[]): readonly string[] =>
  isRoot ? ['runuser', '-u', 'postgres', '--', ...command] : command;

async function asPostgres(command: readonly string[], env = process.env): Promise<void> {
  const [first = '', ...rest] = commandOf(command);
  await run(first, rest, { cwd: '/', env });
}

interface ServerPlace {
  readonly data: string;
  readonly port: number;
  readonly env?: PostgresServerOptions['env'];
}

/** The time in milliseconds within which a server starts. */
const restartMilliseconds = 10_000;

/** One server at a time over one folder. */
class ServerProcess {
  readonly #command: readonly string[];
  readonly #where: ServerPlace;
  #child: ChildProcess | undefined;

  constructor(command: string, where: ServerPlace) {
    this.#command = [command, '-D', where.data];
    this.#where = where;
  }

  /** Starts the server. It ends at once while a process of a killed one is still attached to the shared memory: tried again for a time. */
  async start(): Promise<void> {
    for (const latest = Date.now() + restartMilliseconds; ; ) {
      this.#spawn();
      if (await this.#isAnswering()) return;
      if (Date.now() > latest) throw new Error('PostgreSQL does not start');
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  #spawn(): void {
    // setpriv changes the user itself: a runuser in between would be killed in the server's place.
    const user = isRoot ? ['--reuid', 'postgres', '--regid', 'postgres', '--init-groups'] : [];
    const [command, ...args] = boundToUs(this.#command);
    const env = { ...process.env, ...this.#where.env };
    this.#child = spawn(command, [...user, ...args], { stdio: 'ignore', cwd: '/', env });
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  /** Waits until the server answers, some time after it listens. @returns false if its process has ended */
  async #isAnswering(): Promise<boolean> {
    const { port } = this.#where;
    for (;;) {
      const client = new Client({ host: '127.0.0.1', port, database: 'postgres', ...owner });
      client.on('error', () => undefined);
      try {
        await client.connect();
        await client.end();
        return true;
      } catch {
        if (this.#child?.exitCode !== null || this.#child.signalCode !== null) return false;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  }
}
