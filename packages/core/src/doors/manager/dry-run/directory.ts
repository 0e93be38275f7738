/**
 * The directory of a dry run. Changes are checked as far as reading allows, kept as drafts, and read back as if they were made. So a call
 * that reads its own writes continues as usual.
 */

import { ServiceError } from '../../../foundation/errors/errors.ts';
import { Dn } from '../../../foundation/text/dn.ts';
import { matchAll } from '../../../foundation/text/filter.ts';
import {
  type Attributes,
  type AttributeValue,
  clearTextPassword,
  isPasswordAttribute,
  isSecretAttribute,
} from '../../../foundation/text/value.ts';
import type {
  Change,
  ChildrenPage,
  ChildrenRequest,
  Directory,
  DirectoryServer,
  Entry,
  Rename,
  SearchRequest,
} from '../../../ports/directory/directory.ts';
import { type DryRunEntries, has } from './entries.ts';

export class DryRunDirectory implements Directory {
  readonly identity: Dn;
  readonly #directory: Directory;
  readonly #drafts: DryRunEntries;
  readonly #capabilities: DirectoryServer['capabilities'];

  /** @param drafts of all who are bound in this dry run */
  constructor(
    directory: Directory,
    drafts: DryRunEntries,
    { capabilities }: Pick<DirectoryServer, 'capabilities'>,
  ) {
    this.identity = directory.identity;
    this.#directory = directory;
    this.#drafts = drafts;
    this.#capabilities = capabilities;
  }

  /** Searches; an added entry is found by its name only. */
  async search(request: SearchRequest): Promise<readonly Entry[]> {
    const { base, scope, attributes } = request;
    if (this.#drafts.isAdded(base)) {
      const entry = scope === 'one' ? undefined : await this.read(base, attributes);
      return entry ? [entry] : [];
    }
    const found = await this.#directory.search({ ...request, base: await this.#base(base) });
    return this.#asOfNow(found, attributes);
  }

  async children(request: ChildrenRequest): Promise<ChildrenPage> {
    if (this.#drafts.isAdded(request.base)) return { entries: [], next: undefined };
    const page = await this.#directory.children({ ...request, base: await this.#base(request.base) });
    return { ...page, entries: this.#asOfNow(page.entries, request.attributes) };
  }

  read(dn: Dn, attributes?: readonly string[]): Promise<Entry | undefined> {
    return this.#drafts.isBlank
      ? this.#directory.read(dn, attributes)
      : this.#drafts.read(dn, attributes, this.#directory);
  }

  async add(dn: Dn, attributes: Attributes): Promise<void> {
    if (await this.read(dn, ['1.1'])) throw new ServiceError('already_exists');
    await this.#existing(dn.parent ?? dn);
    for (const [attribute, values] of attributes) await this.#assertTaken(dn, attribute, values);
    const { identifier } = await this.#capabilities(dn);
    const named = dn.rdn.map(({ type, value }) => [type.toLowerCase(), [value]] as const);
    const all = [[identifier, [`draft of ${dn.key}`]] as const, ...named, ...attributes];
    this.#drafts.add(dn, { dn: dn.format(), attributes: new Map(all) });
  }

  async modify(dn: Dn, changes: readonly Change[]): Promise<void> {
    await this.#existing(dn);
    for (const { attribute } of changes) await this.assertWritable(dn, attribute);
    for (const change of changes) {
      await this.#assertFits(dn, change);
      if (change.operation !== 'delete') await this.#assertTaken(dn, change.attribute, change.values);
    }
    this.#drafts.change(dn, changes);
  }

  async rename(dn: Dn, to: Rename): Promise<void> {
    const name = Dn.parse(await this.#existing(dn));
    if (to.parent) await this.#existing(to.parent);
    const target = (to.parent ?? dn.parent)?.child(to.rdn) ?? dn;
    const taken = await this.read(target, ['1.1']);
    if (taken && !Dn.parse(taken.dn).equals(name)) throw new ServiceError('already_exists');
    this.#drafts.rename(name, to, target);
  }

  async remove(dn: Dn): Promise<void> {
    const base = Dn.parse(await this.#existing(dn));
    const below = {
      base,
      scope: 'one',
      filter: matchAll,
      attributes: ['1.1'],
      limit: 1,
      partial: true,
    } as const;
    if ((await this.search(below)).length > 0)
      throw new ServiceError('schema_refused', { detail: 'entries stand below it' });
    this.#drafts.remove(base);
  }

  /** @throws ServiceError `password_refused` by the policy that the directory tells */
  async setPassword(dn: Dn, password: string): Promise<void> {
    await this.#existing(dn);
    await this.#assertPolicy(dn, password);
  }

  async assertWritable(dn: Dn, attribute: string): Promise<void> {
    const before = this.#drafts.isAdded(dn) ? undefined : this.#drafts.nameBefore(dn);
    if (before) await this.#directory.assertWritable(before, attribute);
  }

  /** Closes nothing: the caller owns the connection. */
  async close(): Promise<void> {}

  async #assertTaken(dn: Dn, attribute: string, values: readonly AttributeValue[]): Promise<void> {
    if (!isPasswordAttribute(attribute)) return;
    for (const clear of values.map(clearTextPassword))
      if (clear !== undefined) await this.#assertPolicy(dn, clear);
  }

  async #assertPolicy(dn: Dn, password: string): Promise<void> {
    const { passwords } = await this.#capabilities(dn);
    await passwords?.assertTakes(password);
  }

  /** Skips attributes that may not be read: a caller that guesses learns nothing. */
  async #assertFits(dn: Dn, { operation, attribute, values }: Change): Promise<void> {
    if (operation === 'replace' || isSecretAttribute(attribute)) return;
    const entry = await this.read(dn, [attribute]);
    const before = entry?.attributes.get(attribute.toLowerCase()) ?? [];
    if (operation === 'add' && values.some((value) => before.includes(value)))
      throw new ServiceError('value_exists');
    const isMissing = values.length === 0 ? before.length === 0 : values.some((value) => !has(before, value));
    if (operation === 'delete' && isMissing) throw new ServiceError('value_missing');
  }

  /** The name in the directory. @throws ServiceError `not_found` */
  async #base(dn: Dn): Promise<Dn> {
    const before = this.#drafts.nameBefore(dn);
    if (!before || !(this.#drafts.isBlank || (await this.read(dn, ['1.1']))))
      throw new ServiceError('not_found');
    return before;
  }

  #asOfNow(entries: readonly Entry[], attributes: readonly string[] | undefined): readonly Entry[] {
    if (this.#drafts.isBlank) return entries;
    return entries.flatMap((entry) => this.#drafts.asOfNow(entry, attributes) ?? []);
  }

  /** @returns the name as the directory writes it. @throws ServiceError `not_found` */
  async #existing(dn: Dn): Promise<string> {
    const entry = await this.read(dn, ['1.1']);
    if (!entry) throw new ServiceError('not_found');
    return entry.dn;
  }
}
