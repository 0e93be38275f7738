/** Checks whether classes make an entry an active user, or may: a directory accepts a class by OID, too. */
import type { Schema } from '../../config/config.ts';
import { computerClasses } from '../../directory/entry/entry.ts';
import type { Rdn } from '../../foundation/text/dn.ts';
import { type AttributeValue, attributeType, textsOf } from '../../foundation/text/value.ts';

export class ActiveClasses {
  readonly #user: ReadonlySet<string>;
  readonly #account: ReadonlySet<string>;

  constructor({ user_classes, account_class }: Pick<Schema, 'user_classes' | 'account_class'>) {
    this.#user = new Set(user_classes.map((name) => name.toLowerCase()));
    this.#account = new Set([account_class.toLowerCase()]);
  }

  /** Returns whether one of some classes is needed for an active user. */
  matter(classes: readonly string[]): boolean {
    return classes.some((name) => isOid(name) || this.#user.has(name) || this.#account.has(name));
  }

  /** Returns whether an entry with some classes is an active user, or may be, by an unknown OID. */
  mayBeActive(classes: readonly string[]): boolean {
    const has = (wanted: ReadonlySet<string>) => classes.some((name) => isOid(name) || wanted.has(name));
    const isComputer = computers.some((name) => classes.includes(name));
    return has(this.#user) && has(this.#account) && !isComputer;
  }

  isActive(classes: readonly string[]): boolean {
    return this.mayBeActive(classes.filter((name) => !isOid(name)));
  }
}

const computers = computerClasses.map((name) => name.toLowerCase());

/** A `numericoid` (RFC 4512 §1.4), or anything else that is no name. */
const isOid = (name: string): boolean => !/^[a-z]/.test(name);

/** Attributes by name, of an add, a modify or an RDN. */
type Pairs = Iterable<readonly [attribute: string, values: readonly AttributeValue[]]>;

/** Returns the classes among attributes, in lower case; `objectClass` may have any of its names. */
export function classesAmong(pairs: Pairs): readonly string[] {
  return [...pairs].flatMap(([attribute, values]) =>
    attributeType(attribute) === 'objectclass' ? textsOf(values).map((name) => name.toLowerCase()) : [],
  );
}

/** Returns the classes in a name, which become the entry's. */
export const classesOfRdn = (rdn: Rdn): readonly string[] =>
  classesAmong(rdn.map(({ type, value }) => [type, [value]] as const));
