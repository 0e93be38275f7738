/** What applications are told of a user (OpenID Connect Core §5.1): out of the entry, as it is now. */
import type { Directory, Entry } from '../../directory/directory.ts';
import { texts } from '../../directory/entry/entry.ts';
import type { SsoSession } from '../session.ts';

export interface ClaimsView {
  readonly directory: Pick<Directory, 'read'>;
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
  { directory, config: { schema } }: ClaimsView,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const { mail_attributes: mail, member_of_attributes: memberOf } = schema;
  const entry = await directory.read(dn, [...Object.values(names).flat(), ...mail, ...memberOf]);
  if (!entry) return undefined;
  const told = Object.entries(names).map(([claim, attributes]) => [claim, first(entry, attributes)] as const);
  const groups = memberOf.flatMap((attribute) => texts(entry, attribute));
  return {
    sub: id,
    preferred_username: name.username,
    ...Object.fromEntries(told.filter(([, value]) => value !== undefined)),
    ...(first(entry, mail) !== undefined && { email: first(entry, mail) }),
    // Whole DNs: two groups of one name in two places are two.
    groups,
  };
}

const first = (entry: Entry, attributes: readonly string[]): string | undefined =>
  attributes.flatMap((attribute) => texts(entry, attribute))[0];
