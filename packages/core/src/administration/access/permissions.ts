/**
 * Permissions: which methods, and which attributes and object classes of which entries. A role grants them, an
 * option set leaves nothing else (docs/concepts/policies-and-settings.md#administrative-role).
 */
import { matcherOf } from '../../config/method-patterns.ts';
import { attributeType, isDatumName, isSecretAttribute } from '../../foundation/text/value.ts';
import type { Names } from '../../table/dialect.ts';

export interface Permissions {
  /** The method may be called at all. @param method its name in our words */
  admits(method: string): boolean;

  reads(attribute: string): boolean;
  writes(attribute: string): boolean;

  /** Entries of the class may be created, moved and removed, and the class may be added and taken away. */
  creates(objectClass: string): boolean;
}

/** The settings of one role or option set that make permissions. */
export interface PermissionSettings {
  readonly methods: readonly string[];
  readonly read: readonly string[];
  readonly write: readonly string[];
  readonly create: readonly string[];
}

/** Attributes that every reader of an entry sees: class and names. */
const open: ReadonlySet<string> = new Set(['objectclass', 'samaccounttype', 'entryuuid', 'objectguid']);

/** The attributes of the directory that roles treat specially. */
export interface AttributeRoles {
  readonly password_attributes: readonly string[];
  readonly member_of_attributes: readonly string[];
}

/** Judges by their name whether attributes hold passwords or hashes of them; a secret of an application is one, too. */
export type Secrecy = (attribute: string) => boolean;

export function secrecyOf({ password_attributes }: Pick<AttributeRoles, 'password_attributes'>): Secrecy {
  const named = new Set(password_attributes.map(attributeType));
  return (attribute) =>
    isSecretAttribute(attribute) || named.has(attributeType(attribute)) || isDatumName(attribute);
}

/**
 * Reads the grants of a role. `*` excludes attributes with passwords or hashes, secrets of user data, and numeric OIDs, which could name
 * one of them: a role names these one by one. No role writes a user's groups, as some directories take that for a change of the groups,
 * which may be out of its reach (OpenLDAP, slapo-memberof). No role writes the URL of a dynamic group, whose members cannot be judged.
 */
export function grantOf(settings: PermissionSettings, names: Names, schema: AttributeRoles): Permissions {
  const isSecret = secrecyOf(schema);
  const closed = new Set([...schema.member_of_attributes.map(attributeType), 'memberurl']);
  const isPlain = (type: string) => /^[a-z]/.test(type) && !isSecret(type);
  const granted = permissionsOf(settings, names, { isPlain, isSecret });
  return {
    ...granted,
    writes: (attribute) => !closed.has(attributeType(attribute)) && granted.writes(attribute),
  };
}

/** Reads the restrictions of an option set; `*` restricts nothing. */
export function restrictionOf(
  settings: PermissionSettings,
  names: Names,
  schema: AttributeRoles,
): Permissions {
  return permissionsOf(settings, names, { isPlain: () => true, isSecret: secrecyOf(schema) });
}

interface Kinds {
  /** Returns whether `*` covers an attribute. */
  readonly isPlain: (type: string) => boolean;
  readonly isSecret: Secrecy;
}

function permissionsOf(
  { methods, read, write, create }: PermissionSettings,
  names: Names,
  { isPlain, isSecret }: Kinds,
): Permissions {
  const matchers = methods.map((pattern) => matcherOf(pattern, names));
  const readable = nameList(
    read.map((name) => names.oursDotted(name)),
    isPlain,
  );
  const writable = nameList(write, isPlain);
  return {
    admits: (method) => matchers.some((matches) => matches(method)),
    // Changes are made of what is there: who writes an attribute has to see it. A password is set without.
    reads: (attribute) =>
      open.has(attributeType(attribute)) ||
      readable(attribute) ||
      (writable(attribute) && !isSecret(attribute)),
    writes: writable,
    creates: nameList(create, () => true),
  };
}

function nameList(
  names: readonly string[],
  isPlain: (type: string) => boolean,
): (description: string) => boolean {
  const types = new Set(names.map(attributeType));
  const all = types.has('*');
  return (description) => {
    const type = attributeType(description);
    return types.has(type) || (all && isPlain(type));
  };
}

/** Everything, as super administrators may. */
export const allPermissions: Permissions = {
  admits: () => true,
  reads: () => true,
  writes: () => true,
  creates: () => true,
};
