/**
 * TLS of a bundled server: the certificate that its configuration names or, without one, a certificate for
 * this machine from an authority of our own, both made at the first start and kept in the data folder.
 */
import { readFileSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { X509Certificate } from 'node:crypto';
import type { TlsOptions } from '../adapters/http/index.ts';
import { systemClock, systemRandom } from '../adapters/system/index.ts';
import type { ServerConfig } from '../config.ts';
import { StartError } from '../start-error.ts';

/** Names in the data folder. */
export const certificateFiles = {
  authority: 'ca.pem',
  authorityKey: 'ca-key.pem',
  server: 'tls.pem',
  serverKey: 'tls-key.pem',
} as const;

const authorityDays = 3650;
/** Browsers take no server certificate that lives longer (CA/Browser Forum, 398 days). */
const serverDays = 397;
/** A certificate with less time left than this is made anew at the start. */
const renewDays = 30;

export interface ServerTls extends TlsOptions {
  /** Path of the authority's certificate, for clients to trust; undefined if the operator's own is used. */
  readonly authorityPath: string | undefined;
}

/** @throws StartError if a file cannot be read or written */
export async function serverTls(config: ServerConfig, server: 'manager' | 'ws'): Promise<ServerTls> {
  const { certificate, key } = config[server];
  if (certificate !== undefined && key !== undefined) {
    return {
      certificate: readFileSync(certificate, 'utf8'),
      key: readFileSync(key, 'utf8'),
      authorityPath: undefined,
    };
  }
  return ownCertificate(config.data);
}

/** The certificate of this machine in a data folder, made or renewed where need be. */
export async function ownCertificate(folder: string): Promise<ServerTls> {
  try {
    return await readOrMake(folder);
  } catch (cause) {
    if (cause instanceof StartError) throw cause;
    const why = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown reason';
    throw new StartError(`The certificates in the data folder ${folder} cannot be read or written (${why}).`, { cause });
  }
}

async function readOrMake(folder: string): Promise<ServerTls> {
  const paths = {
    authority: join(folder, certificateFiles.authority),
    authorityKey: join(folder, certificateFiles.authorityKey),
    server: join(folder, certificateFiles.server),
    serverKey: join(folder, certificateFiles.serverKey),
  };
  const authority = await pair(paths.authority, paths.authorityKey, () => makeAuthority(folder));
  const server = await pair(paths.server, paths.serverKey, () => makeServer(authority), isFresh);
  return { ...server, authorityPath: paths.authority };
}

interface Pair {
  readonly certificate: string;
  readonly key: string;
}

/** Reads a certificate and its key, or makes both. The key is written first: without it nothing is there. */
async function pair(
  certificatePath: string,
  keyPath: string,
  make: () => Promise<Pair>,
  isGood: (certificate: string) => boolean = () => true,
): Promise<Pair> {
  const [certificate, key] = await Promise.all([readIfThere(certificatePath), readIfThere(keyPath)]);
  if (certificate !== undefined && key !== undefined && isGood(certificate)) return { certificate, key };
  const made = await make();
  await writePrivate(keyPath, made.key);
  await writePrivate(certificatePath, made.certificate);
  return made;
}

async function makeAuthority(folder: string): Promise<Pair> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { createAuthority } = await import('../adapters/pki/index.ts');
  const ports = { clock: systemClock, random: systemRandom };
  return createAuthority({ commonName: `Watchword CA of ${hostname()}`, days: authorityDays }, ports);
}

async function makeServer(authority: Pair): Promise<Pair> {
  const { issueServerCertificate } = await import('../adapters/pki/index.ts');
  const ports = { clock: systemClock, random: systemRandom };
  const names = [...new Set(['localhost', hostname().toLowerCase()])];
  return issueServerCertificate(authority, { names, addresses: ['127.0.0.1', '::1'], days: serverDays }, ports);
}

function isFresh(certificate: string): boolean {
  try {
    const left = Date.parse(new X509Certificate(certificate).validTo) - systemClock.now();
    return left > renewDays * 86_400_000;
  } catch (cause) {
    throw new StartError(
      `${certificateFiles.server} in the data folder is damaged; remove it and ${certificateFiles.serverKey}, and new ones are made.`,
      { cause },
    );
  }
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Whole or not at all, and for the owner only. */
async function writePrivate(path: string, text: string): Promise<void> {
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, text, { mode: 0o600 });
  await rename(draft, path);
}
