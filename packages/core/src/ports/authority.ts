/**
 * The port of the certificate authority: reads requests, signs certificates, and answers for their status.
 * `administration/pki/` decides who may have certificates signed.
 * @see RFC 2986, RFC 5280, RFC 6960
 * @see docs/concepts/factors-and-login-modes.md#certificate
 * @example
 * ```ts
 * import { openEmbedded } from '@watchword/engines';
 *
 * const engines = await openEmbedded('./data', { base: 'dc=example,dc=org' });
 * await engines.authority.probe();
 * const list = await engines.authority.list([{ serial: '0a', revoked: engines.clock.now() }]);
 * console.log((await engines.authority.readList(list)).revoked[0]?.serial); // 0a
 * await engines.close();
 * ```
 */
export interface CertificateAuthority {
  /** The certificate of the authority, PEM. */
  readonly certificate: string;

  /**
   * Reads a request for a certificate and checks its own signature, its key and its digest.
   * @param request PEM
   * @throws ServiceError `invalid_params` naming the parameter `request`, with the cure
   */
  read(request: string): Promise<CertificateRequest>;

  /**
   * Signs a certificate for the subject and the key of a request that was read.
   * @throws ServiceError `invalid_params` if it would outlive the authority
   */
  issue(request: CertificateRequest, terms: IssueOptions): Promise<IssuedCertificate>;

  /**
   * Reads a certificate that this authority signed for any use. The caller checks validity period and revocation.
   * @param certificate PEM
   * @returns undefined if it is invalid, or of another authority
   */
  recognise(certificate: string): Promise<SignedCertificate | undefined>;

  /** Returns the signed list of revoked certificates, DER (RFC 5280 §5); the last list while nothing has changed. */
  list(revoked: readonly Revocation[]): Promise<Uint8Array>;

  /**
   * Reads a list that this authority has signed, DER or PEM.
   * @throws ServiceError `invalid_params` with the reason
   */
  readList(list: Uint8Array): Promise<RevocationList>;

  /**
   * Answers an OCSP request (RFC 6960), DER in and out; a malformed request does not throw.
   * @param judge returns the status of a certificate that the request attributes to this authority
   */
  answer(request: Uint8Array, judge: (serial: string) => Promise<CertificateStatus>): Promise<Uint8Array>;

  /**
   * Checks whether {@link sign} can sign a content in a form.
   * @throws ServiceError `invalid_params` naming the parameter `file`
   */
  assertSignable(content: Uint8Array, form: SignatureForm): Promise<void>;

  /**
   * Signs bytes with a new key, which is then destroyed.
   * @throws ServiceError `invalid_params` as {@link assertSignable} does
   */
  sign(content: Uint8Array, order: SigningOptions): Promise<SignedContent>;

  /** Tests a signature. @throws ServiceError `unavailable` if the authority cannot sign, or is not valid now */
  probe(): Promise<void>;
}

export interface CertificateRequest {
  /** Fields of the subject in the order of the request. */
  readonly subject: readonly SubjectField[];
  /** The whole request, DER. */
  readonly der: Uint8Array;
}

export interface SubjectField {
  /** Object identifier in dots. */
  readonly type: string;
  readonly value: string;
}

export interface IssueOptions {
  /** The validity in days. */
  readonly days: number;
  /** The URL of the list of revoked certificates. */
  readonly listUrl: string;
  /** The URL of the OCSP responder. */
  readonly statusUrl: string;
}

/** The signer and the form of a signature. A certificate that would outlive the authority ends with it. */
export interface SigningOptions extends IssueOptions {
  readonly subject: readonly SubjectField[];
  readonly form: SignatureForm;
}

/**
 * A form of signature: `enveloping` is CMS SignedData (RFC 5652 §5) with the content, `detached` without it, both CAdES-BES (ETSI EN 319
 * 122-1); `pdf` is PAdES (ETSI EN 319 142-1). Each holds the certificates of signer and authority.
 */
export type SignatureForm = 'enveloping' | 'detached' | 'pdf';

export interface SignedContent extends Omit<IssuedCertificate, 'pem'> {
  /** DER of a ContentInfo; or the PDF. */
  readonly signed: Uint8Array;
  /** The certificate. */
  readonly der: Uint8Array;
}

export interface IssuedCertificate {
  readonly pem: string;
  /** Hexadecimal, lower case. */
  readonly serial: string;
  /** Milliseconds since 1970. */
  readonly notAfter: number;
}

/** A certificate of this authority, with verified issuer name, key identifier and signature. */
export interface SignedCertificate {
  /** Fields of the subject in the order of the certificate; undefined where its encoding is ambiguous. */
  readonly subject: readonly SubjectField[] | undefined;
  /** Hexadecimal, lower case. */
  readonly serial: string;
  /** SHA-256 of the certificate, hexadecimal, lower case. */
  readonly fingerprint: string;
  /** Milliseconds since 1970. */
  readonly notBefore: number;
  /** Milliseconds since 1970. */
  readonly notAfter: number;
  /** Whether it is for TLS clients: extended key usage clientAuth, key usage digitalSignature, no CA. */
  readonly isForClients: boolean;
}

export interface Revocation {
  readonly serial: string;
  /** Milliseconds since 1970. */
  readonly revoked: number;
}

export interface RevocationList {
  readonly revoked: readonly Revocation[];
  /** The time of the signature, in milliseconds since 1970. */
  readonly signed: number;
}

/** The status of a certificate; `unknown` if it was not issued here. */
export type CertificateStatus =
  | { readonly status: 'good' | 'unknown' }
  | { readonly status: 'revoked'; at: number };
