/**
 * TLS of a bundled server: the certificate that its configuration names or, without one, a certificate for
 * this machine from an authority of our own, both made at the first start and kept in the data folder. A
 * certificate and its key are one file: whenever and however often the servers start, they belong together.
 */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import type { TlsOptions } from '../adapters/http/index.ts';
import {
  codeOf,
  createOnce,
  replaceFile,
  systemClock,
  systemRandom,
  whyUnreadable,
} from '../adapters/system/index.ts';
import type { ServerConfig } from '../config.ts';
import { StartError } from '../start-error.ts';

/** Names in the data folder. */
export const certificateFiles = {
  /** The authority's certificate alone, for clients to trust. */
  authority: 'ca.pem',
  /** Certificate and key. */
  authorityKey: 'ca-key.pem',
  serverKey: 'tls-key.pem',
} as const;

const authorityDays = 3650;
/** Browsers take no server certificate that lives longer (CA/Browser Forum, 398 days). */
const serverDays = 397;
/** A certificate with less time left than this is made anew at the start. */
const renewMilliseconds = 30 * 86_400_000;

export interface ServerTls extends TlsOptions {
  /** Path of the authority's certificate, for clients to trust; undefined if the operator's own is used. */
  readonly authorityPath: string | undefined;
}

/** @throws StartError if a file cannot be read or written, or is damaged */
export async function serverTls(config: ServerConfig, server: 'manager' | 'ws'): Promise<ServerTls> {
  const tls = await serverCertificate(config, server);
  return server === 'ws' && asksForCertificates(config) ? { ...tls, ca: await clientAuthority(config) } : tls;
}

async function serverCertificate(config: ServerConfig, server: 'manager' | 'ws'): Promise<ServerTls> {
  const { certificate, key } = config[server];
  if (certificate === undefined || key === undefined) return ownCertificate(config.data);
  return { certificate: readNamed(certificate), key: readNamed(key), authorityPath: undefined };
}

/** One service is enough: which one a connection is for is known when TLS stands already. */
function asksForCertificates({ websrvs }: ServerConfig): boolean {
  return Object.values(websrvs).some(({ require }) => require === 'certificate' || require === 'either');
}

/** PEM of whoever vouches for calling systems: the operator's authority, or the one of the data folder. */
async function clientAuthority({ ws, data }: ServerConfig): Promise<string> {
  if (ws.client_ca !== undefined) return readNamed(ws.client_ca);
  await ownCertificate(data); // which makes the authority if there is none
  return readNamed(join(data, certificateFiles.authority));
}

/** The certificate of this machine in a data folder, made or renewed where need be. @throws StartError */
export async function ownCertificate(folder: string): Promise<ServerTls> {
  try {
    const authority = await ensurePair(join(folder, certificateFiles.authorityKey), makeAuthority);
    const authorityPath = join(folder, certificateFiles.authority);
    if (readIfThere(authorityPath) !== authority.certificate)
      replaceFile(authorityPath, authority.certificate);
    const path = join(folder, certificateFiles.serverKey);
    const server = await ensurePair(path, () => makeServer(authority));
    const good = isGood(server, authority) ? server : await renew(path, authority);
    return { ...good, authorityPath };
  } catch (cause) {
    if (cause instanceof StartError) throw cause;
    const why = whyUnreadable(cause);
    throw new StartError(
      `The certificates in the data folder ${folder} cannot be read or written (${why}).`,
      {
        cause,
      },
    );
  }
}

/** PEM texts. */
interface Pair {
  readonly certificate: string;
  readonly key: string;
}

/** Two servers that start at once make one each; both take the one that was there first. */
async function ensurePair(path: string, make: () => Promise<Pair>): Promise<Pair> {
  const text = readIfThere(path);
  if (text !== undefined) return parsePair(text, path);
  createOnce(path, formatPair(await make()));
  return parsePair(readFileSync(path, 'utf8'), path);
}

async function renew(path: string, authority: Pair): Promise<Pair> {
  const made = await makeServer(authority);
  replaceFile(path, formatPair(made));
  return made;
}

const formatPair = ({ certificate, key }: Pair): string => `${certificate.trim()}\n${key.trim()}\n`;

function parsePair(text: string, path: string): Pair {
  const [certificate] = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n?/.exec(text) ?? [];
  const [key] = /-----BEGIN PRIVATE KEY-----[^-]+-----END PRIVATE KEY-----\n?/.exec(text) ?? [];
  if (certificate !== undefined && key !== undefined && belongTogether(certificate, key))
    return { certificate, key };
  throw new StartError(
    `${basename(path)} in the data folder is damaged; restore it from a backup, or remove it, and a new one is made.`,
  );
}

function belongTogether(certificate: string, key: string): boolean {
  try {
    return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
  } catch {
    return false; // what does not parse belongs to nothing
  }
}

/** It lives for a while, and it is from the authority that clients are told to trust. */
function isGood(server: Pair, authority: Pair): boolean {
  const certificate = new X509Certificate(server.certificate);
  const left = Date.parse(certificate.validTo) - systemClock.now();
  return left > renewMilliseconds && certificate.verify(new X509Certificate(authority.certificate).publicKey);
}

async function makeAuthority(): Promise<Pair> {
  const { createAuthority } = await import('../adapters/pki/index.ts');
  const ports = { clock: systemClock, random: systemRandom };
  return createAuthority({ commonName: `Watchword CA of ${hostname()}`, days: authorityDays }, ports);
}

async function makeServer(authority: Pair): Promise<Pair> {
  const { issueServerCertificate } = await import('../adapters/pki/index.ts');
  const names = [...new Set(['localhost', hostname().toLowerCase()])];
  const server = { names, addresses: ['127.0.0.1', '::1'], days: serverDays };
  return issueServerCertificate(authority, server, { clock: systemClock, random: systemRandom });
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function readNamed(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new StartError(`${path} cannot be read (${whyUnreadable(cause)}).`, { cause });
  }
}
