/**
 * The port of records of the certificates that the authority has issued, for revocation and the lists of certificates.
 * @see docs/concepts/factors-and-login-modes.md#certificate
 * @example
 * ```ts
 * import { openEmbedded } from '@watchword/engines';
 *
 * const engines = await openEmbedded('./data', { base: 'dc=example,dc=org' });
 * const validity = { issued: engines.clock.now(), notAfter: engines.clock.now() + 86_400_000 };
 * await engines.certificates.add({ serial: '0a', subject: 'CN=shop', client: 'shop', ...validity });
 * console.log(await engines.certificates.revoke('0a', engines.clock.now())); // true
 * console.log(await engines.certificates.revoke('0a', engines.clock.now())); // false
 * await engines.close();
 * ```
 */
export interface CertificateRecords {
  /** Durable when it resolves. */
  add(record: CertificateRecord): Promise<void>;

  find(serial: string): Promise<CertificateRecord | undefined>;

  /** Those of an owner, the oldest first. */
  of(owner: OwnerKey): Promise<readonly CertificateRecord[]>;

  /** Whether there is one of a kind. All may be looked at: not for every request. */
  some(isWanted: (record: CertificateRecord) => boolean): Promise<boolean>;

  /** Returns the revoked certificates that were valid at a moment or later, in milliseconds since 1970. */
  revoked(since: number): Promise<readonly KnownRevocation[]>;

  /**
   * Marks one as revoked at a moment, in milliseconds since 1970; durable when it resolves. False, and nothing
   * done, if there is none of that serial number or it is revoked already.
   */
  revoke(serial: string, at: number): Promise<boolean>;

  /**
   * Keeps the revocation of a certificate that there is no record of, from a list that outlived its record; durable when
   * it resolves. False, and nothing done, if it is revoked already.
   */
  noteRevoked(revocation: KnownRevocation): Promise<boolean>;

  close(): Promise<void>;
}

/** Fields of a revoked certificate that a revocation list has. */
export type KnownRevocation = Pick<RevokedCertificate, 'serial' | 'notAfter' | 'revoked'>;

/** Whom a certificate is for: the owner of an entry, or a system that calls the web services. */
export type CertificateOwner = EntryOwner | ClientOwner;

export interface EntryOwner {
  /** The DN that it had when the certificate was issued. */
  readonly owner: string;
  /** The identifier of the entry, which no move changes (entryUUID, objectGUID). */
  readonly entry: string;
}

export interface ClientOwner {
  /** Name that the system gives itself, without regard to case. */
  readonly client: string;
}

export type OwnerKey = Pick<EntryOwner, 'entry'> | ClientOwner;

export type CertificateRecord = CertificateOwner & {
  /** Hexadecimal, lower case. */
  readonly serial: string;
  /** Subject as RFC 4514 writes it, in the order of the certificate. */
  readonly subject: string;
  /** Milliseconds since 1970. */
  readonly issued: number;
  /** Milliseconds since 1970. */
  readonly notAfter: number;
  /** Milliseconds since 1970. Optional; default: none. */
  readonly revoked?: number;
};

export type RevokedCertificate = CertificateRecord & { readonly revoked: number };
