/** Distinguished names, RFC 4514, as far as a tree and its forms need them. The server parses them again. */

/** Finds a sign without a backslash before it: a comma separates RDNs, a plus their parts. */
function placeOf(sign: string, text: string): number {
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === sign) return at;
  }
  return -1;
}

const commaOf = (dn: string): number => placeOf(',', dn);

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

/** Unescapes a value: two digits are a byte of UTF-8, any other sign after a backslash is literal. */
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

/** Replaces the value of the first RDN. */
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

export const isSame = (one: string, other: string): boolean => keyOf(one) === keyOf(other);

/** The same for each way to write it. */
export const keyOf = (dn: string): string => dn.toLowerCase().replace(/\s*([,=])\s*/g, '$1');

/** RFC 4515 §3 */
const inFilter = (text: string): string =>
  text.replace(/[\\*()\0]/g, (sign) => `\\${sign.charCodeAt(0).toString(16).padStart(2, '0')}`);

const searched = ['uid', 'cn', 'ou', 'sn', 'mail'] as const;

/** Entries that have what is typed in one of their names. @param mayRead a filter over what may not be read is refused as a whole */
export function filterFor(typed: string, mayRead: (attribute: string) => boolean = () => true): string {
  const readable = searched.filter(mayRead);
  const names = readable.length === 0 ? searched : readable;
  return `(|${names.map((attribute) => `(${attribute}=*${inFilter(typed.trim())}*)`).join('')})`;
}

/** Returns a filter that finds an entry in its container by its RDN; undefined if the RDN has a value that is no text (`#04…`). */
export function rdnFilter(dn: string): string | undefined {
  const parts: string[] = [];
  for (let rest = rdnOf(dn); rest !== ''; ) {
    const end = placeOf('+', rest);
    const part = end < 0 ? rest : rest.slice(0, end);
    const value = part.slice(part.indexOf('=') + 1).trimStart();
    if (value.startsWith('#')) return undefined;
    parts.push(`(${part.slice(0, part.indexOf('=')).trim()}=${inFilter(unescaped(value))})`);
    rest = end < 0 ? '' : rest.slice(end + 1);
  }
  return parts.length === 1 ? parts[0] : `(&${parts.join('')})`;
}
