/** Claims of a user (OpenID Connect Core §5.1), from the entry as it is now. */

import { texts } from '../../../directory/entry/entry.ts';
import { memberAttributes } from '../../../directory/entry/group.ts';
import type { Memberships } from '../../../directory/groups/memberships.ts';
import { Dn } from '../../../foundation/text/dn.ts';
import { textsOf } from '../../../foundation/text/value.ts';
import type { Directory, Entry } from '../../../ports/directory/directory.ts';
import type { SsoSession } from '../session.ts';

/** The form of group names: the whole DN, or the first value of its name. */
export type GroupNaming = 'dn' | 'name';

export interface ClaimsView {
  readonly directory: Pick<Directory, 'read'>;
  readonly memberships: Pick<Memberships, 'of'>;
  readonly config: {
    readonly schema: {
      readonly mail_attributes: readonly string[];
      readonly member_of_attributes: readonly string[];
    };
  };
}

const names = {
  name: ['displayName', 'cn'],
  given_name: ['givenName'],
  family_name: ['sn'],
} as const;

/** Undefined: the entry has gone. */
export async function claimsOf(
  { dn, id, name }: Pick<SsoSession, 'dn' | 'id' | 'name'>,
  naming: GroupNaming,
  { directory, memberships, config: { schema } }: ClaimsView,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const { mail_attributes: mail } = schema;
  const attributes = [...Object.values(names).flat(), ...mail, ...memberAttributes(schema)];
  const entry = await directory.read(dn, attributes);
  if (!entry) return undefined;
  const claims = Object.entries(names).map(
    ([claim, attributes]) => [claim, first(entry, attributes)] as const,
  );
  const groups = (await memberships.of(entry)).map((group) => Dn.parse(group.dn)).reverse();
  return {
    sub: id,
    preferred_username: name.username,
    ...Object.fromEntries(claims.filter(([, value]) => value !== undefined)),
    ...(first(entry, mail) !== undefined && { email: first(entry, mail) }),
    groups: naming === 'dn' ? groups.map((group) => group.format()) : namesOf(groups),
  };
}

/** Two groups of one name in two places become one. */
const namesOf = (groups: readonly Dn[]): readonly string[] => [
  ...new Set(groups.flatMap(({ rdn }) => textsOf(rdn.slice(0, 1).map(({ value }) => value)))),
];

const first = (entry: Entry, attributes: readonly string[]): string | undefined =>
  attributes.flatMap((attribute) => texts(entry, attribute))[0];
