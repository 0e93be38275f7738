/** The certificate extensions of RFC 5280 §4.2 that our authority sets. */
import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { BitString, Integer, OctetString } from 'asn1js';
import {
  AccessDescription,
  AltName,
  AuthorityKeyIdentifier,
  BasicConstraints,
  type Certificate,
  CRLDistributionPoints,
  DistributionPoint,
  Extension,
  ExtKeyUsage,
  GeneralName,
  InfoAccess,
  id_AuthorityInfoAccess,
  id_AuthorityKeyIdentifier,
  id_BasicConstraints,
  id_CRLDistributionPoints,
  id_ExtKeyUsage,
  id_KeyUsage,
  id_SubjectAltName,
  id_SubjectKeyIdentifier,
  type PublicKeyInfo,
} from 'pkijs';

/** May issue certificates, but no further authorities. */
export function authorityConstraints(): Extension {
  return extension(id_BasicConstraints, new BasicConstraints({ cA: true, pathLenConstraint: 0 }), true);
}

/** keyCertSign and cRLSign. */
export function authorityKeyUsage(): Extension {
  return keyUsage(0b0000_0110, 1);
}

/** May not issue certificates. */
export function endEntityConstraints(): Extension {
  return extension(id_BasicConstraints, new BasicConstraints(), true);
}

/** digitalSignature, nonRepudiation and keyEncipherment. */
export function personKeyUsage(): Extension {
  return keyUsage(0b1110_0000, 5);
}

/** clientAuth and emailProtection. */
export function personAuthentication(): Extension {
  const keyPurposes = ['1.3.6.1.5.5.7.3.2', '1.3.6.1.5.5.7.3.4'];
  return extension(id_ExtKeyUsage, new ExtKeyUsage({ keyPurposes }));
}

/** digitalSignature and nonRepudiation. */
export function signingKeyUsage(): Extension {
  return keyUsage(0b1100_0000, 6);
}

/** emailProtection, which programs that verify CMS look for, and documentSigning (RFC 9336): it logs in nowhere. */
export function documentSigning(): Extension {
  const keyPurposes = ['1.3.6.1.5.5.7.3.4', '1.3.6.1.5.5.7.3.36'];
  return extension(id_ExtKeyUsage, new ExtKeyUsage({ keyPurposes }));
}

/** Makes the extension with the address of the revocation list. */
export function revocationListAt(url: string): Extension {
  const distributionPoint = [uri(url)];
  const distributionPoints = [new DistributionPoint({ distributionPoint })];
  return extension(id_CRLDistributionPoints, new CRLDistributionPoints({ distributionPoints }));
}

/** Makes the extension with the address of the status service (RFC 5280 §4.2.2.1, RFC 6960 §3.1). */
export function statusAt(url: string): Extension {
  const ocsp = new AccessDescription({ accessMethod: '1.3.6.1.5.5.7.48.1', accessLocation: uri(url) });
  return extension(id_AuthorityInfoAccess, new InfoAccess({ accessDescriptions: [ocsp] }));
}

const uri = (value: string): GeneralName => new GeneralName({ type: 6, value });

/** RFC 5280 §5.2.3: each list has a higher number than the one before. */
export function revocationListNumber(number: bigint): Extension {
  return extension('2.5.29.20', { toSchema: () => Integer.fromBigInt(number) });
}

/** digitalSignature: all that an ECDSA key does in TLS. */
export function serverKeyUsage(): Extension {
  return keyUsage(0b1000_0000, 7);
}

export function serverAuthentication(): Extension {
  return extension(id_ExtKeyUsage, new ExtKeyUsage({ keyPurposes: ['1.3.6.1.5.5.7.3.1'] }));
}

export function subjectAltName(names: readonly string[], addresses: readonly string[]): Extension {
  const altNames = [
    ...names.map((value) => new GeneralName({ type: 2, value })),
    ...addresses.map(
      (address) => new GeneralName({ type: 7, value: new OctetString({ valueHex: octetsOf(address) }) }),
    ),
  ];
  return extension(id_SubjectAltName, new AltName({ altNames }));
}

/** RFC 5280 §4.2.1.2 (1): SHA-1 of the public key, as a name for it and nothing more. */
export function subjectKeyIdentifier(publicKey: PublicKeyInfo): Extension {
  const valueHex = keyHash(publicKey);
  return extension(id_SubjectKeyIdentifier, { toSchema: () => new OctetString({ valueHex }) });
}

export function keyHash({ subjectPublicKey }: PublicKeyInfo, algorithm = 'sha1'): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(createHash(algorithm).update(subjectPublicKey.valueBlock.valueHexView).digest());
}

/** The subject key identifier of the issuer: what it says of itself, or the usual one if it says nothing. */
export function authorityKeyIdentifier(issuer: Certificate): Extension {
  const found = issuer.extensions?.find(({ extnID }) => extnID === id_SubjectKeyIdentifier)?.parsedValue;
  const valueHex = found instanceof OctetString ? found.getValue() : keyHash(issuer.subjectPublicKeyInfo);
  return extension(
    id_AuthorityKeyIdentifier,
    new AuthorityKeyIdentifier({ keyIdentifier: new OctetString({ valueHex }) }),
  );
}

interface Encodable {
  toSchema(): { toBER(sizeOnly?: boolean): ArrayBuffer };
}

function extension(extnID: string, value: Encodable, critical = false): Extension {
  return new Extension({ extnID, critical, extnValue: value.toSchema().toBER(false) });
}

/** RFC 5280 §4.2.1.3: bit 0 is the highest of the octet; DER leaves unused trailing bits out. */
function keyUsage(bits: number, unusedBits: number): Extension {
  const valueHex = Uint8Array.of(bits).buffer;
  return extension(id_KeyUsage, { toSchema: () => new BitString({ valueHex, unusedBits }) }, true);
}

/** Four or sixteen octets (RFC 5280 §4.2.1.6); the address is one that `net.isIP` knows. */
function octetsOf(address: string): ArrayBuffer {
  if (!isIPv6(address)) return Uint8Array.from(address.split('.'), Number).buffer;
  const spelt = new URL(`http://[${address}]`).hostname.slice(1, -1); // IPv4 at its end becomes hexadecimal
  const [head = '', tail] = spelt.split('::');
  const groups = (text: string) =>
    text
      .split(':')
      .filter(Boolean)
      .map((group) => Number.parseInt(group, 16));
  const [first, last] = [groups(head), groups(tail ?? '')];
  const all = [...first, ...new Array<number>(8 - first.length - last.length).fill(0), ...last];
  return Uint8Array.from(all.flatMap((group) => [group >> 8, group & 0xff])).buffer;
}
