/**
 * Returns whether the classes of an entry make it an active user, which counts for the licence. A directory accepts a class by its OID,
 * too.
 */
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

  /** True if one of these classes is needed to make an entry an active user. */
  matter(classes: readonly string[]): boolean {
    return classes.some((name) => isOid(name) || this.#user.has(name) || this.#account.has(name));
  }

  /** Returns whether an entry with these classes is an active user, or may be: the meaning of an OID is unknown. */
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

/** RFC 4512 §1.4 `numericoid`, and whatever else is no name. */
const isOid = (name: string): boolean => !/^[a-z]/.test(name);

/** Attributes by the name that they are given, as an add, a modify or an RDN has them. */
type Pairs = Iterable<readonly [attribute: string, values: readonly AttributeValue[]]>;

/** The classes among attributes, `objectClass` by any of its names, in lower case. */
export function classesAmong(pairs: Pairs): readonly string[] {
  return [...pairs].flatMap(([attribute, values]) =>
    attributeType(attribute) === 'objectclass' ? textsOf(values).map((name) => name.toLowerCase()) : [],
  );
}

/** A class in a name becomes one of the entry's. */
export const classesOfRdn = (rdn: Rdn): readonly string[] =>
  classesAmong(rdn.map(({ type, value }) => [type, [value]] as const));
