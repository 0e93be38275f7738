/** A PHC string of scrypt (RFC 7914): `$scrypt$ln=15,r=8,p=1$<salt>$<hash>`, both in base64 without padding. */
export interface ScryptHash {
  /** log2 of N. */
  readonly ln: number;
  readonly r: number;
  readonly p: number;
  readonly salt: Uint8Array;
  readonly hash: Uint8Array;
}

const form =
  /^\$scrypt\$ln=(1[4-8]),r=([1-9]|1[0-6]),p=([1-9]|1[0-6])\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/;

/** Reads a hash; undefined where it is malformed, weaker than OWASP's minimum, or too expensive to verify. */
export function readScryptHash(text: string): ScryptHash | undefined {
  const [, ln, r, p, salt = '', hash = ''] = form.exec(text) ?? [];
  if (ln === undefined) return undefined;
  return { ln: Number(ln), r: Number(r), p: Number(p), salt: bytes(salt), hash: bytes(hash) };
}

export const writeScryptHash = ({ ln, r, p, salt, hash }: ScryptHash): string =>
  `$scrypt$ln=${ln},r=${r},p=${p}$${base64(salt)}$${base64(hash)}`;

const bytes = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'base64'));
const base64 = (some: Uint8Array): string => Buffer.from(some).toString('base64').replaceAll('=', '');
