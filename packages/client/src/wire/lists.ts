/**
 * Normalizes lists of the wire to arrays. Servers of this interface write a list as an array or as an object keyed by index: `["a", "b"]`
 * or `{"0": "a", "1": "b"}`. An object whose keys are exactly 0 … n-1, in any order, is a list. No map of the interface has such keys:
 * attribute names begin with a letter or are dotted numbers (RFC 4512 §1.4), DNs have an `=`, settings and data a dot. Only
 * `Get_Config_Objects` could, for objects named `0`, `1`, `2`. JSON does not distinguish an empty list from an empty map in the deployed
 * dialect, so both are left as they came: the standard dialect writes `[]` and `{}`, and the deployed dialect may write either for both.
 */
import { protocolError } from '../errors.ts';

/** Answers of the interface nest five levels deep; one made to exhaust the stack is refused. */
const deepest = 64;

/** The value with every list an array. @throws CallError `protocol` if it nests deeper than 64 levels */
export function withArrays(value: unknown, depth = 0): unknown {
  if (depth > deepest) throw protocolError(`The answer is nested deeper than ${deepest} levels`);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => withArrays(item, depth + 1));
  const members = Object.entries(value).map(([key, item]) => [key, withArrays(item, depth + 1)] as const);
  // JavaScript puts keys that are indexes first and in order, whatever the order they came in.
  const isList = members.length > 0 && members.every(([key], index) => key === String(index));
  return isList ? members.map(([, item]) => item) : Object.fromEntries(members);
}
