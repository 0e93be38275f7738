/**
 * Distinguished names, RFC 4514: read, written, compared. A {@link Dn} remembers the text that it was read
 * from, because errors and results repeat a name as the caller wrote it (manager.md §2).
 */
import { ServiceError } from '../errors.ts';
import { type AttributeValue, sameValue, valueOf } from './value.ts';

/** One attribute type and value of an RDN. The type is as written; the value is unescaped. */
export interface Ava {
  readonly type: string;
  readonly value: AttributeValue;
}

/** A relative distinguished name: one or more AVAs. */
export type Rdn = readonly Ava[];

const maxLength = 8192;
const maxDepth = 64;

/** RFC 4514 §3 table, the short names that RFC 4519 gives these OIDs, and names that differ in spelling. */
const aliases = new Map(
  Object.entries({
    '2.5.4.3': 'cn',
    '2.5.4.4': 'sn',
    '2.5.4.6': 'c',
    '2.5.4.7': 'l',
    '2.5.4.8': 'st',
    '2.5.4.9': 'street',
    '2.5.4.10': 'o',
    '2.5.4.11': 'ou',
    '0.9.2342.19200300.100.1.1': 'uid',
    '0.9.2342.19200300.100.1.25': 'dc',
    commonname: 'cn',
    surname: 'sn',
    countryname: 'c',
    localityname: 'l',
    stateorprovincename: 'st',
    streetaddress: 'street',
    organizationname: 'o',
    organizationalunitname: 'ou',
    userid: 'uid',
    domaincomponent: 'dc',
  }),
);

export class Dn {
  readonly rdns: readonly Rdn[];
  readonly #text: string;
  #key: string | undefined;

  private constructor(rdns: readonly Rdn[], text?: string) {
    this.rdns = rdns;
    this.#text = text ?? rdns.map(formatRdn).join(',');
  }

  /**
   * Reads a full DN.
   * @throws ServiceError `invalid_dn` if it is none, is empty or is longer than 8192 characters.
   */
  static parse(text: string): Dn {
    const dn = Dn.tryParse(text);
    if (!dn || dn.rdns.length === 0) {
      throw new ServiceError('invalid_dn', {
        detail: `Could not read LDAP object '${text.slice(0, 256)}' (invalid DN)`,
      });
    }
    return dn;
  }

  /** Reads a DN; undefined if it is none. The empty DN (the root DSE) is one. */
  static tryParse(text: string): Dn | undefined {
    if (text.length > maxLength) return undefined;
    if (text.trim() === '') return new Dn([], '');
    const rdns = new Scanner(text).rdns();
    return rdns && new Dn(rdns, text);
  }

  static readonly root = new Dn([], '');

  /** The name as it was written. */
  toString(): string {
    return this.#text;
  }

  toJSON(): string {
    return this.#text;
  }

  /**
   * One text for all spellings of this name: types in lower case, values folded as `caseIgnoreMatch` folds
   * them (RFC 4518 §2.6.1 in essence), AVAs of an RDN sorted.
   */
  get key(): string {
    this.#key ??= this.rdns.map(rdnKey).join(',');
    return this.#key;
  }

  equals(other: Dn): boolean {
    return this.key === other.key;
  }

  /** True if this name is `base` or stands below it. */
  isWithin(base: Dn): boolean {
    return base.key === '' || this.key === base.key || this.key.endsWith(`,${base.key}`);
  }

  /** The name above; undefined for the root. */
  get parent(): Dn | undefined {
    return this.rdns.length === 0 ? undefined : new Dn(this.rdns.slice(1));
  }

  /** The first RDN. @throws ServiceError `invalid_dn` for the root. */
  get rdn(): Rdn {
    const rdn = this.rdns[0];
    if (!rdn) throw new ServiceError('invalid_dn', { detail: 'the root has no RDN' });
    return rdn;
  }

  child(rdn: Rdn): Dn {
    return new Dn([rdn, ...this.rdns]);
  }

  /** This name with the part that is `from` replaced by `to`. */
  rebase(from: Dn, to: Dn): Dn {
    return new Dn([...this.rdns.slice(0, this.rdns.length - from.rdns.length), ...to.rdns]);
  }
}

/** A type's one spelling: lower case, OIDs and long names as their short name. */
export function canonicalType(type: string): string {
  const lower = type.toLowerCase();
  return aliases.get(lower) ?? lower;
}

/** A value as `caseIgnoreMatch` compares it: NFKC, lower case, white space folded and trimmed. */
export function foldValue(value: string): string {
  const folded = value.normalize('NFKC').toLowerCase();
  return /^\s|\s$|\s\s|[^\S ]/u.test(folded) ? folded.trim().replace(/\s+/gu, ' ') : folded;
}

/** An RDN written by RFC 4514 §2.3: `cn=a\,b+uid=1`. */
export function formatRdn(rdn: Rdn): string {
  return rdn.map(({ type, value }) => `${type}=${escapeValue(value)}`).join('+');
}

/** One text for all spellings of an RDN, see {@link Dn.key}. */
export function rdnKey(rdn: Rdn): string {
  return rdn.map(avaKey).sort().join('+');
}

export function sameRdn(a: Rdn, b: Rdn): boolean {
  return a.length === b.length && rdnKey(a) === rdnKey(b);
}

