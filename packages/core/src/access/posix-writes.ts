/** What a role may not write of accounts and groups of systems: names and numbers that these take for their own. */
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
import { type Attributes, classNames } from '../text/value.ts';
import { classesOf } from './groups/members.ts';
import { merged, pairsOf, type ReadGroup } from './groups/touched-members.ts';

type Judge = (value: string) => string | undefined;

/** Each answers with what is wrong with a change, for people; undefined: nothing. */
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
    return this.#wrongIn(given, classNames(given.get('objectclass') ?? []));
  }

  async ofChanges(dn: Dn, changes: readonly Change[]): Promise<string | undefined> {
    const coming = changes.filter(({ operation }) => operation !== 'delete');
    const given = merged(coming.map(({ attribute, values }) => [attribute, values] as const));
    if (![...given.keys()].some((type) => this.#concerns(type))) return undefined;
    const before = await this.#before(dn);
    // Where the class comes, names and numbers come that are there already.
    const isMade = isPosix(classNames(given.get('objectclass') ?? []));
    const judged = isMade && before ? merged([...before.attributes, ...given]) : given;
    return this.#wrongIn(judged, [
      ...(before ? classesOf(before) : []),
      ...classNames(given.get('objectclass') ?? []),
    ]);
  }

  async ofRename(dn: Dn, { rdn }: Rename): Promise<string | undefined> {
    const before = await this.#before(dn);
    return before && this.#wrongIn(merged(pairsOf(rdn)), classesOf(before));
  }

  #before(dn: Dn): Promise<Entry | undefined> {
    return this.#read(dn, ['objectClass', 'cn', 'uidNumber', 'gidNumber', ...this.#logins]);
  }

  #concerns(type: string): boolean {
    return (
      ['objectclass', 'uidnumber', 'gidnumber', 'homedirectory', 'loginshell', 'cn'].includes(type) ||
      this.#logins.includes(type)
    );
  }

  #wrongIn(given: Attributes, classes: readonly string[]): string | undefined {
    // Active Directory has numbers without the class.
    const isAccount = hasAccountClass(classes) || given.has('uidnumber');
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
      const wrong = classNames(given.get(type) ?? [])
        .map(judge)
        .find(Boolean);
      if (wrong !== undefined) return wrong;
    }
    return undefined;
  }
}

const isPosix = (classes: readonly string[]): boolean => hasAccountClass(classes) || hasGroupClass(classes);

const wrongField = (text: string, isGood: (text: string) => boolean): string | undefined =>
  isGood(text) ? undefined : 'a name, a home or a shell has a character that ends it on a system';
