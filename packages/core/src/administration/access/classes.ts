/**
 * Object classes in access control: a change of the classes of an entry may make it an entry of another kind, which needs other rights.
 */

import { textsOf } from '../../foundation/text/value.ts';
import type { Change } from '../../ports/directory/directory.ts';

/** The classes that a change of `objectClass` brings or takes. @param before those that the entry has */
export function classesTouched({ operation, values }: Change, before: readonly string[]): readonly string[] {
  const named = textsOf(values);
  if (operation === 'add') return named;
  if (operation === 'delete') return named.length > 0 ? named : before;
  return [...without(named, before), ...without(before, named)];
}

/** Names are compared without regard to case (RFC 4512 §2.4). */
function without(names: readonly string[], others: readonly string[]): readonly string[] {
  const folded = new Set(others.map((name) => name.toLowerCase()));
  return names.filter((name) => !folded.has(name.toLowerCase()));
}
