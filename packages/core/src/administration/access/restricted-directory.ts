/**
 * Access control: a directory layer in which an administrator reads and writes only what its rights permit. The directory's own access
 * rules apply below it. An operation on a named entry or attribute without rights fails. It is never silently reduced, as code would
 * decide on half of the data.
 */

import { ServiceError } from '../../foundation/errors/errors.ts';
import { Dn, sameRdn } from '../../foundation/text/dn.ts';
import { type Attributes, attributeType, textsOf } from '../../foundation/text/value.ts';
import type {
  Change,
  ChildrenPage,
  ChildrenRequest,
  Directory,
  Entry,
  Rename,
  SearchRequest,
} from '../../ports/directory/directory.ts';
import { classesTouched } from './classes.ts';
import type { AffectedGroup } from './groups/affected-members.ts';
import { denied, type PermissionCheck } from './permission-check.ts';
import { childrenRestricted, isSelector, searchRestricted, visible } from './restricted-search.ts';
import type { Restriction } from './restriction.ts';

export class RestrictedDirectory implements Directory {
  readonly identity: Dn;
  readonly #directory: Directory;
  readonly #restriction: Restriction;
  readonly #check: PermissionCheck;

  constructor(directory: Directory, restriction: Restriction) {
    this.identity = directory.identity;
    this.#directory = directory;
    this.#restriction = restriction;
    this.#check = restriction.check;
  }

  search(request: SearchRequest): Promise<readonly Entry[]> {
    return searchRestricted(this.#directory, request, this.#restriction);
  }

  children(request: ChildrenRequest): Promise<ChildrenPage> {
    return childrenRestricted(this.#directory, request, this.#restriction);
  }

  async read(dn: Dn, attributes?: readonly string[]): Promise<Entry | undefined> {
    await this.#assertReads(dn, attributes ?? []);
    const entry = await this.#directory.read(dn, attributes);
    if (!entry) return undefined;
    const place = Dn.parse(entry.dn);
    await this.#assertReads(place, attributes ?? []);
    const asked = new Set(attributes?.map(attributeType));
    const { isSecret } = this.#restriction;
    const isShown = (name: string) =>
      this.#check.reads(place, name) && (!isSecret(name) || asked.has(attributeType(name)));
    return visible(entry, isShown);
  }

  async add(dn: Dn, attributes: Attributes): Promise<void> {
    const place = await this.#restriction.assertAdministers(dn);
    // The values of the name become values of the entry, whether they are among the attributes or not.
    for (const { type } of dn.rdn) this.#assertWrites(place, type);
    for (const [name, values] of attributes) {
      if (attributeType(name) === 'objectclass') this.#assertCreates(place, textsOf(values));
      else this.#assertWrites(place, name);
    }
    assertRight(await this.#restriction.identityWrites?.ofNew(place, attributes));
    await this.#assertTouches(place, this.#restriction.touchedMembers.ofNew(dn, attributes));
    await this.#restriction.assertJoins(await this.#restriction.joinedGroups.ofNew(place, attributes));
    await this.#directory.add(dn, attributes);
  }

  async modify(dn: Dn, changes: readonly Change[]): Promise<void> {
    const place = await this.#restriction.assertAdministers(dn);
    for (const change of changes) await this.#assertMayMake(change, place);
    assertRight(await this.#restriction.identityWrites?.ofChanges(place, changes));
    await this.#assertTouches(place, await this.#restriction.touchedMembers.ofChanges(place, changes));
    await this.#restriction.assertJoins(await this.#restriction.joinedGroups.ofChanges(place, changes));
    await this.#directory.modify(dn, changes);
  }

  /** Naming attributes are written like others; to another place an entry is moved as if it were made there. */
  async rename(dn: Dn, to: Rename): Promise<void> {
    const from = await this.#restriction.assertAdministers(dn);
    const named = (to.parent ?? dn.parent)?.child(to.rdn) ?? dn;
    const target = await this.#restriction.assertAdministers(named);
    await this.#restriction.assertMoves(from, target);
    const types = to.parent && sameRdn(to.rdn, dn.rdn) ? [] : [...from.rdn, ...to.rdn];
    const classes = to.parent ? await this.#classes(dn) : [];
    for (const place of [from, target]) {
      for (const { type } of types) this.#assertWrites(place, type);
      this.#assertCreates(place, classes);
    }
    assertRight(await this.#restriction.identityWrites?.ofRename(from, to, target));
    const touched = await this.#restriction.touchedMembers.ofWhole(from, to);
    for (const place of [from, target]) await this.#assertTouches(place, touched);
    await this.#restriction.assertJoins(await this.#restriction.joinedGroups.ofRename(from, to));
    await this.#directory.rename(dn, to);
  }

  async remove(dn: Dn): Promise<void> {
    const place = await this.#restriction.assertAdministers(dn);
    this.#assertCreates(place, await this.#classes(dn));
    await this.#assertTouches(place, await this.#restriction.touchedMembers.ofWhole(place));
    await this.#directory.remove(dn);
  }

  async setPassword(dn: Dn, password: string, options: { readonly mustChange: boolean }): Promise<void> {
    const place = await this.#restriction.assertAdministers(dn);
    if (!this.#restriction.passwords.some((attribute) => this.#check.writes(place, attribute)))
      throw denied('you may not set passwords there');
    await this.#directory.setPassword(dn, password, options);
  }

  async assertWritable(dn: Dn, attribute: string): Promise<void> {
    const place = await this.#restriction.assertAdministers(dn);
    this.#assertWrites(place, attribute);
    await this.#directory.assertWritable(dn, attribute);
  }

  close(): Promise<void> {
    return this.#directory.close();
  }

  async #assertTouches(group: Dn, touched: AffectedGroup | undefined): Promise<void> {
    if (touched) await this.#restriction.assertTouches(group, touched);
  }

  async #assertMayMake(change: Change, dn: Dn): Promise<void> {
    if (attributeType(change.attribute) !== 'objectclass') return this.#assertWrites(dn, change.attribute);
    this.#assertCreates(dn, classesTouched(change, await this.#classes(dn)));
  }

  /** Refuses to read passwords of an administrator with more rights. */
  async #assertReads(dn: Dn, attributes: readonly string[]): Promise<void> {
    this.#check.assertHolds(dn);
    const unread = attributes.find((name) => !isSelector(name) && !this.#check.reads(dn, name));
    if (unread !== undefined) throw denied(`you may not read ${unread} there`);
    if (attributes.some(this.#restriction.isSecret)) await this.#restriction.assertAdministers(dn);
  }

  #assertWrites(dn: Dn, attribute: string): void {
    // Classes go by what may be created; as part of a name they would get past that.
    if (attributeType(attribute) === 'objectclass' || !this.#check.writes(dn, attribute))
      throw denied(`you may not write ${attribute} there`);
  }

  #assertCreates(dn: Dn, classes: readonly string[]): void {
    const forbidden = classes.find((name) => name !== 'top' && !this.#check.creates(dn, name));
    if (forbidden !== undefined) throw denied(`you may not make or unmake a ${forbidden} there`);
  }

  async #classes(dn: Dn): Promise<readonly string[]> {
    const entry = await this.#directory.read(dn, ['objectclass']);
    if (!entry) throw new ServiceError('not_found');
    return textsOf(entry.attributes.get('objectclass') ?? []);
  }
}

/** @param wrong said to the administrator; undefined: nothing is */
function assertRight(wrong: string | undefined): void {
  if (wrong !== undefined) throw denied(wrong);
}