function avaKey({ type, value }: Ava): string {
  return `${canonicalType(type)}=${escapeValue(typeof value === 'string' ? foldValue(value) : value)}`;
}

function escapeValue(value: AttributeValue): string {
  if (typeof value !== 'string') return `#${Buffer.from(value).toString('hex')}`;
  return value
    .replace(/[\\",+<>;=]/g, '\\$&')
    .replace(/[\u0000-\u001f\u007f]/g, (c) => `\\${c.charCodeAt(0).toString(16).padStart(2, '0')}`)
    .replace(/^[ #]/, '\\$&')
    .replace(/ $/, '\\ ');
}

/** A scanner over one text, RFC 4514 §3; white space around separators is allowed as RFC 2253 §4 did. */
class Scanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  rdns(): Rdn[] | undefined {
    const rdns: Rdn[] = [];
    for (;;) {
      const rdn = this.#rdn();
      if (!rdn || rdns.length >= maxDepth) return undefined;
      rdns.push(rdn);
      if (this.#at >= this.#text.length) return rdns;
      this.#at += 1; // the comma or semicolon that ended the RDN
    }
  }

  #rdn(): Rdn | undefined {
    const avas: Ava[] = [];
    for (;;) {
      const ava = this.#ava();
      if (!ava || avas.some((other) => sameAva(other, ava)) || avas.length >= maxDepth) return undefined;
      avas.push(ava);
      if (this.#text[this.#at] !== '+') return avas;
      this.#at += 1;
    }
  }

  #ava(): Ava | undefined {
    const equals = this.#text.indexOf('=', this.#at);
    if (equals < 0) return undefined;
    const type = this.#text
      .slice(this.#at, equals)
      .trim()
      .replace(/^oid\./i, '');
    if (!/^(?:[a-zA-Z][a-zA-Z0-9-]*|[0-9]+(?:\.[0-9]+)+)$/.test(type)) return undefined;
    this.#at = equals + 1;
    while (this.#text[this.#at] === ' ') this.#at += 1;
    const value = this.#text[this.#at] === '#' ? this.#hexString() : this.#string();
    return value === undefined ? undefined : { type, value };
  }

  #hexString(): AttributeValue | undefined {
    const match = /^#((?:[0-9a-fA-F]{2})+) *(?=[,;+]|$)/.exec(this.#text.slice(this.#at));
    if (!match?.[1]) return undefined;
    this.#at += match[0].length;
    return Buffer.from(match[1], 'hex');
  }

  #string(): AttributeValue | undefined {
    if (this.#text[this.#at] === '"') return this.#quoted();
    const bytes = new Unescaped();
    for (; this.#at < this.#text.length; this.#at += 1) {
      const c = this.#text[this.#at] as string;
      if (c === ',' || c === ';' || c === '+') break;
      if (c === '"' || c === '<' || c === '>' || c === '\0') return undefined;
      if (c === '\\' ? !this.#escape(bytes) : !bytes.text(c)) return undefined;
    }
    return bytes.value(true);
  }

  /** The quoted form of RFC 2253 §4, which clients in the field still send. */
  #quoted(): AttributeValue | undefined {
    const bytes = new Unescaped();
    for (this.#at += 1; this.#text[this.#at] !== '"'; this.#at += 1) {
      const c = this.#text[this.#at];
      if (c === undefined || c === '\0') return undefined;
      if (c === '\\' ? !this.#escape(bytes) : !bytes.text(c)) return undefined;
    }
    this.#at += 1;
    while (this.#text[this.#at] === ' ') this.#at += 1;
    return /^[,;+]?$/.test(this.#text[this.#at] ?? '') ? bytes.value(false) : undefined;
  }

  #escape(bytes: Unescaped): boolean {
    const pair = this.#text.slice(this.#at + 1, this.#at + 3);
    if (/^[0-9a-fA-F]{2}$/.test(pair)) {
      this.#at += 2;
      return bytes.byte(Number.parseInt(pair, 16));
    }
    const special = pair[0];
    if (special === undefined || !' "#+,;<=>\\'.includes(special)) return false;
    this.#at += 1;
    return bytes.escaped(special);
  }
}

function sameAva(a: Ava, b: Ava): boolean {
  return canonicalType(a.type) === canonicalType(b.type) && sameValue(a.value, b.value);
}

/** Collects a value whose hex pairs may spell UTF-8 together (`Lu\C4\8Di\C4\87`). */
class Unescaped {
  #parts: Uint8Array[] = [];
  #text = '';
  /** Length of the text up to and with the last escaped character: white space after it may be trimmed. */
  #kept = 0;

  text(c: string): true {
    this.#text += c;
    return true;
  }

  escaped(c: string): true {
    this.#text += c;
    this.#kept = this.#text.length;
    return true;
  }

  byte(value: number): true {
    this.#flush();
    this.#parts.push(Uint8Array.of(value));
    return true;
  }

  value(trim: boolean): AttributeValue | undefined {
    if (trim) this.#text = this.#text.slice(0, this.#kept) + this.#text.slice(this.#kept).replace(/ +$/, '');
    if (this.#parts.length === 0) return this.#text;
    this.#flush();
    return valueOf(Buffer.concat(this.#parts));
  }

  #flush(): void {
    if (this.#text !== '') this.#parts.push(Buffer.from(this.#text, 'utf8'));
    this.#text = '';
    this.#kept = 0;
  }
}
