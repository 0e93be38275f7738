/**
 * Restricts what a role writes to the identity of an entry: its login names, and its names and numbers on POSIX systems. Two entries with
 * one login name could not log in, and an entry with the number of another would be that user on a system.
 */
import type { Schema } from '../../config/config.ts';
import type { Domains } from '../../directory/domain.ts';
import { hasClass, isUser } from '../../directory/entry/entry.ts';
import { spellingsOf } from '../../directory/entry/user.ts';
import { hasAccountClass, type PosixRules } from '../../directory/posix.ts';
import { Dn } from '../../foundation/text/dn.ts';
import { and, equal, type Filter, or } from '../../foundation/text/filter.ts';
import { describedType, foldValue, valuesOfName } from '../../foundation/text/rdn.ts';
import { type Attributes, type AttributeValue, textsOf } from '../../foundation/text/value.ts';
import type { Change, Directory, Entry, Rename } from '../../ports/directory/directory.ts';
import { merged, type ReadGroup } from './groups/affected-members.ts';
import { searchAll, slices } from './groups/members.ts';
import {
  isAccount,
  isGroup,
  namesOfClasses,
  type PosixTypes,
  posixTypes,
  wrongPosix,
} from './posix-writes.ts';

export interface IdentityRules {
  readonly schema: Pick<Schema, 'login_attributes' | 'member_uid_attributes' | 'user_classes'>;
  readonly posix: PosixRules;
  readonly domains: Pick<Domains, 'all' | 'bases' | 'containing'>;
  /** Reads as the service sees entries. */
  readonly read: ReadGroup;
  readonly service: Pick<Directory, 'search'>;
  /** Returns whether the caller may make members of a group. @param group its name as the directory writes it */
  readonly fills: (group: Dn) => Promise<boolean>;
  /** Finds the groups in which an entry with such attributes counts. */
  readonly groupsOf: (entry: Entry) => Promise<readonly Entry[]>;
}

/** An entry and what is written of it; values by type. */
interface Written {
  /** The name of the entry after the change. */
  readonly place: Dn;
  /** The name before; undefined: the entry is new. */
  readonly from: Dn | undefined;
  readonly given: Attributes;
  readonly had: Attributes;
  /** The values before that stay. */
  readonly kept: Attributes;
}

const nothing: Attributes = new Map();

/** The judge of changes. Each method returns the fault of a change, for people; undefined: no fault. */
export class IdentityWrites {
  readonly #rules: IdentityRules;
  readonly #types: PosixTypes;

