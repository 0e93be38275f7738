/**
 * The certificate authority of this installation: it reads requests, signs certificates, and says of those that it
 * signed how they stand. Who may have what signed is decided in `administration/pki/`. Profiles: RFC 2986, 5280, 6960.
 */
export interface CertificateAuthority {
  /** Its certificate, PEM. */
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
  issue(request: CertificateRequest, terms: Terms): Promise<IssuedCertificate>;

  /**
   * Reads a certificate that this authority signed, whatever for, its servers' own ones too. Its time and whether it
   * is revoked are for the caller to judge.
   * @param certificate PEM
   * @returns undefined if it is of somebody else, or none
   */
  recognise(certificate: string): Promise<SignedCertificate | undefined>;

  /** The signed list of the certificates that are revoked, DER (RFC 5280 §5); of what has not changed, the last one. */
  list(revoked: readonly Revocation[]): Promise<Uint8Array>;

  /**
   * Reads a list that this authority signed, now or before: DER or PEM.
   * @throws ServiceError `invalid_params` with what is wrong with it
   */
  readList(list: Uint8Array): Promise<SignedList>;

  /**
   * Answers a request for the status of certificates (RFC 6960), DER in and out; throws nothing for a bad one.
   * @param judge asked for each certificate that is said to be of this authority
   */
  answer(request: Uint8Array, judge: (serial: string) => Promise<CertificateStatus>): Promise<Uint8Array>;

  /**
   * Looks whether {@link sign} can sign that in that form.
   * @throws ServiceError `invalid_params` naming the parameter `file`
   */
  assertSignable(content: Uint8Array, form: SignatureForm): Promise<void>;

  /**
   * Signs bytes for somebody, with a key that is made for it and thrown away.
   * @throws ServiceError `invalid_params` as {@link assertSignable}
   */
  sign(content: Uint8Array, order: SigningOrder): Promise<SignedContent>;

  /** Signs something and throws it away. @throws ServiceError `unavailable` if it cannot, or is not good at this time */
  probe(): Promise<void>;
}

export interface CertificateRequest {
  /** In the order of the request. */
  readonly subject: readonly SubjectField[];
  /** All of it, DER. */
  readonly der: Uint8Array;
}

export interface SubjectField {
  /** Object identifier in dots. */
  readonly type: string;
  readonly value: string;
}

export interface Terms {
  /** How long it is valid, in days. */
  readonly days: number;
  /** Where the list of revoked certificates is, URL. */
  readonly listUrl: string;
  /** Who is asked for the status, URL. */
  readonly statusUrl: string;
}

/** For whom something is signed. A certificate that would outlive the authority ends with it. */
export interface SigningOrder extends Terms {
  readonly subject: readonly SubjectField[];
  readonly form: SignatureForm;
}

/**
 * `enveloping`: CMS SignedData (RFC 5652 §5) that holds the content, `detached`: one without it, both CAdES-BES (ETSI EN 319 122-1);
 * `pdf`: in the PDF itself, PAdES (ETSI EN 319 142-1). Its certificate and the authority's are in each.
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

/** A certificate that is signed by this authority for sure: name, key identifier and signature fit. */
export interface SignedCertificate {
  /** In the order of the certificate; undefined: written so that two readers could read two names. */
  readonly subject: readonly SubjectField[] | undefined;
  /** Hexadecimal, lower case. */
  readonly serial: string;
  /** SHA-256 of all of it, hexadecimal, lower case. */
  readonly fingerprint: string;
  /** Milliseconds since 1970. */
  readonly notBefore: number;
  /** Milliseconds since 1970. */
  readonly notAfter: number;
  /** A TLS client may show it: extended key usage clientAuth, key usage digitalSignature, no authority. */
  readonly isForClients: boolean;
}

export interface Revocation {
  readonly serial: string;
  /** Milliseconds since 1970. */
  readonly revoked: number;
}

export interface SignedList {
  readonly revoked: readonly Revocation[];
  /** When it was signed, in milliseconds since 1970. */
  readonly signed: number;
}

/** How a certificate stands; `unknown` was not issued to anybody here. */
export type CertificateStatus =
  | { readonly status: 'good' | 'unknown' }
  | { readonly status: 'revoked'; at: number };
