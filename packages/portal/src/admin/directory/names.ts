/** Distinguished names, RFC 4514: as much as a tree and its forms have to know. The server reads them anew. */

/** Between RDNs: a comma that no backslash stands before. */
function commaOf(dn: string): number {
  for (let at = 0; at < dn.length; at += 1) {
    if (dn[at] === '\\') at += 1;
    else if (dn[at] === ',') return at;
  }
  return -1;
}

/** Empty: there is nothing above it. */
export function parentOf(dn: string): string {
  const at = commaOf(dn);
  return at < 0 ? '' : dn.slice(at + 1).trimStart();
}

export function rdnOf(dn: string): string {
  const at = commaOf(dn);
  return at < 0 ? dn : dn.slice(0, at);
}

/** The value that an entry is named by, as people read it. */
export function nameOf(dn: string): string {
  const rdn = rdnOf(dn);
  return unescaped(rdn.slice(rdn.indexOf('=') + 1));
}

/** Two digits are a byte of UTF-8; anything else behind a backslash stands for itself. */
function unescaped(value: string): string {
  return value.replace(/(?:\\[0-9a-f]{2})+|\\([\s\S])/gi, (whole, plain?: string) => {
    if (plain !== undefined) return plain;
    const bytes = whole
      .slice(1)
      .split('\\')
      .map((digits) => Number.parseInt(digits, 16));
    return new TextDecoder().decode(Uint8Array.from(bytes));
  });
}

/** RFC 4514 §2.4: a space is escaped at both ends, a number sign at the beginning. */
const escaped = (value: string): string =>
  value.replace(/[\\,+"<>;=]|^[ #]|(?<!^) $/g, '\\$&').replaceAll('\0', '\\00');

export const nameBelow = (attribute: string, value: string, container: string): string =>
  `${attribute}=${escaped(value)},${container}`;

/** In the place of the first RDN's value. */
export const renamed = (dn: string, value: string): string =>
  nameBelow(rdnOf(dn).slice(0, rdnOf(dn).indexOf('=')), value, parentOf(dn));

export const movedTo = (dn: string, container: string): string => `${rdnOf(dn)},${container}`;

/** From the base down to the entry. */
export function pathTo(dn: string, base: string): readonly string[] {
  const path = [dn];
  for (let above = dn; above !== '' && !isSame(above, base); ) {
    above = parentOf(above);
    path.unshift(above);
  }
  return path[0] === '' ? [] : path;
}

export const isSame = (one: string, other: string): boolean => plain(one) === plain(other);

const plain = (dn: string): string => dn.toLowerCase().replace(/\s*([,=])\s*/g, '$1');

/** RFC 4515 §3 */
const inFilter = (text: string): string =>
  text.replace(/[\\*()\0]/g, (sign) => `\\${sign.charCodeAt(0).toString(16).padStart(2, '0')}`);

const searched = ['uid', 'cn', 'ou', 'sn', 'mail'] as const;

/** Entries that have what is typed in one of their names. */
export const filterFor = (typed: string): string =>
  `(|${searched.map((attribute) => `(${attribute}=*${inFilter(typed.trim())}*)`).join('')})`;
