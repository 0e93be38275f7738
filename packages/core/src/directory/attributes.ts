/**
 * Attributes between the wire and the directory: names checked, binary ones in base64 (manager.md §3), a
 * certificate as specification §4.2 rule 1 writes it, and passwords given out only when asked for by name.
 */
import { isReason, ServiceError } from '../errors.ts';
import { decodeBase64 } from '../schema.ts';
import { certificateOf } from './certificate.ts';
import type { Change, Directory, Entry } from './directory.ts';
import type { Dn } from './dn.ts';
import { onEntry } from './explain.ts';
import {
  type Attributes,
  type AttributeValue,
  attributeType,
  isAttributeDescription,
  isBinaryAttribute,
  isPasswordAttribute,
  sameValue,
} from './value.ts';

/** Values as they came over the wire. */
export type WireAttributes = ReadonlyMap<string, readonly string[]>;

/** Names that may be asked for: descriptions, and the `*`, `+` and `1.1` of RFC 4511 §4.5.1.8. */
export function checkNames(names: readonly string[]): readonly string[] {
  for (const name of names) {
    if (!isAttributeDescription(name) && name !== '*' && name !== '+') throw noAttribute(name);
  }
  return names;
}

/** An empty list asks for nothing in particular, which is everything. */
export function requested(names: readonly string[] | undefined): readonly string[] | undefined {
  return names === undefined || names.length === 0 ? undefined : checkNames(names);
}

/** Wire values as the directory takes them. @throws ServiceError `invalid_params` */
export function decodeAttributes(attributes: WireAttributes): Attributes {
  const decoded = new Map<string, readonly AttributeValue[]>();
  for (const [name, values] of attributes) {
    const key = name.toLowerCase();
    if (!isAttributeDescription(name)) throw noAttribute(name);
    if (decoded.has(key))
      throw new ServiceError('invalid_params', { detail: `Parameter attrs names ${key} twice` });
    decoded.set(
      key,
      values.map((value) => decodeValue(name, value)),
    );
  }
  return decoded;
}

function noAttribute(name: string): ServiceError {
  return new ServiceError('invalid_params', {
    detail: `Parameter attrs: '${name.slice(0, 64)}' is no attribute name`,
  });
}

function decodeValue(name: string, value: string): AttributeValue {
  if (attributeType(name) === 'usercertificate') return certificateOf(value, 'attrs');
  return isBinaryAttribute(name) ? decodeBase64(value, 'attrs') : value;
}

/** An entry's attributes as they go over the wire. */
export function encodeAttributes(
  entry: Entry,
  asked: readonly string[] | undefined,
): ReadonlyMap<string, readonly string[]> {
  const named = new Set(asked?.map((name) => name.toLowerCase()));
  const encoded = new Map<string, readonly string[]>();
  for (const [name, values] of entry.attributes) {
    if (isPasswordAttribute(name) && !named.has(name)) continue;
    if (values.length > 0) encoded.set(name, values.map(encodeValue));
  }
  return encoded;
}

function encodeValue(value: AttributeValue): string {
  return typeof value === 'string' ? value : Buffer.from(value).toString('base64');
}

/** Set_User_Attrs: each attribute named is replaced, or, with `add`, its values join those that are there. */
export async function setAttributes(
  directory: Directory,
  dn: Dn,
  { attributes, add }: { attributes: Attributes; add: boolean },
): Promise<void> {
  const operation = add ? 'add' : 'replace';
  const changes = Array.from(attributes, ([attribute, values]): Change => ({ operation, attribute, values }));
  const wanted = add ? changes.filter(({ values }) => values.length > 0) : changes;
  await onEntry('update', dn, async () => {
    try {
      await directory.modify(dn, wanted);
    } catch (error) {
      if (!isReason(error, 'value_exists')) throw error;
      await directory.modify(dn, await without(directory, dn, wanted));
    }
  });
}

/** Of changes that add, what is not there yet: adding a member twice leaves one member, and is no error. */
async function without(directory: Directory, dn: Dn, changes: readonly Change[]): Promise<readonly Change[]> {
  const entry = await directory.read(
    dn,
    changes.map(({ attribute }) => attribute),
  );
  return changes
    .map((change) => ({ ...change, values: unseen(change.values, entry?.attributes.get(change.attribute)) }))
    .filter(({ values }) => values.length > 0);
}

function unseen(
  values: readonly AttributeValue[],
  there: readonly AttributeValue[] = [],
): readonly AttributeValue[] {
  return values.filter((value) => !there.some((other) => sameValue(value, other)));
}

/** Remove_User_Attrs of whole attributes: those that are not there are no error. */
export async function removeAttributes(
  directory: Directory,
  dn: Dn,
  names: readonly string[],
): Promise<void> {
  const changes = checkNames(names).map(
    (attribute): Change => ({ operation: 'replace', attribute, values: [] }),
  );
  await onEntry('update', dn, () => directory.modify(dn, changes));
}

/** Remove_User_Attrs of single values: those that are not there are no error. */
export async function removeValues(directory: Directory, dn: Dn, attributes: Attributes): Promise<void> {
  for (const [attribute, values] of attributes) {
    for (const value of values) {
      await onEntry('update', dn, () => removeValue(directory, dn, { attribute, value }));
    }
  }
}

/** False if it was not there. */
export async function removeValue(
  directory: Directory,
  dn: Dn,
  { attribute, value }: { attribute: string; value: AttributeValue },
): Promise<boolean> {
  try {
    await directory.modify(dn, [{ operation: 'delete', attribute, values: [value] }]);
    return true;
  } catch (error) {
    if (isReason(error, 'value_missing')) return false;
    throw error;
  }
}
