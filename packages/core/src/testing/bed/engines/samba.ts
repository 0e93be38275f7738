/**
 * A throwaway Active Directory domain controller for tests: Samba AD DC for EXAMPLE.TEST with our schema. Its LDAP
 * ports are fixed, so it runs in a network namespace of its own, and a relay brings the ports out to loopback.
 * Needs root and the Debian packages samba, samba-ad-dc, samba-ad-provision, samba-dsdb-modules, winbind, socat,
 * iproute2 and ldap-utils. Provisioning takes about 5 s, starting 2 s.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  boundToUs,
  checkout,
  issueCertificate,
  joinSockets,
  type Listener,
  listenOnLoopback,
  run,
  type ServerCertificate,
  scratchFolder,
} from '../scratch.ts';

/** A running domain controller. */
export interface Samba {
  /** `ldap://`; StartTLS offered, simple binds in clear allowed. */
  readonly url: string;
  readonly ldapsUrl: string;
  /** Certificate of the CA that it listens with, PEM. */
  readonly ca: string;
  readonly base: string;
  /** The container of users and groups. */
  readonly users: string;
  /** The domain's administrator. */
  readonly adminDn: string;
  readonly adminPassword: string;
  /** An ordinary user, who may read. */
  readonly readerDn: string;
  readonly readerPassword: string;
  /** Path of its smb.conf, for samba-tool. */
  readonly configuration: string;
  /** Ends it and removes its folder. */
  stop(): Promise<void>;
}

const schema = fileURLToPath(new URL('schema/watchword.ldf', checkout));

export interface SambaOptions {
  /** Default `EXAMPLE.TEST`. */
  readonly realm?: string;
  /** True: five wrong passwords lock an account for a minute; the default. */
  readonly locks?: boolean;
}

const passwords = { adminPassword: 'Adm1nistrator!', readerPassword: 'R3ad-only!' } as const;

function accountsOf(realm: string) {
  const base = realm
    .toLowerCase()
    .split('.')
    .map((label) => `DC=${label}`)
    .join(',');
  const users = `CN=Users,${base}`;
  return { base, users, adminDn: `CN=Administrator,${users}`, readerDn: `CN=reader,${users}`, ...passwords };
}

type Accounts = ReturnType<typeof accountsOf>;

export async function startSamba({
  realm = 'EXAMPLE.TEST',
  locks = true,
}: SambaOptions = {}): Promise<Samba> {
  const folder = await scratchFolder('samba');
  const certificate = await issueCertificate(folder);
  const accounts = accountsOf(realm);
  await provision(folder, certificate, { realm, locks });
  const controller = startController(folder);
  const bringOut = (name: string): Promise<Listener> =>
    listenOnLoopback((client) => joinSockets(client, createConnection(join(folder, `${name}.sock`))));
  const [plain, tls] = await Promise.all([bringOut('ldap'), bringOut('ldaps')]);
  const stop = async (): Promise<void> => {
    await Promise.all([plain.stop(), tls.stop(), end(controller)]);
    await rm(folder, { recursive: true, force: true });
  };
  const samba = {
    ...accounts,
    url: `ldap://localhost:${plain.port}`,
    ldapsUrl: `ldaps://localhost:${tls.port}`,
    ca: certificate.ca,
    configuration: join(folder, 'etc', 'smb.conf'),
    stop,
  };
  try {
    await answering(samba.url);
    const own = (await readFile(schema, 'utf8')).replaceAll('DC=X', samba.base);
    await modify(samba, folder, own);
    await modify(samba, folder, reader(samba));
    return samba;
  } catch (error) {
    await stop();
    throw error;
  }
}

let shared: Promise<Samba> | undefined;

/**
 * One for all suites of a test file, which are played on it one after the other; without lockouts, which would be one more throttle.
 * `DC=example,DC=org`, as the other directories of tests.
 */
export function sharedSamba(): Promise<Samba> {
  shared ??= startSamba({ realm: 'EXAMPLE.ORG', locks: false });
  return shared;
}

export async function stopSharedSamba(): Promise<void> {
  await (await shared)?.stop();
  shared = undefined;
}

/** Removes entries with all below them, so that the next suite begins with none. */
export async function removeWhole(samba: Samba, dns: readonly string[]): Promise<void> {
  const bind = ['-x', '-D', samba.adminDn, '-w', samba.adminPassword];
  if (dns.length > 0) await run('ldapdelete', [...bind, '-H', samba.url, '-r', ...dns]);
}

