/** `List_LDAP_Children`: one level of the tree, in pages. */

import type { Schema } from '../../config/config.ts';
import { isReason } from '../../foundation/errors/errors.ts';
import { mapCooperatively } from '../../foundation/runtime/cooperative.ts';
import { Dn } from '../../foundation/text/dn.ts';
import type { Filter } from '../../foundation/text/filter.ts';
import type { Entry } from '../../ports/directory/directory.ts';
import { hasClass, isUser, kindAttributes, missingContainer, texts } from '../entry/entry.ts';
import type { BoundView, SchemaWords } from '../view.ts';

export const entryKinds = ['user', 'group', 'container', 'other'] as const;

export interface Child {
  readonly dn: string;
  readonly kind: (typeof entryKinds)[number];
  /** The value of the RDN. */
  readonly name: string;
  readonly classes: readonly string[];
}

export interface ChildPage {
  readonly entries: readonly Child[];
  /** The cursor of the next page; null after the last. */
  readonly next: string | null;
}

export interface ChildSearch {
  readonly container: Dn;
  readonly filter: Filter;
  readonly start: string | undefined;
  readonly max: number;
}

/** Entries between two yields: a millisecond or so. */
const atOnce = 200;

/** Lists a page of children. @throws ServiceError `not_found` naming the container */
export async function listChildren(
  { container, filter, start, max }: ChildSearch,
  { directory, config }: BoundView & SchemaWords,
): Promise<ChildPage> {
  const request = { base: container, filter, limit: max, after: start, attributes: kindAttributes };
  try {
    const { entries, next } = await directory.children(request);
    const children = await mapCooperatively(entries, atOnce, (entry) => childOf(entry, config.schema));
    return { entries: byName(children), next: next ?? null };
  } catch (error) {
    throw isReason(error, 'not_found') ? missingContainer(container) : error;
  }
}

function childOf(entry: Entry, schema: Schema): Child {
  const { dn } = entry;
  return {
    dn,
    kind: kindOf(entry, schema),
    name: nameOf(dn),
    classes: texts(entry, 'objectClass'),
  };
}

/** Returns the value of the RDN; the whole DN where that is no text. */
export function nameOf(dn: string): string {
  const value = Dn.tryParse(dn)?.rdns[0]?.[0]?.value;
  return typeof value === 'string' ? value : dn;
}

function kindOf(entry: Entry, schema: Schema): Child['kind'] {
  if (isUser(entry, schema)) return 'user';
  if (hasClass(entry, schema.group_classes)) return 'group';
  return hasClass(entry, schema.container_classes) ? 'container' : 'other';
}

const order = new Intl.Collator('en', { numeric: true });

const byName = (children: readonly Child[]): readonly Child[] =>
  [...children].sort((a, b) => order.compare(a.name, b.name) || (a.dn < b.dn ? -1 : 1));
