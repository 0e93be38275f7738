/**
 * The authorities that client certificates come from, for a certificate that no TLS of ours has checked. What is
 * asked of it is what TLS asks: an issuer among them, its signature, the time, and that it is for clients
 * (RFC 5280 §4.2.1.12). A header brings one certificate and no chain, so the issuer itself has to be among them.
 */
import { X509Certificate } from 'node:crypto';
import type { Clock } from '../../ports/clock.ts';

const clientAuthentication = '1.3.6.1.5.5.7.3.2';

export class ClientAuthorities {
  readonly #authorities: readonly X509Certificate[];
  readonly #clock: Clock;

  /** @param pem their certificates, one behind the other; undefined: there are none, and nobody is vouched for */
  constructor(pem: string | undefined, clock: Clock) {
    const blocks = pem?.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
    this.#authorities = blocks.map((block) => new X509Certificate(block)).filter(({ ca }) => ca);
    this.#clock = clock;
  }

  vouchFor(certificate: X509Certificate): boolean {
    if (!isForClients(certificate) || !this.#isCurrent(certificate)) return false;
    return this.#authorities.some(
      (authority) =>
        this.#isCurrent(authority) &&
        !authority.raw.equals(certificate.raw) && // a root vouches for itself, and is no client
        certificate.checkIssued(authority) &&
        certificate.verify(authority.publicKey),
    );
  }

  #isCurrent({ validFrom, validTo }: X509Certificate): boolean {
    const now = this.#clock.now();
    return now >= Date.parse(validFrom) && now <= Date.parse(validTo);
  }
}

/** `keyUsage` is what Node calls the extended one; without it a certificate is good for everything. */
const isForClients = ({ keyUsage }: X509Certificate): boolean =>
  (keyUsage as readonly string[] | undefined)?.includes(clientAuthentication) ?? true;
