/**
 * Membership: groups that an entry names, and filters for the groups of an entry. A primary group is named by a number: `gidNumber` for POSIX
 * (RFC 2307), `primaryGroupID` on Active Directory.
 */
import type { Schema } from '../../config/config.ts';
import { Dn } from '../../foundation/text/dn.ts';
import { and, equal, type Filter, hasAnyClass, or } from '../../foundation/text/filter.ts';
import { type AttributeValue, bytesOf } from '../../foundation/text/value.ts';
import type { Capabilities, Entry } from '../../ports/directory/directory.ts';
import { texts } from './entry.ts';

type Vendor = Capabilities['vendor'];

/** Attributes that name the primary group of a user on Active Directory. */
export const primaryAttributes = ['primaryGroupID', 'objectSid'] as const;

/** Returns the attributes to read of an entry, so that its groups can be found. */
export const memberAttributes = (
  { member_of_attributes }: { readonly member_of_attributes: readonly string[] },
  vendor?: Vendor,
): readonly string[] => [
  ...member_of_attributes,
  'uid',
  'gidNumber',
  ...(vendor === 'active-directory' ? primaryAttributes : []),
];

/** Returns whether an entry names groups, which may be anywhere and of any class. */
export const namesGroups = (entry: Entry, { member_of_attributes }: Schema): boolean =>
  member_of_attributes.some((attribute) => texts(entry, attribute).length > 0);

/** Returns the groups that an entry names by `memberOf`. */
export function groupsNamedBy(entry: Entry, { member_of_attributes }: Schema): readonly Dn[] {
  const names = member_of_attributes.flatMap((attribute) => texts(entry, attribute));
  return names.map((name) => Dn.tryParse(name)).filter((group) => group !== undefined);
}

/** `LDAP_MATCHING_RULE_IN_CHAIN` ([MS-ADTS] §3.1.1.3.4.4.3), which follows nested groups. */
const inChain = '1.2.840.113556.1.4.1941';

/**
 * Returns the filter of the groups that hold one of these entries, read with {@link memberAttributes}.
 * @param isChain whether nested groups are found, too, on Active Directory
 */
export function holderFilter(members: readonly Entry[], schema: Schema, isChain = false): Filter {
  return and(
    hasAnyClass(schema.group_classes),
    or(...members.flatMap((member) => holderFilters(member, schema, isChain))),
  );
}

function holderFilters(member: Entry, schema: Schema, isChain: boolean): readonly Filter[] {
  const { member_attributes, member_uid_attributes } = schema;
  const value = member.dn;
  const primary = primarySid(member);
  return [
    ...member_attributes.map((attribute) => equal(attribute, value)),
    ...(isChain
      ? [{ kind: 'extensible', attribute: 'member', rule: inChain, value, dnAttributes: false } as const]
      : []),
    ...member_uid_attributes.flatMap((attribute) => texts(member, 'uid').map((uid) => equal(attribute, uid))),
    ...texts(member, 'gidNumber').map((gid) =>
      and(equal('objectClass', 'posixGroup'), equal('gidNumber', gid)),
    ),
    ...(primary ? [equal('objectSid', primary)] : []),
  ];
}

/** Returns the `objectSid` of the primary group: that of the user, with another number at its end ([MS-DTYP] §2.4.2.2). */
export function primarySid(user: Entry): Uint8Array | undefined {
  const [number = ''] = texts(user, 'primaryGroupID');
  const [own] = user.attributes.get('objectsid') ?? [];
  if (!own || !/^[0-9]{1,10}$/.test(number) || Number(number) > 0xffff_ffff) return undefined;
  const sid = Buffer.from(bytesOf(own));
  if (sid.length < 12) return undefined;
  sid.writeUInt32LE(Number(number), sid.length - 4);
  return sid;
}

/** Returns the number at the end of an `objectSid`, by which users name their primary group; undefined if malformed. */
export function sidNumber(value: AttributeValue | undefined): string | undefined {
  const sid = value === undefined ? undefined : Buffer.from(bytesOf(value));
  return sid && sid.length >= 12 ? String(sid.readUInt32LE(sid.length - 4)) : undefined;
}
