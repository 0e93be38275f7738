/**
 * A throwaway OpenLDAP server for tests: a slapd on loopback with a folder and ports of its own, our schema, TLS, ppolicy, memberOf and
 * access rules. Nothing is installed, and its folder is removed. It needs the Debian packages slapd and ldap-utils.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  accepting,
  boundToUs,
  checkout,
  freePorts,
  issueCertificate,
  run,
  scratchFolder,
} from '../scratch.ts';
import { base, type Mirror, seedLdif, slapdConfiguration } from './slapd-configuration.ts';

export interface SlapdOptions {
  /** The number of `uid=user<n>,ou=people` with password `password<n mod 10>`; default 0. */
  readonly users?: number;
  /** Entries to begin with instead of the usual ones, all that LDIF says checked; in pieces where they are many. */
  readonly ldif?: string | Iterable<string>;
  /** The base, if not `dc=example,dc=org`; its `ldif` needs an entry there. */
  readonly base?: string;
  /** Loads the LDIF unchecked, in a hundredth of the time. */
  readonly unchecked?: boolean;
  /** The hash of new passwords: `{SSHA}` (default, quick), `{ARGON2}`, `{SSHA512}`, … */
  readonly hash?: string;
  /** Largest number of entries that an unpaged search gives, as an operator may set it; default: no limit. */
  readonly sizeLimit?: number;
  /** Largest number of entries that all pages of a paged search give; default: no limit. */
  readonly pagedLimit?: number;
  /** Whether our classes and attributes are loaded; default true. Without them no `users` can be made. */
  readonly accountSchema?: boolean;
  /** Text of another schema of accounts and groups of POSIX than OpenLDAP's `nis.schema`. */
  readonly nis?: string;
  /** Whether the overlay of password policies is there; default true. Without it the usual entries cannot be loaded. */
  readonly ppolicy?: boolean;
  /** Bytes that its database may grow to; default 1 GiB. */
  readonly maxSize?: number;
  /** Indexes beside the usual ones, as `webadmSettings pres`. */
  readonly indexes?: readonly string[];
  /** Access rules, slapd.access(5), instead of the usual ones. */
  readonly access?: string;
  /** Seconds that an account stays locked after five wrong passwords; default 2. */
  readonly lockSeconds?: number;
  /** Its ports, ldap and ldaps. Optional; default: free ones. */
  readonly ports?: readonly [number, number];
  /** The other server of a replicating pair: see {@link startSlapdPair}. */
  readonly mirror?: Mirror;
}

/** A running slapd. All DNs stand below `base`; people and groups are its containers. */
export interface Slapd {
  /** `ldap://`, StartTLS offered. */
  readonly url: string;
  readonly ldapsUrl: string;
  readonly port: number;
  readonly ldapsPort: number;
  /** Certificate of the CA that both listen with, PEM. */
  readonly ca: string;
  readonly base: string;
  readonly people: string;
  readonly groups: string;
  /** Above every access rule and password policy. */
  readonly rootDn: string;
  readonly rootPassword: string;
  /** An entry like any other that may write everything. */
  readonly adminDn: string;
  readonly adminPassword: string;
  /** May read everything but passwords, and write nothing. */
  readonly readerDn: string;
  readonly readerPassword: string;
  /** Undefined while it is stopped. */
  pid(): number | undefined;
  /** Stops it and starts it again on the same ports with the same data. */
  restart(): Promise<void>;
  /** Ends the process and keeps the data, for {@link Slapd.resume}. */
  halt(signal?: NodeJS.Signals): Promise<void>;
  resume(): Promise<void>;
  /** Ends it and removes its folder. */
  stop(): Promise<void>;
}

const schema = fileURLToPath(new URL('schema/watchword.schema', checkout));

/** Starts a slapd with an empty tree: base, people, groups, policies, the administrator and the reader. */
export async function startSlapd(options: SlapdOptions = {}): Promise<Slapd> {
  const folder = await scratchFolder('slapd');
  await mkdir(join(folder, 'db'));
  const certificate = await issueCertificate(folder);
  const configuration = join(folder, 'slapd.conf');
  const place = options.base ?? base;
  const seed = join(folder, 'seed.ldif');
  const { nis, ...rest } = options;
  if (nis !== undefined) await writeFile(join(folder, 'nis.schema'), nis);
  await writeFile(
    configuration,
    slapdConfiguration({
      ...rest,
      ...(nis !== undefined && { nis: join(folder, 'nis.schema') }),
      base: place,
      folder,
      certificate,
      ...(options.accountSchema !== false && { schema }),
    }),
  );
  if (options.mirror?.id !== 2) {
    await writeFile(seed, options.ldif ?? seedLdif(options));
    const quick = options.ldif === undefined || options.unchecked ? ['-q'] : [];
    await run('/usr/sbin/slapadd', [...quick, '-f', configuration, '-b', place, '-l', seed]);
  }
  const [port, ldapsPort] = options.ports ?? ((await freePorts(2)) as [number, number]);
  const server = new SlapdProcess(configuration, [port, ldapsPort]);
  await server.start();
  return {
    url: `ldap://localhost:${port}`,
    ldapsUrl: `ldaps://localhost:${ldapsPort}`,
    port,
    ldapsPort,
    ca: certificate.ca,
    ...whoIsThere(place),
    pid: () => server.pid,
    restart: async () => {
      await server.end('SIGTERM');
      await server.start();
    },
    halt: (signal = 'SIGTERM') => server.end(signal),
    resume: () => server.start(),
    stop: async () => {
      await server.end('SIGTERM');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Two that take writes and replicate them to each other (RFC 4533); the second one gets all of it from the first. */
export async function startSlapdPair(options: SlapdOptions = {}): Promise<readonly [Slapd, Slapd]> {
  const [one, oneTls, other, otherTls] = (await freePorts(4)) as [number, number, number, number];
  const first = await startSlapd({ ...options, ports: [one, oneTls], mirror: { id: 1, of: other } });
  const second = await startSlapd({ ...options, ports: [other, otherTls], mirror: { id: 2, of: one } });
  return [first, second];
}

const whoIsThere = (base: string) => ({
  base,
  people: `ou=people,${base}`,
  groups: `ou=groups,${base}`,
  rootDn: `cn=admin,${base}`,
  rootPassword: 'root-secret',
  adminDn: `cn=administrator,ou=people,${base}`,
  adminPassword: 'Adm1nistrator!',
  readerDn: `cn=reader,ou=people,${base}`,
  readerPassword: 'R3ad-only!',
});

/** One slapd process at a time over one folder, always in the foreground as our child. */
class SlapdProcess {
  readonly #configuration: string;
  readonly #ports: readonly [number, number];
  #child: ChildProcess | undefined;

  constructor(configuration: string, ports: readonly [number, number]) {
    this.#configuration = configuration;
    this.#ports = ports;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  async start(): Promise<void> {
    const [plain, tls] = this.#ports;
    const listen = `ldap://127.0.0.1:${plain} ldaps://127.0.0.1:${tls}`;
    const slapd = ['/usr/sbin/slapd', '-d', '0', '-f', this.#configuration, '-h', listen];
    const [command, ...args] = boundToUs(slapd);
    const child = spawn(command, args, { stdio: 'ignore' });
    this.#child = child;
    await Promise.all([accepting(plain), accepting(tls)]);
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }
}
