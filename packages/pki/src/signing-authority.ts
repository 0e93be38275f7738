/** The authority that signs for users. */
import { ServiceError } from '@watchword/core/foundation';
import type {
  CertificateAuthority,
  CertificateRequest,
  IssuedCertificate,
  IssueOptions,
} from '@watchword/core/ports';
import { certify, type IssuePorts, readCertificate, validity } from './certificate.ts';
import {
  authorityKeyIdentifier,
  endEntityConstraints,
  personAuthentication,
  personKeyUsage,
  revocationListAt,
  statusAt,
  subjectKeyIdentifier,
} from './extensions.ts';
import { readX509 } from './keys.ts';
import { PdfUpdater } from './pdf/updater.ts';
import { recogniser } from './recognition.ts';
import { parseRequest, readRequest } from './request.ts';
import { type Issuer, readList, revocationLists } from './revocation-list.ts';
import { assertSignable, signContent } from './signed-content.ts';
import { answerStatus } from './status.ts';

export type SigningAuthority = Omit<CertificateAuthority, 'certificate'>;

/** Makes the authority from what `openAuthority` has validated. @throws StartError if pkijs cannot read the certificate */
export function signingAuthority(
  { certificate, key }: { readonly certificate: string; readonly key: CryptoKey },
  ports: IssuePorts,
): SigningAuthority {
  const issuer: Issuer = { certificate: readCertificate(certificate), key };
  const now = () => ports.clock.now();
  const updater = new PdfUpdater();
  const listAt = revocationLists(issuer);
  return {
    read: readRequest,
    issue: (request, terms) => issue(request, { issuer, terms, ports }),
    assertSignable: (content, form) => assertSignable(content, form, { updater, now: now() }),
    sign: (content, order) => signContent(content, order, { issuer, ports, updater }),
    recognise: recogniser(readX509(certificate)),
    list: (revoked) => listAt(revoked, now()),
    readList: (list) => readList(list, issuer),
    answer: (request, judge) => answerStatus(request, { judge, issuer, now: now() }),
    probe: () => probe(issuer, now()),
  };
}

async function probe(issuer: Issuer, now: number): Promise<void> {
  const { notBefore, notAfter } = issuer.certificate;
  if (now < notBefore.value.getTime() || now > notAfter.value.getTime()) {
    const [from, to] = [notBefore, notAfter].map(({ value }) => value.toISOString().slice(0, 10));
    throw new ServiceError('unavailable', {
      detail: `the certificate authority is good from ${from} to ${to} only`,
    });
  }
  // One of its own, not that which is kept: the key has to work now.
  await revocationLists(issuer)([], now);
}

async function issue(
  { der }: CertificateRequest,
  { issuer, terms, ports }: { issuer: Issuer; terms: IssueOptions; ports: IssuePorts },
): Promise<IssuedCertificate> {
  refuseToOutlive(issuer, terms, ports);
  const { subject, subjectPublicKeyInfo: publicKey } = parseRequest(der);
  const certificate = await certify(
    {
      ...{ subject, publicKey, days: terms.days, signWith: issuer.key, issuer: issuer.certificate },
      extensions: [
        endEntityConstraints(),
        personKeyUsage(),
        personAuthentication(),
        subjectKeyIdentifier(publicKey),
        authorityKeyIdentifier(issuer.certificate),
        revocationListAt(terms.listUrl),
        statusAt(terms.statusUrl),
      ],
    },
    ports,
  );
  return {
    pem: certificate.toString(),
    serial: certificate.serialNumber.toLowerCase(),
    notAfter: Date.parse(certificate.validTo),
  };
}

function refuseToOutlive({ certificate }: Issuer, { days }: IssueOptions, ports: IssuePorts): void {
  const end = certificate.notAfter.value;
  if (validity(ports, days).notAfter <= end.getTime()) return;
  throw new ServiceError('invalid_params', {
    detail: `Parameter expires is ${days} days, and the certificate authority itself ends on ${end.toISOString().slice(0, 10)}; ask for fewer`,
  });
}
