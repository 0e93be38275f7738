/** Entries as they would be after the drafted changes of a dry run: added, changed, renamed and removed entries by their new names. */

import { Dn, type Rdn } from '../../../foundation/text/dn.ts';
import { describedType } from '../../../foundation/text/rdn.ts';
import { type AttributeValue, bytesOf } from '../../../foundation/text/value.ts';
import type { Change, Directory, Entry, Rename } from '../../../ports/directory/directory.ts';

interface Draft {
  readonly dn: Dn;
  /** The whole entry; undefined: the directory's entry, with the changes after it. */
  readonly added: Entry | undefined;
  readonly changes: readonly Change[];
}

export class DryRunEntries {
  /** Drafts by the key of the name; undefined: the entry was removed. */
  #drafts = new Map<string, Draft | undefined>();
  readonly #moves: { readonly from: Dn; readonly to: Dn }[] = [];

  /** Whether nothing was changed yet. */
  get isBlank(): boolean {
    return this.#drafts.size === 0 && this.#moves.length === 0;
  }

  /** Whether the directory does not have it. */
  isAdded(dn: Dn): boolean {
    return this.#drafts.get(dn.key)?.added !== undefined;
  }

  /** Its name in the directory; undefined: nothing of this name is there. */
  nameBefore(dn: Dn): Dn | undefined {
    let name = dn;
    for (const { from, to } of this.#moves.toReversed()) {
      if (name.isWithin(to)) name = name.rebase(to, from);
      else if (name.isWithin(from)) return undefined;
    }
    return name;
  }

  async read(dn: Dn, attributes: readonly string[] | undefined, directory: Directory) {
    const draft = this.#drafts.get(dn.key);
    if (this.#drafts.has(dn.key) && !draft) return undefined;
    if (draft?.added) return changed(selected(draft.added, attributes), draft.changes, attributes);
    const before = this.nameBefore(dn);
    const entry = before && (await directory.read(before, attributes));
    return entry && this.asOfNow(entry, attributes);
  }

  /** An entry that the directory has; undefined: it would not be there. */
  asOfNow(entry: Entry, attributes: readonly string[] | undefined): Entry | undefined {
    if (this.isBlank) return entry;
    const before = Dn.parse(entry.dn);
    const dn = this.#nameNow(before);
    const draft = this.#drafts.get(dn.key);
    if (this.#drafts.has(dn.key) && !draft) return undefined;
    const named = dn.equals(before) ? entry : { ...entry, dn: dn.format() };
    return draft && !draft.added ? changed(named, draft.changes, attributes) : named;
  }

  add(dn: Dn, entry: Entry): void {
    this.#drafts.set(dn.key, { dn, added: entry, changes: [] });
  }

  change(dn: Dn, changes: readonly Change[]): void {
    const draft = this.#drafts.get(dn.key) ?? { dn, added: undefined, changes: [] };
    this.#drafts.set(dn.key, { ...draft, changes: [...draft.changes, ...changes] });
  }

  remove(dn: Dn): void {
    this.#drafts.set(dn.key, undefined);
  }

  rename(from: Dn, { rdn }: Rename, to: Dn): void {
    const isMoved = (draft: Draft | undefined): draft is Draft => draft?.dn.isWithin(from) ?? false;
    const moved = [...this.#drafts.values()].filter(isMoved);
    for (const { dn } of moved) this.#drafts.delete(dn.key);
    for (const draft of moved) {
      const dn = draft.dn.rebase(from, to);
      this.#drafts.set(dn.key, {
        ...{ dn, changes: draft.changes },
        added: draft.added && { ...draft.added, dn: dn.format() },
      });
    }
    this.#moves.push({ from, to });
    this.change(to, [...given('delete', from.rdn), ...given('add', rdn)]);
  }

  #nameNow(before: Dn): Dn {
    let name = before;
    for (const { from, to } of this.#moves) if (name.isWithin(from)) name = name.rebase(from, to);
    return name;
  }
}

const given = (operation: Change['operation'], rdn: Rdn): readonly Change[] =>
  rdn.map(({ type, value }) => ({ operation, attribute: type, values: [value] }));

const isAsked = (name: string, attributes: readonly string[] | undefined): boolean =>
  !attributes ||
  attributes.includes('*') ||
  attributes.some((asked) => describedType(asked) === describedType(name));

function selected(entry: Entry, attributes: readonly string[] | undefined): Entry {
  const asked = [...entry.attributes].filter(([name]) => isAsked(name, attributes));
  return { ...entry, attributes: new Map(asked) };
}

function changed(entry: Entry, changes: readonly Change[], asked: readonly string[] | undefined): Entry {
  const attributes = new Map(entry.attributes);
  for (const change of changes) {
    const name = change.attribute.toLowerCase();
    if (!isAsked(name, asked)) continue;
    const after = valuesAfter(attributes.get(name) ?? [], change);
    if (after.length > 0) attributes.set(name, after);
    else attributes.delete(name);
  }
  return { ...entry, attributes };
}

function valuesAfter(
  before: readonly AttributeValue[],
  { operation, values }: Change,
): readonly AttributeValue[] {
  if (operation === 'replace') return values;
  if (operation === 'delete') return values.length === 0 ? [] : before.filter((value) => !has(values, value));
  return [...before, ...values.filter((value) => !has(before, value))];
}

/** Most attributes are compared without regard to case (RFC 4517 §4.2). */
export const has = (values: readonly AttributeValue[], value: AttributeValue): boolean =>
  values.some((one) => sameText(one, value) || Buffer.compare(bytesOf(one), bytesOf(value)) === 0);

const sameText = (one: AttributeValue, other: AttributeValue): boolean =>
  typeof one === 'string' && typeof other === 'string' && one.toLowerCase() === other.toLowerCase();
