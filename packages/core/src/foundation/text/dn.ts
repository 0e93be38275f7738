/**
 * Distinguished names, RFC 4514: read, written, compared. A {@link Dn} remembers the text that it was read
 * from, because errors and results repeat a name as the caller wrote it.
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

/** Of a few types that do not mind case, each in one spelling, and values that need no escape: no two of these are one name. */
const plain =
  /^(?:uid|cn|ou|dc|o)=[\w.@'()/-]+(?: [\w.@'()/-]+)*(?:,(?:uid|cn|ou|dc|o)=[\w.@'()/-]+(?: [\w.@'()/-]+)*)*$/i;
/** So short that it has no more levels than may be: each has four characters at least. */
const longestPlain = 4 * maxDnLevels - 1;

const cacheSize = 256;

const comma = 0x2c;

const isPlain = (text: string): boolean => text.length <= longestPlain && plain.test(text);

function plainRdn(text: string): Rdn {
  const equals = text.indexOf('=');
  return [{ type: text.slice(0, equals), value: text.slice(equals + 1) }];
}

export class Dn {
  /** Of a plain name, which is at work as a text mostly: undefined until somebody asks for it. */
  #rdns: readonly Rdn[] | undefined;
  readonly #text: string | undefined;
  /** What {@link format} gives. */
  #format: string | undefined;
  #key: string | undefined;

  private constructor(rdns: readonly Rdn[] | undefined, text?: string) {
    this.#rdns = rdns;
    this.#text = text;
  }

  /** From the entry upwards. */
  get rdns(): readonly Rdn[] {
    this.#rdns ??= (this.#text ?? '').split(',').map(plainRdn);
    return this.#rdns;
  }

  /** The name of the root DSE, which is none of an entry. */
  get isRoot(): boolean {
    return this.#rdns?.length === 0;
  }

  /** Nearly all DNs are: there is one way to write them, but for letter case. @param text that {@link isPlain} */
  static #ofPlain(text: string): Dn {
    const dn = new Dn(undefined, text);
    dn.#format = text;
    dn.#key = text.toLowerCase();
    return Dn.#cache.keep(text, dn);
  }

  /** Plain ones that were read lately: whatever is done with an entry reads its name a few times. */
  static readonly #cache = new TextCache<Dn>(cacheSize);

  /**
   * Reads a full DN.
   * @throws ServiceError `invalid_dn` if it is none, is empty or is longer than 8192 characters.
   */
  static parse(text: string): Dn {
    const dn = Dn.tryParse(text);
    if (!dn || dn.isRoot) throw invalidDn(text);
    return dn;
  }

  /** Reads a DN; undefined if it is none. The empty DN (the root DSE) is one. */
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
   * {@link key} of the name that is written there, undefined if it is none. A group has thousands, and nearly all of them
   * are so plain that they need not be read.
   */
  static keyOf(text: string): string | undefined {
    return isPlain(text) ? text.toLowerCase() : Dn.tryParse(text)?.key;
  }

  static readonly root = new Dn([]);

  /** The name as it was written; one that was made, not read, as {@link format} writes it. */
  toString(): string {
    return this.#text ?? this.format();
  }

  toJSON(): string {
    return this.toString();
  }

  /** The name by RFC 4514 however it was written: what a directory gets, so that it reads what we have read. */
  format(): string {
    this.#format ??= this.rdns.map(formatRdn).join(',');
    return this.#format;
  }

  /** One text for all spellings of this name, see {@link rdnKey}. */
  get key(): string {
    this.#key ??= this.rdns.map(rdnKey).join(',');
    return this.#key;
  }

  equals(other: Dn): boolean {
    return this.key === other.key;
  }

  /** True if this name is `base` or stands below it. */
  isWithin(base: Dn): boolean {
    const [own, above] = [this.key, base.key];
    if (above === '' || own === above) return true;
    // In a value a comma has a backslash before it, and an equals sign too: this one begins an RDN.
    return own.charCodeAt(own.length - above.length - 1) === comma && own.endsWith(above);
  }

  /** The name above; undefined for the root. */
  get parent(): Dn | undefined {
    return this.isRoot ? undefined : new Dn(this.rdns.slice(1));
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

  /** This name, which stands within `from`, with that part of it replaced by `to`. */
  rebase(from: Dn, to: Dn): Dn {
    return new Dn([...this.rdns.slice(0, this.rdns.length - from.rdns.length), ...to.rdns]);
  }
}

/** Undefined where a type stands twice: an RDN has each of its types once (X.501 §9.3). */
function readRdn(written: readonly WrittenAva[]): Rdn | undefined {
  const types = written.length === 1 ? undefined : new Set(written.map(({ type }) => canonicalType(type)));
  return types && types.size < written.length ? undefined : written.map(readAva);
}

const readAva = ({ type, value }: WrittenAva): Ava => ({
  type,
  value: typeof value === 'string' ? value : valueOf(value),
});

/** A name as {@link Dn.format} writes it, whoever wrote it; what is none stays as it is. */
export function spelled(text: string): string {
  // Without these there is one spelling only, but for letter case, which is the writer's to choose.
  return /[\\"#;<>\p{Cc}]|^\s|\s$|\s[,=+]|[,=+]\s/u.test(text) ? (Dn.tryParse(text)?.format() ?? text) : text;
}

/** What stands where a DN should, for methods that have an answer even to that. */
export class MalformedDn {
  readonly error: ServiceError;

  constructor(text: string) {
    this.error = invalidDn(text);
  }
}

/** The error for a text, or a name, that is no DN. */
export function invalidDn(text: string): ServiceError {
  return new ServiceError('invalid_dn', {
    detail: `Could not read LDAP object '${text.slice(0, 256)}' (invalid DN)`,
  });
}