  constructor(rules: IdentityRules) {
    const { schema, domains } = rules;
    const ofDomains = domains.all.flatMap(({ loginAttributes }) => loginAttributes);
    this.#rules = rules;
    this.#types = {
      logins: typesOf(['uid', ...schema.login_attributes, ...ofDomains]),
      members: typesOf(schema.member_uid_attributes),
    };
  }

  ofNew(dn: Dn, attributes: Attributes): Promise<string | undefined> {
    const given = merged([...attributes, ...valuesOfName(dn.rdn)]);
    return this.#wrongOf({ place: dn, from: undefined, given, had: nothing, kept: nothing });
  }

  async ofChanges(dn: Dn, changes: readonly Change[]): Promise<string | undefined> {
    const coming = changes.filter(({ operation }) => operation !== 'delete');
    const given = merged(coming.map(({ attribute, values }) => [attribute, values] as const));
    if (![...given.keys()].some((type) => this.#concerns(type))) return undefined;
    const before = await this.#before(dn);
    const replaced = new Set(
      coming
        .filter(({ operation }) => operation === 'replace')
        .map(({ attribute }) => attribute.toLowerCase()),
    );
    const kept = [...before.attributes].filter(([name]) => !replaced.has(name));
    const had = merged([...before.attributes]);
    return this.#wrongOf({ place: dn, from: dn, given, had, kept: merged(kept) });
  }

  async ofRename(from: Dn, { rdn }: Rename, place: Dn): Promise<string | undefined> {
    const had = merged([...(await this.#before(from)).attributes]);
    return this.#wrongOf({ place, from, given: merged(valuesOfName(rdn)), had, kept: had });
  }

  #before(dn: Dn): Promise<Entry> {
    const { logins, members } = this.#types;
    return this.#rules.read(dn, ['objectClass', ...posixTypes, ...logins, ...members]);
  }

  #concerns(type: string): boolean {
    const { logins, members } = this.#types;
    return [...posixTypes, ...logins, ...members, 'objectclass'].includes(type);
  }

  async #wrongOf(written: Written): Promise<string | undefined> {
    const { given, had, kept } = written;
    const entry = merged([...had, ...given]);
    // Where the class or the number comes, names and numbers come that are there already.
    const isMade = (isAccount(entry) && !isAccount(had)) || (isGroup(entry) && !isGroup(had));
    const isWhole = isMade || this.#isArriving(written);
    const come = isWhole ? merged([...kept, ...given]) : given;
    const changed = isWhole ? come : fresh(given, had);
    return (
      wrongPosix({ given: come, entry }, this.#types, this.#rules.posix) ??
      (await this.#wrongLogin(written, entry)) ??
      (await this.#wrongNumber(changed, written)) ??
      (hasAccountClass(namesOfClasses(entry)) ? await this.#wrongHome(changed, written) : undefined)
    );
  }

  /** Judges login names as a login does: in each domain whose base holds the entry, over all its login attributes. */
  async #wrongLogin({ place, from, given, had }: Written, entry: Attributes): Promise<string | undefined> {
    const { domains, schema } = this.#rules;
    const hasUser = (attributes: Attributes) => isUser({ dn: '', attributes }, schema);
    const before = new Set(from && domains.containing(from));
    for (const domain of domains.containing(place)) {
      const types = typesOf(domain.loginAttributes);
      const isKnown = before.has(domain) && (hasUser(had) || !hasUser(entry));
      const known = new Set(isKnown ? namesIn(had, types).map(foldValue) : []);
      const names = namesIn(isKnown ? given : entry, types).filter((name) => !known.has(foldValue(name)));
      const alike = names.flatMap((name) => spellingsOf(name, domain));
      for (const some of slices([...new Set(alike)])) {
        const filter = or(...some.flatMap((name) => types.map((type) => equal(type, name))));
        if (await this.#isOthers([domain.base], filter, from ?? place))
          return 'the login name is another entry’s; choose another name';
      }
    }
    return undefined;
  }

  async #wrongNumber(changed: Attributes, { place, from }: Written): Promise<string | undefined> {
    const { domains, service, fills, groupsOf } = this.#rules;
    const own = from ?? place;
    for (const number of textsOf(changed.get('uidnumber') ?? [])) {
      if (await this.#isOthers(domains.bases, equal('uidNumber', number), own))
        return 'the uidNumber is another entry’s; choose another number';
    }
    for (const number of textsOf(changed.get('gidnumber') ?? [])) {
      const filter = and(equal('objectClass', 'posixGroup'), equal('gidNumber', number));
      // Below the domains, where systems read groups, and wherever groups count.
      const found = await Promise.all(
        domains.bases.map((base) => searchAll({ base, filter }, { directory: { service } })),
      );
      const counting = await groupsOf({ dn: place.format(), attributes: new Map([['gidnumber', [number]]]) });
      const posix = counting.filter((group) => hasClass(group, ['posixGroup'])).map(({ dn }) => Dn.parse(dn));
      for (const group of [...found.flat(), ...posix])
        if (!group.equals(own) && !(await fills(group)))
          return 'the gidNumber is that of a group whose members you may not change';
    }
    return undefined;
  }

  /** Judges the homes of an account: neither another account's nor a directory in one. */
  async #wrongHome(changed: Attributes, { place, from }: Written): Promise<string | undefined> {
    for (const home of textsOf(changed.get('homedirectory') ?? [])) {
      const above = [...home.matchAll(/\//g)].map(({ index }) => home.slice(0, index)).slice(2);
      const paths = [...above, home].flatMap((path) => [path, `${path}/`]);
      const isHome = or(...paths.map((path) => equal('homeDirectory', path)));
      const filter = and(equal('objectClass', 'posixAccount'), isHome);
      if (await this.#isOthers(this.#rules.domains.bases, filter, from ?? place))
        return 'the home is another account’s, or in one; choose another path';
    }
    return undefined;
  }

  /** Returns whether an entry comes into the domains from outside of them all. */
  #isArriving({ place, from }: Written): boolean {
    const { domains } = this.#rules;
    return (
      from !== undefined && domains.containing(from).length === 0 && domains.containing(place).length > 0
    );
  }

  async #isOthers(bases: readonly Dn[], filter: Filter, own: Dn): Promise<boolean> {
    const directory = { service: this.#rules.service };
    for (const base of bases) {
      const found = await searchAll({ base, filter, limit: 2, partial: true }, { directory });
      if (found.some((dn) => !dn.equals(own))) return true;
    }
    return false;
  }
}

const typesOf = (attributes: readonly string[]): readonly string[] => [
  ...new Set(attributes.map(describedType)),
];

const namesIn = (attributes: Attributes, types: readonly string[]): readonly string[] =>
  types.flatMap((type) => textsOf(attributes.get(type) ?? [])).filter((name) => name !== '');

/** The values that come and were not there before. */
function fresh(given: Attributes, had: Attributes): Attributes {
  return new Map(
    [...given].map(([type, values]) => {
      const known = new Set(textsOf(had.get(type) ?? []));
      const isNew = (value: AttributeValue) => !textsOf([value]).every((text) => known.has(text));
      return [type, values.filter(isNew)];
    }),
  );
}
