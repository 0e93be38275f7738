/**
 * Groups that an entry joins or leaves by its own attributes: a login name, a group number or a primary group. Writing such an attribute
 * needs the same rights as writing `member` of the group.
 */
import type { Schema } from '../../../config/config.ts';
import { memberAttributes, primaryAttributes } from '../../../directory/entry/group.ts';
import type { Memberships } from '../../../directory/groups/memberships.ts';
import { Dn } from '../../../foundation/text/dn.ts';
import { describedType, valuesOfName } from '../../../foundation/text/rdn.ts';
import { type Attributes, type AttributeValue, textsOf } from '../../../foundation/text/value.ts';
import type { Change, Entry, Rename } from '../../../ports/directory/directory.ts';
import { merged, type ReadGroup } from './affected-members.ts';

/** The groups that entries count in. */
type GroupsOf = Memberships['of'];

export class JoinedGroups {
  readonly #names: readonly string[];
  readonly #types: ReadonlySet<string>;
  readonly #read: ReadGroup;
  readonly #groupsOf: GroupsOf;

  constructor(schema: Schema, read: ReadGroup, groupsOf: GroupsOf) {
    this.#names = [...memberAttributes(schema), ...primaryAttributes];
    this.#types = new Set(this.#names.map(describedType));
    this.#read = read;
    this.#groupsOf = groupsOf;
  }

  /** Returns the groups that a new entry counts in; the values of its name become values of the entry. */
  ofNew(dn: Dn, attributes: Attributes): Promise<readonly Entry[]> {
    const given = this.#ownOf(merged([...attributes, ...valuesOfName(dn.rdn)]));
    return this.#joined(dn, given, new Set());
  }

  /** Returns the groups that changes lead an entry into or out of. */
  async ofChanges(dn: Dn, changes: readonly Change[]): Promise<readonly Entry[]> {
    const own = changes.filter(({ attribute }) => this.#types.has(describedType(attribute)));
    if (own.length === 0) return [];
    const before = await this.#before(dn);
    const after = new Map(before);
    for (const { operation, attribute, values } of own) {
      const type = describedType(attribute);
      after.set(type, changed(after.get(type) ?? [], operation, textsOf(values)));
    }
    return this.#between({ from: dn, before, to: dn, after });
  }

  /** Returns the groups that a new name leads an entry into or out of. */
  async ofRename(from: Dn, { rdn, parent }: Rename): Promise<readonly Entry[]> {
    const before = await this.#before(from);
    const left = this.#ownOf(merged(valuesOfName(from.rdn)));
    const after = new Map(before);
    for (const [type, values] of left) after.set(type, changed(before.get(type) ?? [], 'delete', values));
    const given = merged([...after, ...this.#ownOf(merged(valuesOfName(rdn)))]);
    return this.#between({ from, before, to: (parent ?? from.parent ?? Dn.root).child(rdn), after: given });
  }

  async #before(dn: Dn): Promise<Attributes> {
    const entry = await this.#read(dn, this.#names);
    return this.#ownOf(merged([...entry.attributes]));
  }

  /** Returns them as text, also where bytes were sent. */
  #ownOf(attributes: Attributes): Attributes {
    const own = [...attributes].filter(([type]) => this.#types.has(type));
    return new Map(own.map(([type, values]) => [type, type === 'objectsid' ? values : textsOf(values)]));
  }

  /** Lists of members follow a renamed entry: no group is left by its name, but one that names the new name already is joined. */
  async #between({ from, before, to, after }: Moved): Promise<readonly Entry[]> {
    const [was, stays] = await Promise.all([
      this.#groupsOf({ dn: from.format(), attributes: before }),
      this.#groupsOf({ dn: from.format(), attributes: after }),
    ]);
    const still = keysOf(stays);
    const left = was.filter(({ dn }) => !still.has(Dn.parse(dn).key));
    return [...left, ...(await this.#joined(to, after, keysOf(was)))];
  }

  async #joined(dn: Dn, attributes: Attributes, was: ReadonlySet<string>): Promise<readonly Entry[]> {
    const groups = await this.#groupsOf({ dn: dn.format(), attributes });
    return groups.filter((group) => !was.has(Dn.parse(group.dn).key));
  }
}

interface Moved {
  readonly from: Dn;
  readonly before: Attributes;
  readonly to: Dn;
  readonly after: Attributes;
}

const keysOf = (groups: readonly Entry[]): ReadonlySet<string> =>
  new Set(groups.map(({ dn }) => Dn.parse(dn).key));

/** @param values those that a deletion takes away; none: all */
function changed(
  had: readonly AttributeValue[],
  operation: Change['operation'],
  values: readonly AttributeValue[],
): readonly AttributeValue[] {
  if (operation === 'replace') return values;
  if (operation === 'add') return [...had, ...values];
  const gone = new Set(values.map((value) => String(value).toLowerCase()));
  return values.length === 0 ? [] : had.filter((value) => !gone.has(String(value).toLowerCase()));
}
