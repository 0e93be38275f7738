/** Limits on what a role writes of accounts and groups of systems: names and numbers that systems take for their own. */
import type { Schema } from '../config/config.ts';
import type { Change, Entry, Rename } from '../directory/directory.ts';
import {
  hasAccountClass,
  hasGroupClass,
  isAccountField,
  isField,
  type PosixRules,
} from '../directory/posix.ts';
import type { Dn } from '../text/dn.ts';
import { describedType } from '../text/rdn.ts';
import { type Attributes, textsOf } from '../text/value.ts';
import { merged, pairsOf, type ReadGroup } from './groups/touched-members.ts';

type Judge = (value: string) => string | undefined;

/** The entry before a change, and the descriptions in lower case whose values the change replaces. */
interface Earlier {
  readonly before: Entry;
  readonly replaced: ReadonlySet<string>;
}

/** The judge of changes. Each method returns the fault of a change, for people; undefined: no fault. */
export class PosixWrites {
  readonly #rules: PosixRules;
  readonly #logins: readonly string[];
  readonly #read: ReadGroup;

  constructor({ login_attributes }: Pick<Schema, 'login_attributes'>, rules: PosixRules, read: ReadGroup) {
    this.#rules = rules;
    this.#logins = [...new Set(['uid', ...login_attributes].map(describedType))];
    this.#read = read;
  }

  ofNew(dn: Dn, attributes: Attributes): string | undefined {
    const given = merged([...attributes, ...pairsOf(dn.rdn)]);
    return this.#wrongIn(given, given);
  }

  async ofChanges(dn: Dn, changes: readonly Change[]): Promise<string | undefined> {
    const coming = changes.filter(({ operation }) => operation !== 'delete');
    const given = merged(coming.map(({ attribute, values }) => [attribute, values] as const));
    if (![...given.keys()].some((type) => this.#concerns(type))) return undefined;
    const replaced = coming.filter(({ operation }) => operation === 'replace');
    return this.#wrongAfter(given, {
      before: await this.#before(dn),
      replaced: new Set(replaced.map(({ attribute }) => attribute.toLowerCase())),
    });
  }

  async ofRename(dn: Dn, { rdn }: Rename): Promise<string | undefined> {
    return this.#wrongAfter(merged(pairsOf(rdn)), { before: await this.#before(dn), replaced: new Set() });
  }

  #wrongAfter(given: Attributes, { before, replaced }: Earlier): string | undefined {
    const had = [...before.attributes];
    // Where the class or the number comes, names and numbers come that are there already.
    const isMade = given.has('uidnumber') || isPosix(namesOfClasses(given));
    const kept = isMade ? had.filter(([name]) => !replaced.has(name)) : [];
    return this.#wrongIn(merged([...kept, ...given]), merged([...had, ...given]));
  }

  #before(dn: Dn): Promise<Entry> {
    return this.#read(dn, ['objectClass', 'cn', 'uidNumber', 'gidNumber', ...this.#logins]);
  }

  #concerns(type: string): boolean {
    return (
      ['objectclass', 'uidnumber', 'gidnumber', 'homedirectory', 'loginshell', 'cn'].includes(type) ||
      this.#logins.includes(type)
    );
  }

  /** @param entry the given values and those before: they decide whether the entry is an account or a group */
  #wrongIn(given: Attributes, entry: Attributes): string | undefined {
    const classes = namesOfClasses(entry);
    // Active Directory has numbers without the class.
    const isAccount = hasAccountClass(classes) || entry.has('uidnumber');
    const rules = this.#rules;
    const wrongName: Judge = (name) => rules.wrongName(name) ?? wrongField(name, isAccountField);
    const judges: readonly (readonly [string, Judge])[] = [
      ...(isAccount ? this.#logins.map((type) => [type, wrongName] as const) : []),
      ...(hasGroupClass(classes) ? [['cn', wrongName] as const] : []),
      ['uidnumber', rules.wrongUid],
      ['gidnumber', rules.wrongGid],
      ['homedirectory', (text) => wrongField(text, isField)],
      ['loginshell', (text) => wrongField(text, isField)],
    ];
    for (const [type, judge] of judges) {
      const wrong = textsOf(given.get(type) ?? [])
        .map(judge)
        .find(Boolean);
      if (wrong !== undefined) return wrong;
    }
    return undefined;
  }
}

const namesOfClasses = (attributes: Attributes): readonly string[] =>
  textsOf(attributes.get('objectclass') ?? []);

const isPosix = (classes: readonly string[]): boolean => hasAccountClass(classes) || hasGroupClass(classes);

const wrongField = (text: string, isGood: (text: string) => boolean): string | undefined =>
  isGood(text) ? undefined : 'a name, a home or a shell has a character that ends it on a system';
