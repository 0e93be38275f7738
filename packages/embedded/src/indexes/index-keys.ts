/**
 * Index keys: `=uid:alice` for equality, `*uid` for presence, `~cn:ali` for three successive characters, where \u0002 and \u0003 mark the
 * beginning and the end of the value. A key may give false positives, never false negatives.
 */
import { createHash } from 'node:crypto';
import type { Attributes, AttributeValue } from '@watchword/core/foundation';
import { equalityOf } from '../schema/matching-rules.ts';
import { type AttributeType, findAttribute, findClass } from '../schema/schema.ts';

/** Attributes that are indexed by pieces, for search boxes. */
const byPiece = ['uid', 'cn', 'sn', 'givenname', 'mail', 'displayname', 'ou', 'o', 'memberuid', 'mobile'];

/** Attributes whose values are DNs of other entries, see `references.ts`. */
export const referenceAttributes = [
  'member',
  'uniquemember',
  'owner',
  'manager',
  'secretary',
  'roleoccupant',
];

const byValue = new Set([
  ...byPiece,
  ...referenceAttributes,
  'uidnumber',
  'gidnumber',
  'entryuuid',
  'webadmtype',
]);
const pieces = new Set(byPiece);

export const isIndexed = (key: string): boolean => byValue.has(key);
export const hasPieces = (key: string): boolean => pieces.has(key);

const cutAfter = 64;
const pieceLength = 3;
const [start, end] = ['\u0002', '\u0003'];

export function equalityKey(attribute: string, normalized: string): string {
  if (normalized.length <= cutAfter) return `=${attribute}:${normalized}`;
  return `=${attribute}:${createHash('sha256').update(normalized).digest('base64')}`;
}

export function presenceKey(attribute: string): string {
  return `*${attribute}`;
}

/** Returns the keys of every value that matches a substring assertion; none if its pieces are too short. */
export function pieceKeys(
  attribute: AttributeType,
  {
    initial,
    any,
    final,
  }: { initial?: AttributeValue; any: readonly AttributeValue[]; final?: AttributeValue },
): string[] {
  const { fragment } = equalityOf(attribute);
  const fold = (value: AttributeValue) => fragment(value) ?? '';
  const texts = any.map((value) => fold(value));
  if (initial !== undefined) texts.push(start + fold(initial).trimStart());
  if (final !== undefined) texts.push(fold(final).trimEnd() + end);
  return texts.flatMap((text) => piecesOf(attribute.key, text));
}

/** Returns the index keys that a change of an entry removes and adds. */
export function indexChange(
  before: Attributes,
  after: Attributes,
): { readonly removed: readonly string[]; readonly added: readonly string[] } {
  const had = indexKeys(differing(before, after));
  const has = indexKeys(differing(after, before));
  return {
    removed: [...had].filter((key) => !has.has(key)),
    added: [...has].filter((key) => !had.has(key)),
  };
}

/**
 * Returns the attributes that differ from `others`, and only the differing values where each has its own key. A new member of a large group
 * costs one key.
 */
function differing(attributes: Attributes, others: Attributes): Attributes {
  const result = new Map<string, readonly AttributeValue[]>();
  for (const [key, values] of attributes) {
    const same = others.get(key);
    if (same === values) continue;
    const isWhole = !same || hasPieces(key) || key === 'objectclass';
    result.set(key, isWhole ? values : without(values, same));
  }
  return result;
}

/** Subtracts values. Skips the common beginning and end, which is most of a large group. */
function without(values: readonly AttributeValue[], others: readonly AttributeValue[]): AttributeValue[] {
  const shorter = Math.min(values.length, others.length);
  let [first, last] = [0, 0];
  while (first < shorter && values[first] === others[first]) first += 1;
  while (last < shorter - first && values.at(-1 - last) === others.at(-1 - last)) last += 1;
  const kept = new Set(others.slice(first, others.length - last));
  return values.slice(first, values.length - last).filter((value) => !kept.has(value));
}

/** Returns all index keys of an entry. */
export function indexKeys(attributes: Attributes): Set<string> {
  const keys = new Set<string>();
  for (const objectClass of classesOf(attributes)) keys.add(equalityKey('objectclass', objectClass));
  for (const [key, values] of attributes) {
    const attribute = isIndexed(key) ? findAttribute(key) : undefined;
    if (attribute) addKeys(keys, attribute, values);
  }
  return keys;
}

/** Returns the keys of an entry's classes and their superclasses. */
function classesOf(attributes: Attributes): Set<string> {
  const named = (attributes.get('objectclass') ?? []).map((value) => findClass(String(value)));
  return new Set(named.flatMap((objectClass) => [...(objectClass?.withSuperclasses ?? [])]));
}

function addKeys(keys: Set<string>, attribute: AttributeType, values: readonly AttributeValue[]): void {
  keys.add(presenceKey(attribute.key));
  const pieces = new Set<string>();
  const { normalize } = equalityOf(attribute);
  for (const value of values) {
    const normalized = normalize(value);
    if (normalized === undefined) continue;
    keys.add(equalityKey(attribute.key, normalized));
    if (hasPieces(attribute.key)) addPieces(pieces, start + normalized + end);
  }
  for (const piece of pieces) keys.add(pieceKey(attribute.key, piece));
}

const pieceKey = (attribute: string, piece: string): string => `~${attribute}:${piece}`;

function piecesOf(attribute: string, text: string): string[] {
  const pieces = new Set<string>();
  addPieces(pieces, text);
  return Array.from(pieces, (piece) => pieceKey(attribute, piece));
}

/** Splits by code points: a key cannot contain half a surrogate pair. */
function addPieces(pieces: Set<string>, text: string): void {
  const points = /[\ud800-\udfff]/.test(text) ? [...text] : undefined;
  const length = points?.length ?? text.length;
  for (let at = 0; at + pieceLength <= length; at += 1) {
    pieces.add(points?.slice(at, at + pieceLength).join('') ?? text.slice(at, at + pieceLength));
  }
}
