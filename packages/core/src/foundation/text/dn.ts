/**
 * Distinguished names (RFC 4514). A {@link Dn} keeps the text that it was read from, because errors and results repeat a name as the caller
 * wrote it.
 */
import { ServiceError } from '../errors/errors.ts';
import { TextCache } from '../runtime/bounded-cache.ts';
import { maxDnLevels, scanRdns, type WrittenAva } from './dn-scanner.ts';
import { type Ava, canonicalType, formatRdn, type Rdn, rdnKey } from './rdn.ts';
import { valueOf } from './value.ts';

export {
  type Ava,
  canonicalType,
  foldPiece,
  foldValue,
  formatRdn,
  type Rdn,
  rdnKey,
  sameRdn,
} from './rdn.ts';

/** Characters of the longest DN that is read. */
export const maxDnLength = 8192;

export { maxDnLevels };

/** DNs whose key is their text in lower case: types that ignore case, in one spelling each, and values without escapes. */
const plain =
  /^(?:uid|cn|ou|dc|o)=[\w.@'()/-]+(?: [\w.@'()/-]+)*(?:,(?:uid|cn|ou|dc|o)=[\w.@'()/-]+(?: [\w.@'()/-]+)*)*$/i;
/** A plain DN of this length has at most `maxDnLevels` levels: each has four characters at least. */
const longestPlain = 4 * maxDnLevels - 1;

const cacheSize = 256;

const comma = 0x2c;

const isPlain = (text: string): boolean => text.length <= longestPlain && plain.test(text);

function plainRdn(text: string): Rdn {
  const equals = text.indexOf('=');
  return [{ type: text.slice(0, equals), value: text.slice(equals + 1) }];
}

export class Dn {
  /** Undefined for a plain DN until they are needed. */
  #rdns: readonly Rdn[] | undefined;
  readonly #text: string | undefined;
  /** The result of {@link format}. */
  #format: string | undefined;
  #key: string | undefined;

  private constructor(rdns: readonly Rdn[] | undefined, text?: string) {
    this.#rdns = rdns;
    this.#text = text;
  }

  /** The RDNs from the entry upwards. */
  get rdns(): readonly Rdn[] {
    this.#rdns ??= (this.#text ?? '').split(',').map(plainRdn);
    return this.#rdns;
  }

  /** Whether this is the name of the root DSE, which is no entry. */
  get isRoot(): boolean {
    return this.#rdns?.length === 0;
  }

