/**
 * Permissions: which methods, and which attributes and object classes of which entries. A role grants them, an
 * option set leaves nothing else (specification §5.1, rules 2 and 4).
 */
import type { Names } from '../dialect.ts';
import { isSecretAttribute } from '../directory/value.ts';

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

/** What everybody may read who may see an entry: what it is, and what it is known by. */
const open: ReadonlySet<string> = new Set(['objectclass', 'entryuuid', 'objectguid']);

/** Of the directory's attributes, those that roles treat apart. */
export interface AttributeRoles {
  readonly password_attributes: readonly string[];
  readonly member_of_attributes: readonly string[];
}

/**
 * What a role grants. `*` is not the attributes that hold passwords or hashes, and no numeric OID, which could be
 * another name of one: whoever is to have these is named with them. The groups of a user are written by no role, as
 * some directories take that for a change of the groups, which may stand out of its reach (OpenLDAP, slapo-memberof).
 */
export function grantOf(settings: PermissionSettings, names: Names, schema: AttributeRoles): Permissions {
  const hidden = new Set(schema.password_attributes.map(typeOf));
  const closed = new Set(schema.member_of_attributes.map(typeOf));
  const isPlain = (type: string) => /^[a-z]/.test(type) && !hidden.has(type) && !isSecretAttribute(type);
  const granted = permissionsOf(settings, names, isPlain);
  return { ...granted, writes: (attribute) => !closed.has(typeOf(attribute)) && granted.writes(attribute) };
}

/** What an option set leaves: `*` is no restriction. */
export function restrictionOf(settings: PermissionSettings, names: Names): Permissions {
  return permissionsOf(settings, names, () => true);
}

function permissionsOf(
  { methods, read, write, create }: PermissionSettings,
  names: Names,
  isPlain: (type: string) => boolean,
): Permissions {
  const patterns = methods.map((pattern) => patternOf(names.oursDotted(pattern)));
  const readable = nameList(read, isPlain);
  const writable = nameList(write, isPlain);
  return {
    admits: (method) => patterns.some((pattern) => pattern.test(method)),
    // Changes are made of what is there: who writes an attribute has to see it.
    reads: (attribute) => open.has(typeOf(attribute)) || readable(attribute) || writable(attribute),
    writes: writable,
    creates: nameList(create, () => true),
  };
}

/** An attribute description without its options (RFC 4512 §2.5), in lower case. */
export const typeOf = (description: string): string => (description.split(';', 1)[0] ?? '').toLowerCase();

function nameList(
  names: readonly string[],
  isPlain: (type: string) => boolean,
): (description: string) => boolean {
  const types = new Set(names.map(typeOf));
  const all = types.has('*');
  return (description) => {
    const type = typeOf(description);
    return types.has(type) || (all && isPlain(type));
  };
}

/** Method names are matched without regard to case (manager.md §1). */
function patternOf(pattern: string): RegExp {
  const parts = pattern.split('*').map((part) => part.replaceAll('.', '\\.'));
  return new RegExp(`^${parts.join('.*')}$`, 'i');
}

/** Everything, as super administrators may. */
export const everything: Permissions = {
  admits: () => true,
  reads: () => true,
  writes: () => true,
  creates: () => true,
};
