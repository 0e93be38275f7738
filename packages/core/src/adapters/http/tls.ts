/** Server-side TLS from PEM texts, with each way to get them wrong told apart. */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { createSecureContext, type TlsOptions as NodeTlsOptions } from 'node:tls';
import { StartError } from '../../start-error.ts';

/** PEM texts. */
export interface TlsOptions {
  /** The server certificate, intermediates behind it. */
  readonly certificate: string;
  readonly key: string;
  /** Authorities of client certificates; with them, one is asked for, and the connection stands without it. */
  readonly ca?: string;
}

/** @throws StartError if certificate, key or authorities cannot be used */
export function secureOptions({ certificate, key, ca }: TlsOptions): NodeTlsOptions {
  const own = readCertificate(certificate, 'The server certificate');
  if (ca !== undefined) readCertificate(ca, 'The authority of client certificates'); // Node passes over a bad one
  if (!own.checkPrivateKey(readKey(key)))
    throw new StartError('The private key does not belong to the server certificate.');
  const context = { cert: certificate, key, minVersion: 'TLSv1.2', ...(ca !== undefined && { ca }) } as const;
  try {
    createSecureContext(context);
  } catch (cause) {
    throw new StartError('The server certificate is one that TLS refuses: its key may be too short.', {
      cause,
    });
  }
  return { ...context, requestCert: ca !== undefined, rejectUnauthorized: false };
}

function readCertificate(pem: string, what: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (cause) {
    throw new StartError(`${what} cannot be read; it has to be an X.509 certificate in PEM.`, { cause });
  }
}

function readKey(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch (cause) {
    throw new StartError('The private key cannot be read; it has to be in PEM and without a passphrase.', {
      cause,
    });
  }
}
