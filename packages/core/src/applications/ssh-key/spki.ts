/**
 * A parser of SubjectPublicKeyInfo (RFC 5280 §4.1.2.7) for sshd's lines: to have OpenSSL read the key costs more than all the rest of the
 * answer.
 */

/** Algorithms by their object identifiers, DER: RFC 8017 §A.1, RFC 5480 §2.1.1.1, RFC 8410 §3. */
const rsa = '2a864886f70d010101';
const ed25519 = '2b6570';
const curves: ReadonlyMap<string, string> = new Map([
  ['2a8648ce3d030107', 'nistp256'],
  ['2b81040022', 'nistp384'],
  ['2b81040023', 'nistp521'],
]);

/** The parts of a key that SSH needs. */
export type KeyParts =
  | { readonly kind: 'rsa'; readonly modulus: Buffer; readonly exponent: Buffer }
  | { readonly kind: 'ecdsa'; readonly curve: string; readonly point: Buffer }
  | { readonly kind: 'ed25519'; readonly point: Buffer };

/** Undefined: it is none of a kind that SSH has here. @param spki DER */
export function partsOfSpki(spki: Uint8Array): KeyParts | undefined {
  const [algorithm, subject] = elements(elements(Buffer.from(spki))[0]);
  const [name, parameter] = elements(algorithm).map((bytes) => bytes.toString('hex'));
  // A BIT STRING tells first how many bits of its last octet are unused.
  const key = subject?.subarray(1);
  if (!key) return undefined;
  if (name === ed25519) return { kind: 'ed25519', point: key };
  if (name === rsa) {
    const [modulus, exponent] = elements(elements(key)[0]);
    return modulus && exponent && { kind: 'rsa', modulus, exponent };
  }
  const curve = curves.get(parameter ?? '');
  return curve === undefined ? undefined : { kind: 'ecdsa', curve, point: key };
}

/** The contents of the elements that stand one after the other (X.690 §8.1), as far as they are whole. */
function elements(der: Buffer | undefined): readonly Buffer[] {
  const found: Buffer[] = [];
  let at = 0;
  while (der && at + 2 <= der.length) {
    const first = der.readUInt8(at + 1);
    const octets = first < 0x80 ? 0 : first - 0x80;
    const begin = at + 2 + octets;
    if (octets > 4 || begin > der.length) return found;
    const length = octets === 0 ? first : der.readUIntBE(at + 2, octets);
    if (begin + length > der.length) return found;
    found.push(der.subarray(begin, begin + length));
    at = begin + length;
  }
  return found;
}
