/**
 * TLS of a bundled server: the certificate that its configuration names; without one, that of the ACME server; without that, a certificate for
 * this machine from the authority of the installation, made at the first start and kept in the data folder.
 */
import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { ServerConfig } from '@watchword/core';
import { replaceFile, systemClock, systemRandom } from '@watchword/node';
import type { TlsOptions } from '@watchword/node/http';
import { orderedCertificate } from '../acme/acme-files.ts';
import { type AuthorityPlace, authorityFiles, ensureAuthority } from './authority.ts';
import { ensurePair, formatPair, inFolder, type Pair, plainKey, readNamed } from './pair-file.ts';

/** Certificate and key of the servers, in the data folder. */
export const ownCertificateFile = 'tls-key.pem';
/** Browsers take no server certificate that lives longer (CA/Browser Forum, 398 days). */
const serverDays = 397;
/** The remaining time below which a certificate is renewed at the start. */
const renewMilliseconds = 30 * 86_400_000;

export interface ServerTls extends TlsOptions {
  /** Path of the authority's certificate, for clients to trust; undefined if the operator's own is used. */
  readonly authorityPath: string | undefined;
  /** Whether the server renews the certificate; else people replace its files. */
  readonly isRenewed: boolean;
}

interface ServerPlace extends AuthorityPlace {
  readonly config: ServerConfig;
}

/** @throws StartError if a file cannot be read or written, or is damaged */
export async function serverTls(server: 'manager' | 'ws', place: ServerPlace): Promise<ServerTls> {
  const { certificate, key } = place.config[server];
  const tls =
    certificate === undefined || key === undefined
      ? (ordered(place) ?? (await ownCertificate(place)))
      : {
          certificate: readNamed(certificate),
          key: readNamed(key),
          authorityPath: undefined,
          isRenewed: false,
        };
  return asksForCertificates[server](place.config)
    ? { ...tls, ca: await clientAuthority(server, place) }
    : tls;
}

function ordered({ config }: ServerPlace): ServerTls | undefined {
  const found = orderedCertificate(config, systemClock.now());
  return (
    found && { certificate: found.certificate, key: found.key, authorityPath: undefined, isRenewed: true }
  );
}

/** Certificates of administrators are always from the authority of the installation, which has them on record. */
async function clientAuthority(server: 'manager' | 'ws', place: ServerPlace): Promise<string> {
  const { client_ca } = place.config.ws;
  return server === 'manager' || client_ca === undefined
    ? (await ensureAuthority(place)).certificate
    : readNamed(client_ca);
}

const asksForCertificates = {
  manager: ({ manager_auth, admin_auth }: ServerConfig): boolean =>
    manager_auth === 'PKI' || admin_auth === 'PKI',
  /** Returns whether any service demands a certificate: TLS ends before the service is known. */
  ws: ({ websrvs }: ServerConfig): boolean =>
    Object.values(websrvs).some(({ require }) => require === 'certificate' || require === 'either'),
};

/** Whether anybody is asked for a certificate of this authority's. */
export const demandsCertificates = (config: ServerConfig): boolean =>
  asksForCertificates.manager(config) || asksForCertificates.ws(config);

/** Addresses that clients reach the servers at; left out: the name of this machine alone. */
type Addresses = Partial<Pick<ServerConfig, 'ws_url' | 'manager_url'>>;

interface CertificatePlace extends AuthorityPlace {
  readonly config: AuthorityPlace['config'] & Addresses;
}

/** The certificate of this machine in the data folder, made or renewed where need be. @throws StartError */
export async function ownCertificate(place: CertificatePlace): Promise<ServerTls> {
  const folder = place.config.data;
  const authority = await ensureAuthority(place);
  return inFolder(folder, async () => {
    const path = join(folder, ownCertificateFile);
    const server = await ensurePair(path, {
      form: plainKey,
      make: () => makeServer(authority, place.config),
    });
    const good = isGood(server, authority) ? server : await renew(path, authority, place.config);
    return { ...good, authorityPath: join(folder, authorityFiles.certificate), isRenewed: true };
  });
}

async function renew(path: string, authority: Pair, addresses: Addresses): Promise<Pair> {
  const made = await makeServer(authority, addresses);
  replaceFile(path, formatPair(made, plainKey));
  return made;
}

/** Returns whether a certificate is valid for long enough, and from the authority that clients trust. */
function isGood(server: Pair, authority: Pair): boolean {
  const certificate = new X509Certificate(server.certificate);
  const left = Date.parse(certificate.validTo) - systemClock.now();
  return left > renewMilliseconds && certificate.verify(new X509Certificate(authority.certificate).publicKey);
}

async function makeServer(authority: Pair, { ws_url, manager_url }: Addresses): Promise<Pair> {
  const { issueServerCertificate } = await import('@watchword/pki');
  const hosts = [ws_url, manager_url].flatMap((url) => (url === undefined ? [] : [hostOf(url)]));
  const all = [...new Set(['localhost', hostname().toLowerCase(), '127.0.0.1', '::1', ...hosts])];
  const names = all.filter((host) => isIP(host) === 0);
  const addresses = all.filter((host) => isIP(host) !== 0);
  const server = { names, addresses, days: serverDays };
  return issueServerCertificate(authority, server, { clock: systemClock, random: systemRandom });
}

/** Returns the host of a URL in small letters, an IPv6 address without its brackets. */
const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');
