/**
 * Calls of each method for the matrix test: the row names the entry and whether the call changes it, `effects.ts` the rest. A method
 * without a line there is called as in its example.
 */
import type { NamedMethod } from '../../../doors/manager/methods.ts';
import { type AnyMethod, entryNames } from '../../../table/method.ts';
import { type Effect, effects, type Materials } from './effects.ts';
import type { Touch } from './oracle.ts';
import { places, type WorldEntry } from './world.ts';

/** One call, and what it does. */
export type Use = Required<Pick<Effect, 'params' | 'touch'>> & Omit<Effect, 'params' | 'touch'>;

/** Answer with a list, and have a test of their own. */
export const searches: readonly string[] = ['Search_LDAP_Objects'];

/** The calls of a method about the entry of a place; none: it is not about such entries. */
export function usesOf(
  { ours, method }: NamedMethod,
  place: WorldEntry,
  materials: Materials,
): readonly Use[] {
  const known = effects[ours]?.(place, materials) ?? byExample(method, place);
  return known.map((effect) => complete(effect, method, place));
}

function byExample(method: AnyMethod, { name, dn }: WorldEntry): readonly Effect[] {
  const [entry] = entryNames(method);
  if (entry === undefined && name !== places[0]?.name) return [];
  return [{ params: { ...method.example, ...(entry && { [entry]: dn }) }, touch: { vague: true } }];
}

function complete({ params: given, touch, ...effect }: Effect, method: AnyMethod, { dn }: WorldEntry): Use {
  const [entry] = entryNames(method);
  const params = { ...(entry && !method.params[entry]?.optional && { [entry]: dn }), ...given };
  const on = entry === undefined ? undefined : Object.entries(params).find(([name]) => name === entry)?.[1];
  return { ...effect, params, touch: { ...touchOf(method, on), ...touch } };
}

/** Returns the effect that the row states. */
const touchOf = ({ permission }: AnyMethod, on: unknown): Touch => ({
  ...(typeof on === 'string' && { on }),
  ...(permission === 'write' && { changes: true }),
  ...(permission === 'self' && { self: true }),
});
