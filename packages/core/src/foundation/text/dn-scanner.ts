/**
 * A scanner of distinguished names (RFC 4514 §3) that reads syntax only, in one pass. It accepts forms of RFC 2253 §4 that are in use:
 * semicolons between RDNs, quoted values, `OID.` before an OID, spaces around separators.
 */

/** An attribute type and a value, unescaped. */
export interface WrittenAva {
  readonly type: string;
  /** Bytes where the value was written with hex digits; they may be text. */
  readonly value: WrittenValue;
}

type WrittenValue = string | Uint8Array;

/** The most RDNs of a DN, and the most AVAs of an RDN. */
export const maxDnLevels = 64;

/** Reads the AVAs of each RDN of a DN that is not empty. @returns undefined if the text is no DN */
export function scanRdns(text: string): readonly (readonly WrittenAva[])[] | undefined {
  // A lone surrogate has no UTF-8: the directory would get another character.
  return text.isWellFormed() ? new DnScanner(text).rdns() : undefined;
}

class DnScanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  rdns(): WrittenAva[][] | undefined {
    const rdns: WrittenAva[][] = [];
    for (;;) {
      const rdn = this.#rdn();
      if (!rdn || rdns.length >= maxDnLevels) return undefined;
      rdns.push(rdn);
      if (this.#at >= this.#text.length) return rdns;
      this.#at += 1; // the comma or semicolon that ended the RDN
    }
  }

  #rdn(): WrittenAva[] | undefined {
    const avas: WrittenAva[] = [];
    for (;;) {
      const ava = this.#ava();
      if (!ava || avas.length >= maxDnLevels) return undefined;
      avas.push(ava);
      if (this.#text[this.#at] !== '+') return avas;
      this.#at += 1;
    }
  }

  #ava(): WrittenAva | undefined {
    const type = this.#type();
    if (type === undefined) return undefined;
    this.#skipSpaces();
    const value = this.#value();
    this.#skipSpaces();
    const atEnd = /^[,;+]?$/.test(this.#text[this.#at] ?? '');
    return value === undefined || !atEnd ? undefined : { type, value };
  }

  /** Reads a type and the equals sign after it. */
  #type(): string | undefined {
    const type = /\s*(?:oid\.)?([a-z][a-z0-9-]*|[0-9]+(?:\.[0-9]+)+) *=/iy;
    type.lastIndex = this.#at;
    const match = type.exec(this.#text);
    this.#at = type.lastIndex;
    return match?.[1];
  }

  #value(): WrittenValue | undefined {
    const first = this.#text[this.#at];
    if (first === '#') return this.#hexString();
    return first === '"' ? this.#quoted() : this.#string();
  }

  #hexString(): WrittenValue | undefined {
    const digits = /#((?:[0-9a-f]{2})+)/iy;
    digits.lastIndex = this.#at;
    const match = digits.exec(this.#text);
    this.#at = digits.lastIndex;
    return match?.[1] === undefined ? undefined : berString(Buffer.from(match[1], 'hex'));
  }

  #string(): WrittenValue | undefined {
    const value = new Unescaped();
    for (; this.#at < this.#text.length; this.#at += 1) {
      const c = this.#text[this.#at] as string;
      if (c === ',' || c === ';' || c === '+') break;
      if (c === '"' || c === '<' || c === '>' || c === '\0') return undefined;
      if (c !== '\\') value.add(c);
      else if (!this.#escape(value)) return undefined;
    }
    return value.trimmed();
  }

  /** Reads a quoted value, where only the quote and the backslash are special (RFC 2253 §4). */
  #quoted(): WrittenValue | undefined {
    const value = new Unescaped();
    for (this.#at += 1; this.#text[this.#at] !== '"'; this.#at += 1) {
      const c = this.#text[this.#at];
      if (c === undefined || c === '\0') return undefined;
      if (c !== '\\') value.add(c);
      else if (!this.#escape(value)) return undefined;
    }
    this.#at += 1;
    return value.whole();
  }

  #escape(value: Unescaped): boolean {
    const pair = this.#text.slice(this.#at + 1, this.#at + 3);
    if (/^[0-9a-f]{2}$/i.test(pair)) {
      this.#at += 2;
      value.addByte(Number.parseInt(pair, 16));
      return true;
    }
    const special = pair[0];
    if (special === undefined || !' "#+,;<=>\\'.includes(special)) return false;
    this.#at += 1;
    value.addEscaped(special);
    return true;
  }

  #skipSpaces(): void {
    while (this.#text[this.#at] === ' ') this.#at += 1;
  }
}

/** A value under construction, whose hex pairs may be UTF-8 together (`Lu\C4\8Di\C4\87`). */
class Unescaped {
  readonly #parts: Uint8Array[] = [];
  #text = '';
  /** Length of the text without trailing spaces that are not escaped. */
  #kept = 0;

  add(c: string): void {
    this.#text += c;
    if (c !== ' ') this.#kept = this.#text.length;
  }

  addEscaped(c: string): void {
    this.#text += c;
    this.#kept = this.#text.length;
  }

  addByte(byte: number): void {
    this.#flush();
    this.#parts.push(Uint8Array.of(byte));
  }

  trimmed(): WrittenValue {
    this.#text = this.#text.slice(0, this.#kept);
    return this.whole();
  }

  whole(): WrittenValue {
    if (this.#parts.length === 0) return this.#text;
    this.#flush();
    return Buffer.concat(this.#parts);
  }

  #flush(): void {
    if (this.#text !== '') this.#parts.push(Buffer.from(this.#text, 'utf8'));
    this.#text = '';
    this.#kept = 0;
  }
}

/** OCTET STRING, UTF8String, NumericString, PrintableString, IA5String: their octets are UTF-8. */
const textTags = new Set([0x04, 0x0c, 0x12, 0x13, 0x16]);

/** Returns the content of a BER-encoded string (RFC 4514 §2.4, X.690 §8.1); undefined for anything else. */
function berString(ber: Buffer): Uint8Array | undefined {
  const [tag = 0, length = 0] = ber;
  const lengthOctets = length < 0x80 ? 0 : length - 0x80;
  const start = 2 + lengthOctets;
  if (!textTags.has(tag) || length === 0x80 || lengthOctets > 2 || ber.length < start) return undefined;
  const expected = lengthOctets === 0 ? length : ber.readUIntBE(2, lengthOctets);
  return ber.length === start + expected ? ber.subarray(start) : undefined;
}
