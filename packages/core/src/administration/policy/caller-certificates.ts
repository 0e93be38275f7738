/**
 * Verifies client certificates of calling systems. Those of our own authority must be issued to a system, as it also signs for users and
 * administrators. For another authority, the operator who configured it is responsible.
 */
import { hash, X509Certificate } from 'node:crypto';
import type { ServiceConfig } from '../../config/config.ts';
import type { PeerCertificate } from '../../foundation/http/http.ts';
import type { Ports } from '../../ports/ports.ts';
import { verifyOwnCertificate } from '../pki/own-certificate.ts';
import type { Caller } from './caller.ts';
import type { ClientPolicies } from './client-policies.ts';

export interface CertificatePorts extends Pick<Ports, 'authority' | 'certificates' | 'clock' | 'log'> {
  readonly config: ServiceConfig;
}

/** A system that has shown who it is. */
export interface CertifiedCaller {
  /** The identity, as in {@link Caller.certificate}. */
  readonly identity: NonNullable<Caller['certificate']>;
  /** The client policy that has its name; undefined: there is none. */
  readonly client: string | undefined;
}

export class CallerCertificates {
  readonly #ports: CertificatePorts;
  readonly #clients: Pick<ClientPolicies, 'configured'>;

  constructor(ports: CertificatePorts, clients: Pick<ClientPolicies, 'configured'>) {
    this.#ports = ports;
    this.#clients = clients;
  }

  /** Returns the caller of a certificate; undefined: it proves nothing. @throws ServiceError `unavailable` */
  async judge({ pem, authorized }: PeerCertificate): Promise<CertifiedCaller | undefined> {
    // Anybody can make a certificate: one that TLS has not checked proves nothing.
    if (!authorized) return this.#refuse('was not authorised');
    const { authority, config } = this.#ports;
    if (config.caller_certificates === 'any' && !(await authority.recognise(pem)))
      return { identity: nameElsewhere(pem), client: undefined };
    const judged = await verifyOwnCertificate(pem, this.#ports);
    if (!judged.good) return this.#refuse(judged.why);
    const { certificate } = judged;
    if (certificate.kind !== 'CLIENT') return this.#refuse(`is one of kind ${certificate.kind}`);
    const { client } = certificate;
    return { identity: `own:${client.toLowerCase()}`, client: this.#clients.configured(client) };
  }

  #refuse(why: string): undefined {
    this.#ports.log.info('a certificate does not belong to a calling system', { why });
  }
}

/** Without the key and the dates, which change when it is renewed; with the issuer: two of them may use one name. */
function nameElsewhere(pem: string): string {
  const { issuer, subject, subjectAltName = '' } = new X509Certificate(pem);
  return `other:${hash('sha256', JSON.stringify([issuer, subject, subjectAltName]))}`;
}