  /** Makes the DN of a plain text, as nearly all are. @param text {@link isPlain} */
  static #ofPlain(text: string): Dn {
    const dn = new Dn(undefined, text);
    dn.#format = text;
    dn.#key = text.toLowerCase();
    return Dn.#cache.keep(text, dn);
  }

  /** Plain DNs that were read lately: a request reads the name of an entry several times. */
  static readonly #cache = new TextCache<Dn>(cacheSize);

  /**
   * Reads a full DN.
   * @param text the DN in the notation of RFC 4514, at most 8192 characters
   * @returns the DN; DNs that differ only in letter case and spaces have the same `key`
   * @throws ServiceError `invalid_dn` if the text is no DN, is empty or is too long
   * @see RFC 4514 §3
   * @see docs/concepts/dialects-and-names.md#dn
   * @example
   * ```ts
   * import { Dn } from '@watchword/core/dn';
   *
   * const alice = Dn.parse('UID=Alice, ou=People,dc=example,dc=org');
   * console.log(alice.key); // uid=alice,ou=people,dc=example,dc=org
   * console.log(alice.isWithin(Dn.parse('dc=example,dc=org'))); // true
   * ```
   */
  static parse(text: string): Dn {
    const dn = Dn.tryParse(text);
    if (!dn || dn.isRoot) throw invalidDn(text);
    return dn;
  }

  /**
   * Reads a DN, which may be empty (the root DSE).
   * @param text the DN in the notation of RFC 4514
   * @returns undefined if the text is no DN, or has more than 8192 characters
   * @see RFC 4514 §3
   * @example
   * ```ts
   * import { Dn } from '@watchword/core/dn';
   *
   * console.log(Dn.tryParse('alice')); // undefined
   * console.log(Dn.tryParse('')?.isRoot); // true
   * ```
   */
  static tryParse(text: string): Dn | undefined {
    if (text.length > maxDnLength) return undefined;
    const known = Dn.#cache.get(text);
    if (known) return known;
    if (isPlain(text)) return Dn.#ofPlain(text);
    if (text.trim() === '') return Dn.root;
    const rdns = scanRdns(text)?.map(readRdn);
    return rdns?.every((rdn) => rdn !== undefined) ? new Dn(rdns, text) : undefined;
  }

  /**
   * Returns the {@link key} of a DN; undefined if the text is no DN. Plain DNs are not parsed: a group may have thousands of members.
   */
  static keyOf(text: string): string | undefined {
    return isPlain(text) ? text.toLowerCase() : Dn.tryParse(text)?.key;
  }

  static readonly root = new Dn([]);

  /** Returns the text that the name was read from, else {@link format}. */
  toString(): string {
    return this.#text ?? this.format();
  }

  toJSON(): string {
    return this.toString();
  }

  /** Returns the name in the form of RFC 4514: a directory gets this form, so that it reads the same name. */
  format(): string {
    this.#format ??= this.rdns.map(formatRdn).join(',');
    return this.#format;
  }

  /** A text that all spellings of this name share, see {@link rdnKey}. */
  get key(): string {
    this.#key ??= this.rdns.map(rdnKey).join(',');
    return this.#key;
  }

  equals(other: Dn): boolean {
    return this.key === other.key;
  }

  /** Returns whether this name is `base` or below it. */
  isWithin(base: Dn): boolean {
    const [own, above] = [this.key, base.key];
    if (above === '' || own === above) return true;
    // Commas and equals signs in values are escaped, so this comma begins an RDN.
    return own.charCodeAt(own.length - above.length - 1) === comma && own.endsWith(above);
  }

  /** The parent name; undefined for the root. */
  get parent(): Dn | undefined {
    return this.isRoot ? undefined : new Dn(this.rdns.slice(1));
  }

  /** The first RDN. @throws ServiceError `invalid_dn` for the root */
  get rdn(): Rdn {
    const rdn = this.rdns[0];
    if (!rdn) throw new ServiceError('invalid_dn', { detail: 'the root has no RDN' });
    return rdn;
  }

  child(rdn: Rdn): Dn {
    return new Dn([rdn, ...this.rdns]);
  }

  /** Returns this name, which is within `from`, with `from` replaced by `to`. */
  rebase(from: Dn, to: Dn): Dn {
    return new Dn([...this.rdns.slice(0, this.rdns.length - from.rdns.length), ...to.rdns]);
  }
}

/** Returns undefined for a duplicate type: an RDN has each type once (X.501 §9.3). */
function readRdn(written: readonly WrittenAva[]): Rdn | undefined {
  const types = written.length === 1 ? undefined : new Set(written.map(({ type }) => canonicalType(type)));
  return types && types.size < written.length ? undefined : written.map(readAva);
}

const readAva = ({ type, value }: WrittenAva): Ava => ({
  type,
  value: typeof value === 'string' ? value : valueOf(value),
});

/** Returns a DN as {@link Dn.format} writes it; a text that is no DN is returned unchanged. */
export function canonicalDnText(text: string): string {
  // A text without these has one spelling, except for letter case.
  return /[\\"#;<>\p{Cc}]|^\s|\s$|\s[,=+]|[,=+]\s/u.test(text) ? (Dn.tryParse(text)?.format() ?? text) : text;
}

/** A value that is no DN, for methods that answer to it. */
export class MalformedDn {
  readonly error: ServiceError;

  constructor(text: string) {
    this.error = invalidDn(text);
  }
}

/** Makes the error for a text that is no DN. */
export function invalidDn(text: string): ServiceError {
  return new ServiceError('invalid_dn', {
    detail: `Could not read LDAP object '${text.slice(0, 256)}' (invalid DN)`,
  });
}