async function provision(
  folder: string,
  { caFile, certFile, keyFile }: ServerCertificate,
  { realm, locks }: Required<SambaOptions>,
): Promise<void> {
  await Promise.all(['logs', 'run', 'ncalrpc'].map((name) => mkdir(join(folder, name))));
  const empty = join(folder, 'empty.conf');
  await writeFile(empty, '');
  // Samba takes no key that others may read.
  await chmod(keyFile, 0o600);
  const settings = {
    interfaces: '127.0.0.1/8',
    'bind interfaces only': 'yes',
    'server services': 'ldap,cldap',
    'dsdb:schema update allowed': 'yes',
    'vfs objects': '',
    'tls enabled': 'yes',
    'tls cafile': caFile,
    'tls certfile': certFile,
    'tls keyfile': keyFile,
    'log file': join(folder, 'logs', 'log.%m'),
    'pid directory': join(folder, 'run'),
    'ncalrpc dir': join(folder, 'ncalrpc'),
  };
  const domain = [`--realm=${realm}`, '--domain=EXAMPLE', '--server-role=dc', '--dns-backend=NONE'];
  const host = ['--host-name=dc1', '--host-ip=127.0.0.1', `--adminpass=${passwords.adminPassword}`];
  const options = Object.entries(settings).map(([name, value]) => `--option=${name}=${value}`);
  const where = ['-s', empty, `--targetdir=${folder}`];
  await run('samba-tool', ['domain', 'provision', ...where, ...domain, ...host, '--use-rfc2307', ...options]);
  await addLaterSettings(folder);
  await setPasswordPolicy(folder, locks);
}

/** Settings that provisioning does not keep. */
const laterSettings = [
  // Simple binds without TLS, to see what is refused then.
  'ldap server require strong auth = no',
  // A password that has been replaced is not good for another hour.
  'old password allowed period = 0',
];

async function addLaterSettings(folder: string): Promise<void> {
  const file = join(folder, 'etc', 'smb.conf');
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace('[global]', ['[global]', ...laterSettings].join('\n\t')));
}

async function setPasswordPolicy(folder: string, locks: boolean): Promise<void> {
  const store = ['-s', join(folder, 'etc', 'smb.conf'), '-H', `tdb://${join(folder, 'private', 'sam.ldb')}`];
  const lock = [
    `--account-lockout-threshold=${locks ? 5 : 0}`,
    '--account-lockout-duration=1',
    '--reset-account-lockout-after=1',
  ];
  await run('samba-tool', ['domain', 'passwordsettings', 'set', ...store, '--min-pwd-age=0', ...lock]);
}

/** Samba in a network namespace, and next to it what connects its ports with sockets in the folder. */
function startController(folder: string): ChildProcess {
  const forward = (name: string, port: number): string =>
    `socat UNIX-LISTEN:${join(folder, `${name}.sock`)},fork,mode=600 TCP:127.0.0.1:${port} &`;
  const script = [
    'ip link set lo up',
    forward('ldap', 389),
    forward('ldaps', 636),
    `exec samba -F --no-process-group -M single -s ${join(folder, 'etc', 'smb.conf')} -d 0`,
  ].join('\n');
  // In a process namespace of its own, too, all of it ends with its first process.
  const namespaces = ['unshare', '--net', '--pid', '--fork', '--kill-child', 'bash', '-c', script];
  const [command, ...args] = boundToUs(namespaces);
  return spawn(command, args, { stdio: 'ignore' });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

async function answering(url: string): Promise<void> {
  for (let tries = 0; tries < 2000; tries += 1) {
    const search = [
      '-x',
      '-LLL',
      '-o',
      'nettimeout=2',
      '-H',
      url,
      '-s',
      'base',
      '-b',
      '',
      'defaultNamingContext',
    ];
    const answer = await run('ldapsearch', search, { timeout: 5_000 }).catch(() => undefined);
    if (answer?.stdout.includes('defaultNamingContext')) return;
    await sleep(50);
  }
  throw new Error('Samba does not answer');
}

async function modify(
  { url, adminDn, adminPassword }: Accounts & Pick<Samba, 'url'>,
  folder: string,
  ldif: string,
): Promise<void> {
  const file = join(folder, 'changes.ldif');
  await writeFile(file, ldif);
  await run('ldapmodify', ['-x', '-H', url, '-D', adminDn, '-w', adminPassword, '-f', file]);
}

function reader({ readerDn, readerPassword }: Accounts): string {
  return [
    `dn: ${readerDn}`,
    'changetype: add',
    'objectClass: user',
    'sAMAccountName: reader',
    `unicodePwd:: ${Buffer.from(`"${readerPassword}"`, 'utf16le').toString('base64')}`,
    'userAccountControl: 512',
    '',
  ].join('\n');
}
