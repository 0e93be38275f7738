/** The files of certificate orders in the data folder: the certificate with its key, the key of the account, and pending challenges. */
import { createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerConfig } from '@watchword/core';
import { StartError } from '@watchword/core/foundation';
import { createFileExclusively, replaceFile } from '@watchword/node';
import { formatPair, type Pair, plainKey, readIfThere, readPair } from '../secrets/pair-file.ts';
import { OrderError } from './order-error.ts';

type OrderConfig = Pick<ServerConfig, 'data' | 'acme'>;

/** Certificate and key from the ACME server, in the data folder. */
export const orderedCertificateFile = 'acme-key.pem';
const accountFile = 'acme-account.pem';
const challengeFile = (domain: string): string => `acme-challenge-${domain}.pem`;

/** The certificate of the ACME server, and the directory that issued it. */
interface Ordered extends Pair {
  readonly directory: string | undefined;
}

/** Returns the ordered certificate while it is valid; undefined without `acme`, and if the file is missing or damaged. */
export function orderedCertificate(config: OrderConfig, now: number): Ordered | undefined {
  const ordered = config.acme && readOrdered(join(config.data, orderedCertificateFile));
  if (!ordered) return undefined;
  return Date.parse(new X509Certificate(ordered.certificate).validTo) > now ? ordered : undefined;
}

function readOrdered(path: string): Ordered | undefined {
  const text = readIfThere(path);
  if (text === undefined) return undefined;
  try {
    return { ...readPair(path, plainKey), directory: /^# (\S+)\n/.exec(text)?.[1] };
  } catch (error) {
    if (error instanceof StartError) return undefined; // another one is ordered in its place
    throw error;
  }
}

/** Writes the certificate, and the directory that has issued it. */
export const keepOrdered = ({ data }: OrderConfig, directory: string, pair: Pair): void =>
  replaceFile(join(data, orderedCertificateFile), `# ${directory}\n${formatPair(pair, plainKey)}`);

/** Returns whether a certificate has to be ordered: there is none, it has other names, or a third of its lifetime is left. */
export function isOrderDue({ data, acme }: OrderConfig, now: number): boolean {
  if (!acme) return false;
  const ordered = orderedCertificate({ data, acme }, now);
  if (!ordered || ordered.directory !== acme.directory) return true;
  const certificate = new X509Certificate(ordered.certificate);
  return now >= renewalOf(certificate) || !hasNames(certificate, acme.domains);
}

/**
 * Refuses a certificate that a server could not use, or that would be ordered again at once.
 * @param now milliseconds since 1970
 * @throws OrderError
 */
export function assertUsable({ certificate: pem, key }: Pair, domains: readonly string[], now: number): void {
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(pem);
  } catch (cause) {
    throw new OrderError('it answers with no certificate', 'check acme.directory', { cause });
  }
  if (!certificate.checkPrivateKey(createPrivateKey(key)))
    throw new OrderError('it answers with a certificate of another key', 'check acme.directory');
  if (!hasNames(certificate, domains))
    throw new OrderError('its certificate does not have all names', 'check acme.domains');
  if (now >= renewalOf(certificate))
    throw new OrderError(
      `its certificate ends at ${new Date(certificate.validTo).toISOString()}`,
      'check the clock of this machine',
    );
}

/** Returns when a certificate is renewed: a third of its lifetime is left. */
function renewalOf({ validFrom, validTo }: X509Certificate): number {
  const [begin, end] = [Date.parse(validFrom), Date.parse(validTo)];
  return end - (end - begin) / 3;
}

const hasNames = ({ subjectAltName = '' }: X509Certificate, domains: readonly string[]): boolean => {
  const certified = new Set(
    subjectAltName.split(', ').map((name) => name.replace(/^DNS:/, '').toLowerCase()),
  );
  return domains.every((domain) => certified.has(domain));
};

/** Makes the private key of an account or a certificate, in PEM. */
export const newKey = (): string =>
  generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  }).privateKey;

/** Returns the key of the account at the ACME server; the first call makes it. @throws StartError if it is damaged */
export function accountKey({ data }: OrderConfig): string {
  const path = join(data, accountFile);
  if (readIfThere(path) === undefined) createFileExclusively(path, newKey());
  const key = plainKey.read(readIfThere(path) ?? '');
  if (key !== undefined) return key;
  throw new StartError(
    `${accountFile} in the data folder is damaged; restore it from a backup, or remove it, and a new account is made.`,
  );
}

/**
 * Keeps the certificate of a pending TLS-ALPN-01 challenge, for all processes on the data folder.
 * @throws OrderError for a name that the configuration does not have: a name becomes that of a file
 */
export function keepChallenge({ data, acme }: OrderConfig, domain: string, pair: Pair): void {
  if (!acme?.domains.includes(domain))
    throw new OrderError('it asks about a name that was not ordered', 'check acme.directory');
  replaceFile(join(data, challengeFile(domain)), formatPair(pair, plainKey));
}

export const removeChallenge = ({ data }: OrderConfig, domain: string): void =>
  rmSync(join(data, challengeFile(domain)), { force: true });

/**
 * Returns the certificate of a pending TLS-ALPN-01 challenge.
 * @param name the server name of a client: a path is made of names of the configuration only
 */
export function challengeCertificate({ data, acme }: OrderConfig, name: string): Pair | undefined {
  const domain = name.toLowerCase();
  if (acme?.challenge !== 'tls-alpn-01' || !acme.domains.includes(domain)) return undefined;
  const path = join(data, challengeFile(domain));
  return readIfThere(path) === undefined ? undefined : readPair(path, plainKey);
}
