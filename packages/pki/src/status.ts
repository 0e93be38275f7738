/** Answers about the revocation status of certificates: OCSP, RFC 6960, signed by the authority itself (§4.2.2.2). */
import { createHash } from 'node:crypto';
import type { CertificateStatus } from '@watchword/core/ports';
import { Constructed, Enumerated, fromBER, GeneralizedTime, OctetString, Primitive } from 'asn1js';
import {
  BasicOCSPResponse,
  type CertID,
  type Extension,
  getAlgorithmByOID,
  OCSPRequest,
  OCSPResponse,
  ResponseBytes,
  SingleResponse,
} from 'pkijs';
import { keyHash } from './extensions.ts';
import type { Issuer } from './revocation-list.ts';
import { signWith } from './signature.ts';

/** Octets of the longest request, and the most certificates that one asks about: each costs a look. */
const [maxBytes, maxCertificates] = [16_384, 16];
/**
 * Most octets of a request's name: the caller chooses it, and the key of certificates signs it. It is the longest name of a certificate:
 * two SHA-512, a serial number of 20, and their encoding.
 */
const maxName = 192;
/** Octets, RFC 9654 §2.1. */
const maxNonce = 128;
/** Milliseconds for which an answer may be cached. */
const hour = 3_600_000;
const nonce = '1.3.6.1.5.5.7.48.1.2';

type Judge = (serial: string) => Promise<CertificateStatus>;

/** @param now milliseconds since 1970 */
export async function answerStatus(
  request: Uint8Array,
  { judge, issuer, now }: { judge: Judge; issuer: Issuer; now: number },
): Promise<Uint8Array> {
  const asked = parseRequest(request);
  if (!asked) return encode(new OCSPResponse({ responseStatus: new Enumerated({ value: 1 }) })); // malformedRequest
  const answer = new BasicOCSPResponse();
  const data = answer.tbsResponseData;
  data.responderID = issuer.certificate.subject; // encoded as byName
  data.producedAt = toTheSecond(now);
  data.responses = await Promise.all(
    asked.certificates.map((certificate) => singleResponse(certificate, { judge, issuer, now })),
  );
  if (asked.nonce) data.responseExtensions = [asked.nonce];
  await signWith(issuer.key, answer);
  const responseBytes = new ResponseBytes({
    responseType: '1.3.6.1.5.5.7.48.1.1',
    response: new OctetString({ valueHex: answer.toSchema().toBER() }),
  });
  return encode(new OCSPResponse({ responseStatus: new Enumerated({ value: 0 }), responseBytes }));
}

const encode = (response: OCSPResponse): Uint8Array => new Uint8Array(response.toSchema().toBER());

interface Asked {
  readonly certificates: readonly CertID[];
  /** Sent back as it came, so that an old answer does not pass for a new one (RFC 9654). */
  readonly nonce: Extension | undefined;
}

function parseRequest(der: Uint8Array): Asked | undefined {
  if (der.length > maxBytes) return undefined;
  const { offset, result } = fromBER(Uint8Array.from(der));
  if (offset !== der.length) return undefined;
  try {
    const { requestList, requestExtensions = [] } = new OCSPRequest({ schema: result }).tbsRequest;
    const certificates = requestList.map(({ reqCert }) => reqCert);
    const sent = requestExtensions.find(({ extnID }) => extnID === nonce);
    const isUsual = certificates.length > 0 && certificates.length <= maxCertificates;
    if (!isUsual || !certificates.every(isShort) || (sent && !isNonce(sent))) return undefined;
    return { certificates, nonce: sent };
  } catch {
    return undefined;
  }
}

const isShort = (name: CertID): boolean => name.toSchema().toBER(true).byteLength <= maxName;

/** An OCTET STRING of its own; clients from before RFC 8954 left it out. */
function isNonce({ extnValue }: Extension): boolean {
  const octets = extnValue.valueBlock.valueHexView;
  const { result } = fromBER(Uint8Array.from(octets));
  const { byteLength } = result instanceof OctetString ? result.valueBlock.valueHexView : octets;
  return byteLength > 0 && byteLength <= maxNonce;
}

async function singleResponse(
  certID: CertID,
  { judge, issuer, now }: { judge: Judge; issuer: Issuer; now: number },
): Promise<SingleResponse> {
  const serial = Buffer.from(certID.serialNumber.valueBlock.valueHexView).toString('hex');
  const status = isOf(issuer, certID) ? await judge(serial) : ({ status: 'unknown' } as const);
  return new SingleResponse({
    certID,
    certStatus: statusOf(status),
    thisUpdate: toTheSecond(now),
    nextUpdate: toTheSecond(now + hour),
  });
}

/** CertStatus of §4.2.1: good [0] NULL, revoked [1] RevokedInfo, unknown [2] NULL; the tags are implicit. */
function statusOf(status: CertificateStatus) {
  if (status.status !== 'revoked') {
    const idBlock = { tagClass: 3, tagNumber: status.status === 'good' ? 0 : 2 };
    return new Primitive({ idBlock });
  }
  const time = new GeneralizedTime({ valueDate: toTheSecond(status.at) });
  return new Constructed({ idBlock: { tagClass: 3, tagNumber: 1 }, value: [time] });
}

const digests: ReadonlyMap<string, string> = new Map([
  ['SHA-1', 'sha1'],
  ['SHA-256', 'sha256'],
  ['SHA-384', 'sha384'],
  ['SHA-512', 'sha512'],
]);

/** The hashes are names for the issuer and prove nothing, so SHA-1 is good enough for them (§4.3 demands it). */
function isOf({ certificate }: Issuer, { hashAlgorithm, issuerNameHash, issuerKeyHash }: CertID): boolean {
  const found = getAlgorithmByOID(hashAlgorithm.algorithmId);
  const digest = digests.get('name' in found ? found.name : '');
  if (digest === undefined) return false;
  const name = createHash(digest).update(Buffer.from(certificate.subject.toSchema().toBER())).digest();
  const key = keyHash(certificate.subjectPublicKeyInfo, digest);
  return (
    name.equals(issuerNameHash.valueBlock.valueHexView) &&
    Buffer.from(key).equals(issuerKeyHash.valueBlock.valueHexView)
  );
}

const toTheSecond = (milliseconds: number): Date => new Date(Math.trunc(milliseconds / 1000) * 1000);
