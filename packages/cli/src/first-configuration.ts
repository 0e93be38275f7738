/** The configuration of a new installation: both servers on an embedded directory, on this machine only. */
import type { Dn } from '@watchword/core/foundation';

export interface FirstConfiguration {
  /** The author for the first line of the file. */
  readonly author: string;
  /** The base of the directory, which never changes. */
  readonly base: Dn;
  /** The data folder, as the file says it. */
  readonly data: string;
}

/** The group whose members are the super administrators of a new installation. */
export const firstAdministrators = (base: Dn): Dn =>
  base.child([{ type: 'ou', value: 'groups' }]).child([{ type: 'cn', value: 'administrators' }]);

/** A YAML file. */
export const firstConfiguration = ({
  author,
  base,
  data,
}: FirstConfiguration): string => `# Made by ${author}. docs/reference/settings.md says what else can be set.
data: ${quoted(data)}

# The directory keeps this base for ever.
directory:
  type: embedded
  base: ${quoted(base.toString())}

domains:
  Default:
    base: ${quoted(base.toString())}

# Members of this group administer everything, in the Manager and in the embedded directory.
super_admins:
  - ${quoted(firstAdministrators(base).toString())}

manager_auth: UID
manager_session: 300

# 127.0.0.1 is this machine only; 0.0.0.0 is all of its addresses.
manager:
  host: 127.0.0.1
  port: 4443

ws:
  host: 127.0.0.1
  port: 8443

log:
  level: info
`;

/** Plain where YAML reads it as it is; JSON is YAML as well. */
const quoted = (text: string): string => (/^[\w./][\w./=, -]*$/.test(text) ? text : JSON.stringify(text));
