/**
 * Attributes between the wire and the directory: checked names, base64 for binary values, and passwords only by name.
 */

import { isReason, ServiceError } from '../../foundation/errors/errors.ts';
import { mapCooperatively } from '../../foundation/runtime/cooperative.ts';
import { canonicalDnText, type Dn } from '../../foundation/text/dn.ts';
import {
  type Attributes,
  type AttributeValue,
  attributeType,
  bytesOf,
  isAttributeDescription,
  isNameAttribute,
  isSecretAttribute,
  valueOf,
} from '../../foundation/text/value.ts';
import type { Change, Directory, Entry } from '../../ports/directory/directory.ts';
import { decodeLenientBase64 } from '../../table/schema/base64.ts';
import type { NamesOrValues } from '../../table/schema/index.ts';
import type { IsBinary } from '../binary-attributes.ts';
import { certificateOf } from './certificate.ts';
import { effectiveValues, type WantedValues } from './effective-values.ts';
import { onEntry, readExisting } from './entry.ts';

/** Values on the wire. */
export type WireAttributes = ReadonlyMap<string, readonly string[]>;

/**
 * Checks requested names: descriptions, and the `*`, `+` and `1.1` of RFC 4511 §4.5.1.8. An empty list requests all.
 * @throws ServiceError `invalid_params`
 */
export function requested(names: readonly string[] | undefined): readonly string[] | undefined {
  if (names === undefined || names.length === 0) return undefined;
  checkNames(names.filter((name) => name !== '*' && name !== '+'));
  return names;
}

function checkNames(names: readonly string[]): readonly string[] {
  const wrong = names.find((name) => !isAttributeDescription(name));
  if (wrong !== undefined) throw noAttribute(wrong);
  return names;
}

/** Values between two yields: a millisecond or so. */
const atOnce = 1000;

/** Decodes wire values for the directory. @throws ServiceError `invalid_params` */
export async function decodeAttributes(attributes: WireAttributes, isBinary: IsBinary): Promise<Attributes> {
  const decoded = new Map<string, readonly AttributeValue[]>();
  for (const [name, values] of attributes) {
    const key = name.toLowerCase();
    if (!isAttributeDescription(name)) throw noAttribute(name);
    if (decoded.has(key))
      throw new ServiceError('invalid_params', { detail: `Parameter attrs names ${key} twice` });
    // Values are a set (RFC 4512 §2.2).
    decoded.set(key, await mapCooperatively([...new Set(values)], atOnce, decoderOf(name, isBinary)));
  }
  return decoded;
}

/** Decodes the values of `Remove_User_Attrs`. @throws ServiceError `invalid_params` if only names are given */
export async function decodeRemovals(
  { names, values }: NamesOrValues,
  isBinary: IsBinary,
): Promise<Attributes> {
  if (values.size === names.length) return decodeAttributes(values, isBinary);
  throw new ServiceError('invalid_params', { detail: 'Parameter attrs names attributes, but no values' });
}

function noAttribute(name: string): ServiceError {
  return new ServiceError('invalid_params', {
    detail: `Parameter attrs: '${name.slice(0, 64)}' is not an attribute name`,
  });
}

function decoderOf(name: string, isBinary: IsBinary): (value: string) => AttributeValue {
  if (attributeType(name) === 'usercertificate') return (value) => certificateOf(value, 'attrs');
  return isBinary(name) ? (value) => decodeLenientBase64(value, 'attrs') : (value) => value;
}

/** Lowers the names of classes. */
export function lowerClasses(encoded: EncodedAttributes): EncodedAttributes {
  return new Map(
    Array.from(encoded, ([name, values]) => [
      name,
      name === 'objectclass' ? values.map((value) => value.toLowerCase()) : values,
    ]),
  );
}

type EncodedAttributes = ReadonlyMap<string, readonly string[]>;

/** Encodes the attributes of an entry for the wire. */
export function encodeAttributes(
  entry: Entry,
  asked: readonly string[] | undefined,
  isBinary: IsBinary,
): EncodedAttributes {
  const named = new Set(asked?.map((name) => name.toLowerCase()));
  const encoded = new Map<string, readonly string[]>();
  for (const [name, values] of entry.attributes) {
    if (isSecretAttribute(name) && !named.has(name)) continue;
    if (values.length > 0) encoded.set(name, values.map(encoderOf(name, isBinary)));
  }
  return encoded;
}

function encoderOf(name: string, isBinary: IsBinary): (value: AttributeValue) => string {
  if (isBinary(name)) return base64Of;
  return isNameAttribute(name) ? (value) => canonicalDnText(textOf(value)) : textOf;
}

const base64Of = (value: AttributeValue): string => Buffer.from(bytesOf(value)).toString('base64');
const textOf = (value: AttributeValue): string => {
  const read = typeof value === 'string' ? value : valueOf(value);
  return typeof read === 'string' ? read : base64Of(read);
};

/** Replaces each named attribute, or with `add` adds its values (`Set_User_Attrs`). */
export async function setAttributes(
  directory: Directory,
  dn: Dn,
  { attributes, add }: { attributes: Attributes; add: boolean },
): Promise<void> {
  if (add) await changeValues(directory, dn, { operation: 'add', attributes });
  else await update(directory, dn, changesOf('replace', attributes));
}

/** Removes attributes; missing ones are no error (`Remove_User_Attrs`). */
export async function removeAttributes(
  directory: Directory,
  dn: Dn,
  names: readonly string[],
): Promise<void> {
  const none = new Map(checkNames(names).map((name) => [name, []]));
  await update(directory, dn, changesOf('replace', none));
}

/** Removes values; missing ones are no error (`Remove_User_Attrs`). */
export async function removeValues(directory: Directory, dn: Dn, attributes: Attributes): Promise<void> {
  await changeValues(directory, dn, { operation: 'delete', attributes });
}

/** Removes a value from the attribute that has it; false if none has. */
export async function removeValue(
  directory: Directory,
  dn: Dn,
  { attributes, value }: { attributes: readonly string[]; value: AttributeValue },
): Promise<boolean> {
  for (const attribute of attributes) {
    try {
      await update(directory, dn, [{ operation: 'delete', attribute, values: [value] }]);
      return true;
    } catch (error) {
      if (!isReason(error, 'value_missing')) throw error;
    }
  }
  return false;
}

/** Tries against concurrent changes. */
const tries = 5;

/**
 * Adds or deletes all values. Where the directory refuses because some exist, or are missing, the others are changed: to add a member twice
 * is no error.
 */
async function changeValues(
  directory: Directory,
  dn: Dn,
  { operation, attributes }: WantedValues,
): Promise<void> {
  const objection = operation === 'add' ? 'value_exists' : 'value_missing';
  let wanted = attributes;
  for (let left = tries; ; left -= 1) {
    const changes = changesOf(operation, wanted).filter(({ values }) => values.length > 0);
    try {
      await update(directory, dn, changes);
      return;
    } catch (error) {
      if (left === 0 || !isReason(error, objection)) throw error;
    }
    wanted = await effectiveValues(directory, dn, { operation, attributes });
  }
}

function changesOf(operation: Change['operation'], attributes: Attributes): readonly Change[] {
  return Array.from(attributes, ([attribute, values]) => ({ operation, attribute, values }));
}

/** Modifies an entry; without changes only checks that it exists. */
async function update(directory: Directory, dn: Dn, changes: readonly Change[]): Promise<void> {
  if (changes.length === 0) await readExisting(directory, dn, ['1.1']);
  else await onEntry('update', dn, () => directory.modify(dn, changes));
}
