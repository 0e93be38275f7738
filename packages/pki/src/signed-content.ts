/** Signatures for users, as CMS SignedData (RFC 5652 §5) or within a PDF, with a key that is made for one signature and discarded. */
import { hash, X509Certificate } from 'node:crypto';
import type { SignatureForm, SignedContent, SigningOptions } from '@watchword/core/ports';
import { ObjectIdentifier, OctetString, Sequence, UTCTime, Utf8String } from 'asn1js';
import {
  Attribute,
  AttributeTypeAndValue,
  Certificate,
  ContentInfo,
  EncapsulatedContentInfo,
  IssuerAndSerialNumber,
  RelativeDistinguishedNames,
  SignedAndUnsignedAttributes,
  SignedData,
  SignerInfo,
} from 'pkijs';
import { certify, type IssuePorts, newKeys, validity } from './certificate.ts';
import {
  authorityKeyIdentifier,
  documentSigning,
  endEntityConstraints,
  revocationListAt,
  signingKeyUsage,
  statusAt,
  subjectKeyIdentifier,
} from './extensions.ts';
import { fillPlace, signedParts, withPlace } from './pdf/place.ts';
import type { PdfUpdater } from './pdf/updater.ts';
import type { Issuer } from './revocation-list.ts';

/** RFC 5652 §5.1, §4, §11.1 to §11.3; RFC 5035 §3 */
const id = {
  signedData: '1.2.840.113549.1.7.2',
  data: '1.2.840.113549.1.7.1',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingTime: '1.2.840.113549.1.9.5',
  signingCertificate: '1.2.840.113549.1.9.16.2.47',
} as const;

const day = 86_400_000;

export async function signContent(
  content: Uint8Array,
  order: SigningOptions,
  { issuer, ports, updater }: { readonly ports: IssuePorts } & Pick<Signing, 'issuer' | 'updater'>,
): Promise<SignedContent> {
  const { publicKey, privateKey } = await newKeys();
  const certificate = await certify(
    {
      subject: subjectOf(order),
      ...{ days: daysLeft(order.days, issuer, ports), publicKey, signWith: issuer.key },
      issuer: issuer.certificate,
      extensions: [
        endEntityConstraints(),
        signingKeyUsage(),
        documentSigning(),
        subjectKeyIdentifier(publicKey),
        authorityKeyIdentifier(issuer.certificate),
        revocationListAt(order.listUrl),
        statusAt(order.statusUrl),
      ],
    },
    ports,
  );
  const signing = { certificate, issuer, privateKey, updater, now: ports.clock.now() };
  return {
    signed: await signedAs(content, order, signing),
    der: new Uint8Array(certificate.raw),
    serial: certificate.serialNumber.toLowerCase(),
    notAfter: Date.parse(certificate.validTo),
  };
}

/** Nothing outlives the authority. */
function daysLeft(days: number, { certificate }: Issuer, ports: IssuePorts): number {
  const left = Math.floor((certificate.notAfter.value.getTime() - validity(ports, 0).notBefore) / day);
  return Math.min(days, left);
}

const subjectOf = ({ subject }: SigningOptions): RelativeDistinguishedNames =>
  new RelativeDistinguishedNames({
    typesAndValues: subject.map(
      ({ type, value }) => new AttributeTypeAndValue({ type, value: new Utf8String({ value }) }),
    ),
  });

interface Signing {
  readonly certificate: X509Certificate;
  readonly issuer: Issuer;
  readonly privateKey: CryptoKey;
  readonly updater: PdfUpdater;
  readonly now: number;
}

/** @throws ServiceError `invalid_params` */
export async function assertSignable(
  content: Uint8Array,
  form: SignatureForm,
  { updater, now }: Pick<Signing, 'updater' | 'now'>,
): Promise<void> {
  if (form === 'pdf') await withPlace(content, { named: 'x', updater, now });
}

async function signedAs(
  content: Uint8Array,
  { form, subject }: SigningOptions,
  signing: Signing,
): Promise<Uint8Array> {
  if (form !== 'pdf')
    return signedData(content, { isEnclosed: form === 'enveloping', isTimed: true }, signing);
  const place = await withPlace(content, { ...signing, named: subject[0]?.value ?? '' });
  // The PDF holds the time then, and not this (EN 319 142-1 §6.3).
  const how = { isEnclosed: false, isTimed: false };
  return fillPlace(place, await signedData(signedParts(place), how, signing));
}

async function signedData(
  content: Uint8Array,
  { isEnclosed, isTimed }: { readonly isEnclosed: boolean; readonly isTimed: boolean },
  { certificate, issuer, privateKey, now }: Signing,
): Promise<Uint8Array> {
  const own = Certificate.fromBER(new X509Certificate(certificate.raw).raw);
  const octets = Uint8Array.from(content).buffer;
  const data = new SignedData({
    version: 1,
    encapContentInfo: new EncapsulatedContentInfo({
      eContentType: id.data,
      ...(isEnclosed && { eContent: new OctetString({ valueHex: octets }) }),
    }),
    signerInfos: [
      new SignerInfo({
        version: 1,
        sid: new IssuerAndSerialNumber({ issuer: own.issuer, serialNumber: own.serialNumber }),
        signedAttrs: new SignedAndUnsignedAttributes({
          type: 0,
          attributes: [
            new Attribute({ type: id.contentType, values: [new ObjectIdentifier({ value: id.data })] }),
            ...(isTimed
              ? [new Attribute({ type: id.signingTime, values: [new UTCTime({ valueDate: new Date(now) })] })]
              : []),
            new Attribute({ type: id.messageDigest, values: [digestOf(content)] }),
            new Attribute({ type: id.signingCertificate, values: [namedCertificate(certificate)] }),
          ],
        }),
      }),
    ],
    certificates: [own, issuer.certificate],
  });
  await data.sign(privateKey, 0, 'SHA-256', isEnclosed ? undefined : octets);
  const info = new ContentInfo({ contentType: id.signedData, content: data.toSchema(true) });
  return new Uint8Array(info.toSchema().toBER(false));
}

const digestOf = (content: Uint8Array): OctetString =>
  new OctetString({ valueHex: Uint8Array.from(hash('sha256', content, 'buffer')).buffer });

/** SigningCertificateV2, RFC 5035 §3, which CAdES and PAdES want: nobody puts another certificate in its place. SHA-256 is its preset. */
const namedCertificate = ({ raw }: X509Certificate): Sequence =>
  new Sequence({ value: [new Sequence({ value: [new Sequence({ value: [digestOf(raw)] })] })] });
