/** Both servers as processes in front of OpenLDAP, with their state in a folder or in PostgreSQL. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createManager } from '@watchword/client';
import { nodeTransport } from '@watchword/client/node';
import { type PostgresServer, type Slapd, startPostgres, startSlapd } from '@watchword/core/testing/bed';
import { buildProgram, type Program, type Started, start } from '../operator/program.ts';

const run = promisify(execFile);

export type StoreKind = 'embedded' | 'postgres';

export interface Ground {
  readonly slapd: Slapd;
  readonly folder: string;
  /** Settings of the file beside the necessary ones. */
  write(settings?: object): Promise<void>;
  /** Starts a server on the file. */
  serve(name: 'watchword-manager' | 'watchword-ws'): Promise<Served>;
  /** Types a command of the Manager's program, to its end. */
  type(...args: readonly string[]): Started['ended'];
  /** The client of the administrator. @param shown a client certificate and its key, PEM */
  managerOf(server: Served, shown?: Shown): Promise<ReturnType<typeof createManager>>;
  /** Has a certificate signed for the administrator. */
  enrol(manager: ReturnType<typeof createManager>): Promise<Shown>;
  dispose(): Promise<void>;
}

/** A client certificate and its key, PEM. */
export interface Shown {
  readonly cert: string;
  readonly key: string;
}

export interface Served extends Started {
  readonly url: string;
  stop(signal?: NodeJS.Signals): Promise<unknown>;
}

const makeAuthority = [
  ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '30'],
  ...['-subj', '/CN=Watchword CA', '-addext', 'basicConstraints=critical,CA:TRUE'],
  ...['-addext', 'keyUsage=critical,keyCertSign,cRLSign', '-keyout', '-'],
];

export async function openGround(kind: StoreKind): Promise<Ground> {
  const folder = await mkdtemp(join(tmpdir(), 'watchword-configuration-'));
  const file = join(folder, 'watchword.yaml');
  const [program, slapd, postgres] = await Promise.all([
    buildProgram(),
    startSlapd(),
    kind === 'postgres' ? startPostgres() : undefined,
  ]);
  const shared = postgres && (await sharedStore(folder, postgres));
  const closing: (() => Promise<unknown>)[] = [];
  const write = (settings: object = {}) =>
    writeFile(
      file,
      JSON.stringify({
        data: 'data',
        ...shared,
        directory: {
          ...{ type: 'ldap', urls: [slapd.url], allow_plain: true, base: slapd.base },
          ...{ bind_dn: slapd.adminDn, bind_password: slapd.adminPassword },
        },
        domains: { Default: { base: slapd.base } },
        ...{ manager_auth: 'DN', super_admins: [slapd.adminDn], manager: { port: 0 }, ws: { port: 0 } },
        ...settings,
      }),
      { mode: 0o600 },
    );
  await write();
  if (postgres) await makeTables(program, file, { folder, postgres });
  return {
    ...{ slapd, folder, write },
    serve: async (name) => {
      const started = start(['--config', file], [process.execPath, program.modules[name]]);
      const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
        started.child.kill(signal);
        return started.ended;
      };
      closing.push(stop);
      return { ...started, stop, url: await started.prints(/https:\S+(?=\n)/) };
    },
    type: (...args) => start([...args, '--config', file], program.command).ended,
    managerOf: async ({ url }, shown) => {
      const ca = await readFile(join(folder, shared ? 'ca.pem' : 'data/ca.pem'), 'utf8');
      const { fetch, close } = nodeTransport({ ca, ...shown });
      closing.push(close);
      const admin = { username: slapd.adminDn, password: slapd.adminPassword };
      return createManager({ url: new URL('manag/', url).href, ...admin, fetch });
    },
    enrol: async (manager) => {
      const { stdout: pem } = await run('openssl', [
        ...['req', '-new', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
        ...['-subj', `/CN=${slapd.adminDn}/description=ADMIN`, '-keyout', '-'],
      ]);
      const begin = pem.indexOf('-----BEGIN CERTIFICATE REQUEST');
      const cert = await manager.Sign_certificate_Request({ request: pem.slice(begin), expires: 7 });
      return { cert: String(cert), key: pem.slice(0, begin) };
    },
    dispose: async () => {
      await Promise.all(closing.map((close) => close()));
      await Promise.all([slapd.stop(), postgres?.stop(), program.dispose()]);
      await rm(folder, { recursive: true });
    },
  };
}

/** As docs/guide/more-than-one-machine.md makes it, the key first. */
async function sharedStore(folder: string, postgres: PostgresServer): Promise<object> {
  const { stdout: pem } = await run('openssl', makeAuthority);
  const [key = '', certificate = ''] = pem.split(/(?=-----BEGIN CERTIFICATE-----)/);
  const keys = `${randomBytes(32).toString('base64')}\n`;
  const secrets = { 'database-ca.pem': postgres.ca, keys, 'node-password': postgres.node.password };
  for (const [name, text] of Object.entries({ 'ca.pem': certificate, 'ca-key.pem': key, ...secrets }))
    await writeFile(join(folder, name), text, { mode: 0o600 });
  const database = await postgres.createDatabase();
  const { user } = postgres.node;
  return {
    keys_file: 'keys',
    ca: { certificate: 'ca.pem', key: 'ca-key.pem' },
    store: {
      ...{ type: 'postgres', hosts: [`127.0.0.1:${postgres.port}`], database, user },
      ...{ password_file: 'node-password', ca: 'database-ca.pem' },
    },
  };
}

async function makeTables(
  { command }: Program,
  file: string,
  { folder, postgres: { owner } }: { readonly folder: string; readonly postgres: PostgresServer },
): Promise<void> {
  const password = join(folder, 'owner-password');
  await writeFile(password, `${owner.password}\n`, { mode: 0o600 });
  const made = await start(
    ['tables', '--config', file, '--user', owner.user, '--password-file', password],
    command,
  ).ended;
  if (made.code !== 0) throw new Error(made.errors);
}

/** Asks the web services for their status. @returns the HTTP status */
export const askStatus = async ({ url }: Served, headers: Record<string, string> = {}): Promise<number> =>
  (await ask(`${url}otp/json/otpStatus/`, headers)).status;

/** Asks a server whether all that it needs answers. @returns the HTTP status */
export const askReady = async ({ url }: Served): Promise<number> => (await ask(`${url}readyz`)).status;

function ask(url: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number }>((resolve, reject) => {
    request(url, { rejectUnauthorized: false, agent: false, headers }, (response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0 });
    })
      .on('error', reject)
      .end();
  });
}
