/** TLS options of servers from PEM texts, with an error for each fault. */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import {
  createSecureContext,
  type TlsOptions as NodeTlsOptions,
  TLSSocket,
  type Server as TlsServer,
} from 'node:tls';
import { StartError } from '@watchword/core/foundation';

/**
 * Cipher suites of TLS 1.3, and those of TLS 1.2 with authenticated encryption and forward secrecy (RFC 9325 §4.2), in the order of preference.
 */
const suites = [
  ...['TLS_AES_256_GCM_SHA384', 'TLS_AES_128_GCM_SHA256', 'TLS_CHACHA20_POLY1305_SHA256'],
  ...['ECDHE-ECDSA-AES256-GCM-SHA384', 'ECDHE-RSA-AES256-GCM-SHA384'],
  ...['ECDHE-ECDSA-AES128-GCM-SHA256', 'ECDHE-RSA-AES128-GCM-SHA256'],
  ...['ECDHE-ECDSA-CHACHA20-POLY1305', 'ECDHE-RSA-CHACHA20-POLY1305'],
].join(':');

/** The protocol of every listener, in spite of Node's options. */
const protocol = { minVersion: 'TLSv1.2', maxVersion: 'TLSv1.3', ciphers: suites } as const;

/** TLS of a server, in PEM. */
export interface TlsOptions {
  /** The server certificate, followed by intermediates. */
  readonly certificate: string;
  readonly key: string;
  /** Authorities of client certificates; with them an optional certificate is requested. */
  readonly ca?: string;
}

/**
 * Makes TLS options of Node from PEM texts: TLS 1.2 and 1.3 with forward secrecy and authenticated encryption.
 * @param options the server certificate, its key without a passphrase, and the authorities of client certificates
 * @returns options for `createServer` of `node:https` or `node:tls`
 * @throws StartError if certificate, key or authorities cannot be used
 * @see RFC 9325 §4.2
 * @example
 * ```ts
 * import { systemClock, systemRandom } from '@watchword/node';
 * import { secureOptions } from '@watchword/node/http';
 * import { createAuthority, issueServerCertificate } from '@watchword/pki';
 *
 * const ports = { clock: systemClock, random: systemRandom };
 * const authority = await createAuthority({ commonName: 'Example CA', days: 30 }, ports);
 * const server = await issueServerCertificate(authority, { names: ['localhost'], addresses: [], days: 7 }, ports);
 * console.log(secureOptions({ ...server, ca: authority.certificate }).requestCert); // true
 * ```
 */
export function secureOptions({ certificate, key, ca }: TlsOptions): NodeTlsOptions {
  const own = readCertificate(certificate, 'The server certificate');
  if (ca !== undefined) readCertificate(ca, 'The authority of client certificates'); // Node ignores an invalid one
  if (!own.checkPrivateKey(readKey(key)))
    throw new StartError('The private key does not belong to the server certificate.');
  const context = { cert: certificate, key, ...protocol, ...(ca !== undefined && { ca }) } as const;
  try {
    createSecureContext(context);
  } catch (cause) {
    throw new StartError('The server certificate is one that TLS refuses: its key may be too short.', {
      cause,
    });
  }
  return { ...context, requestCert: ca !== undefined, rejectUnauthorized: false };
}

/**
 * Sets the TLS settings of new connections. `setSecureContext` changes no request of client certificates: a server reads its property
 * `requestCert` at each handshake.
 */
export function replaceTls(server: TlsServer, options: NodeTlsOptions): void {
  server.setSecureContext(options);
  Object.assign(server, { requestCert: options.requestCert === true });
}

/** The protocol of a TLS-ALPN-01 challenge (RFC 8737 §6.2). */
const challengeProtocol = 'acme-tls/1';

/** Returns the certificate of a pending challenge for a server name; undefined if there is none. */
export type ChallengeCertificate = (serverName: string) => Omit<TlsOptions, 'ca'> | undefined;

/**
 * Makes the TLS option of Node that answers TLS-ALPN-01 challenges; other connections speak HTTP/1.1. The challenge has no handshake without
 * its certificate.
 */
export const challengeOptions = (certificateOf: ChallengeCertificate): NodeTlsOptions => ({
  ALPNCallback(this: unknown, { servername, protocols }) {
    if (!protocols.includes(challengeProtocol)) return protocols.find((protocol) => protocol === 'http/1.1');
    if (!(this instanceof TLSSocket)) return undefined;
    try {
      const pair = certificateOf(servername);
      if (!pair) return undefined;
      this.setKeyCert(createSecureContext({ cert: pair.certificate, key: pair.key, ...protocol }));
    } catch {
      return undefined; // its files may be removed, or damaged: an error here would end the process
    }
    return challengeProtocol;
  },
});

/** Ends connections of challenges after the handshake, before they are served. */
export function endChallenges(server: TlsServer): void {
  server.prependListener('secureConnection', (socket) => {
    if (socket.alpnProtocol === challengeProtocol) socket.destroy();
  });
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
