/** Search filters, RFC 4511 §4.5.1.7, on the attributes of an entry. */
import type { Attributes, AttributeValue, Filter } from '@watchword/core/foundation';
import { canonicalDnText, foldPiece, foldValue, ServiceError } from '@watchword/core/foundation';
import { typeOf } from './tree.ts';

export function matches(filter: Filter, entry: Attributes): boolean {
  if ('filters' in filter) {
    const test = (part: Filter) => matches(part, entry);
    return filter.kind === 'and' ? filter.filters.every(test) : filter.filters.some(test);
  }
  if (filter.kind === 'not') return !matches(filter.filter, entry);
  if (filter.kind === 'extensible') throw new ServiceError('invalid_params', { detail: 'no matching rules' });
  const type = typeOf(filter.attribute);
  const values = entry.get(type) ?? [];
  if (filter.kind === 'present') return values.length > 0;
  if (filter.kind === 'substrings') return values.some((value) => hasPieces(value, filter));
  const wanted = keyOf(type, filter.value);
  const orders = values.map((value) => keyOf(type, value).localeCompare(wanted, 'en', { numeric: true }));
  if (filter.kind === 'greaterOrEqual') return orders.some((order) => order >= 0);
  if (filter.kind === 'lessOrEqual') return orders.some((order) => order <= 0);
  return values.some((value) => keyOf(type, value) === wanted);
}

/** Equal for values that match: names of entries in one spelling, text folded, bytes as they are. */
function keyOf(type: string, value: AttributeValue): string {
  if (typeof value !== 'string') return Buffer.from(value).toString('latin1');
  return foldValue(['member', 'memberof'].includes(type) ? canonicalDnText(value) : value);
}

function hasPieces(value: AttributeValue, filter: Filter & { kind: 'substrings' }): boolean {
  const fold = (piece: AttributeValue = '') => foldPiece(String(piece));
  if (!fold(value).startsWith(fold(filter.initial))) return false;
  let rest = fold(value).slice(fold(filter.initial).length);
  for (const piece of filter.any.map((part) => fold(part))) {
    if (!rest.includes(piece)) return false;
    rest = rest.slice(rest.indexOf(piece) + piece.length);
  }
  return rest.endsWith(fold(filter.final));
}
