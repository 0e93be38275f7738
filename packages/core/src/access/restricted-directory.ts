/**
 * Access control: a directory around the directory, in which an administrator sees and changes what its rights let
 * it. The directory's own access rules hold below it. What is asked for by name and may not be had is refused with a
 * sentence, never left out: code that decides by what it reads would decide on half of it.
 */
import type { Change, Directory, Entry, Rename, SearchRequest } from '../directory/directory.ts';
import { type Dn, sameRdn } from '../directory/dn.ts';
import type { Attributes } from '../directory/value.ts';
import { ServiceError } from '../errors.ts';
import { classesTouched, textsOf } from './classes.ts';
import { typeOf } from './permissions.ts';
import { isSelector, searchRestricted, visible } from './restricted-search.ts';
import { denied, type Rights } from './rights.ts';

export interface Restriction {
  readonly rights: Rights;
  /** Attributes that hold passwords. */
  readonly passwords: readonly string[];
  /** @throws ServiceError `permission_denied` */
  assertAdministers(dn: Dn): Promise<void>;
  /** @throws ServiceError `permission_denied` */
  assertLeaf(dn: Dn): Promise<void>;
}

export class RestrictedDirectory implements Directory {
  readonly identity: Dn;
  readonly #directory: Directory;
  readonly #restriction: Restriction;
  readonly #rights: Rights;

  constructor(directory: Directory, restriction: Restriction) {
    this.identity = directory.identity;
    this.#directory = directory;
    this.#restriction = restriction;
    this.#rights = restriction.rights;
  }

  search(request: SearchRequest): Promise<readonly Entry[]> {
    return searchRestricted(this.#directory, request, this.#rights);
  }

  async read(dn: Dn, attributes?: readonly string[]): Promise<Entry | undefined> {
    this.#rights.assertHolds(dn);
    for (const name of attributes ?? []) this.#assertReads(dn, name);
    const entry = await this.#directory.read(dn, attributes);
    return entry && visible(entry, dn, this.#rights);
  }

  async add(dn: Dn, attributes: Attributes): Promise<void> {
    await this.#restriction.assertAdministers(dn);
    for (const [name, values] of attributes) {
      if (typeOf(name) === 'objectclass') this.#assertCreates(dn, textsOf(values));
      else this.#assertWrites(dn, name);
    }
    await this.#directory.add(dn, attributes);
  }

  async modify(dn: Dn, changes: readonly Change[]): Promise<void> {
    await this.#restriction.assertAdministers(dn);
    for (const change of changes) await this.#assertMayMake(change, dn);
    await this.#directory.modify(dn, changes);
  }

  /** Naming attributes are written like others; to another place an entry is moved as if it were made there. */
  async rename(dn: Dn, to: Rename): Promise<void> {
    const parent = to.parent ?? dn.parent;
    const target = parent?.child(to.rdn) ?? dn;
    await this.#restriction.assertAdministers(dn);
    await this.#restriction.assertAdministers(target);
    await this.#restriction.assertLeaf(dn);
    for (const { type } of sameRdn(to.rdn, dn.rdn) ? [] : [...dn.rdn, ...to.rdn])
      this.#assertWrites(dn, type);
    if (to.parent) {
      const classes = await this.#classes(dn);
      for (const place of [dn, target]) this.#assertCreates(place, classes);
    }
    await this.#directory.rename(dn, to);
  }

  async remove(dn: Dn): Promise<void> {
    await this.#restriction.assertAdministers(dn);
    this.#assertCreates(dn, await this.#classes(dn));
    await this.#directory.remove(dn);
  }

  async setPassword(dn: Dn, password: string, options: { readonly mustChange: boolean }): Promise<void> {
    await this.#restriction.assertAdministers(dn);
    if (!this.#restriction.passwords.some((attribute) => this.#rights.writes(dn, attribute)))
      throw denied('you may not set passwords there');
    await this.#directory.setPassword(dn, password, options);
  }

  async assertWritable(dn: Dn, attribute: string): Promise<void> {
    await this.#restriction.assertAdministers(dn);
    this.#assertWrites(dn, attribute);
    await this.#directory.assertWritable(dn, attribute);
  }

  close(): Promise<void> {
    return this.#directory.close();
  }

  async #assertMayMake(change: Change, dn: Dn): Promise<void> {
    if (typeOf(change.attribute) !== 'objectclass') return this.#assertWrites(dn, change.attribute);
    this.#assertCreates(dn, classesTouched(change, await this.#classes(dn)));
  }

  #assertReads(dn: Dn, attribute: string): void {
    if (!isSelector(attribute) && !this.#rights.reads(dn, attribute))
      throw denied(`you may not read ${attribute} there`);
  }

  #assertWrites(dn: Dn, attribute: string): void {
    // Classes go by what may be created; as part of a name they would get past that.
    if (typeOf(attribute) === 'objectclass' || !this.#rights.writes(dn, attribute))
      throw denied(`you may not write ${attribute} there`);
  }

  #assertCreates(dn: Dn, classes: readonly string[]): void {
    const refused = classes.find((name) => name !== 'top' && !this.#rights.creates(dn, name));
    if (refused !== undefined) throw denied(`you may not make or unmake a ${refused} there`);
  }

  async #classes(dn: Dn): Promise<readonly string[]> {
    const entry = await this.#directory.read(dn, ['objectclass']);
    if (!entry) throw new ServiceError('not_found');
    return textsOf(entry.attributes.get('objectclass') ?? []);
  }
}
