/**
 * Super administrators of an embedded directory. A new directory has none, so that `init` must make one before anyone can log in to the
 * Manager.
 */
import type { Schema, ServerConfig } from '../../config/config.ts';
import { hasClass, texts } from '../../directory/entry/entry.ts';
import { Dn } from '../../foundation/text/dn.ts';
import type { Directory, Entry } from '../../ports/directory/directory.ts';

/** Members that are looked at, of all groups together: one who can log in is enough, and a group may be large. */
const mostMembers = 1000;

type Settings = Pick<ServerConfig, 'super_admins' | 'schema'>;

/**
 * The users that `super_admins` names, by themselves or by a group, whose entries have a password.
 * @param directory the service's own view, which sees passwords
 */
export async function findAdministrators(
  { super_admins, schema }: Settings,
  directory: Pick<Directory, 'read'>,
): Promise<readonly Dn[]> {
  const found = new Map<string, Dn>();
  for (const name of super_admins) {
    const entry = await directory.read(Dn.parse(name), attributesOf(schema));
    for (const one of entry ? await usersOf(entry, { schema, directory }) : [])
      if (one.attributes.has('userpassword')) found.set(Dn.parse(one.dn).key, Dn.parse(one.dn));
  }
  return [...found.values()];
}

const attributesOf = (schema: Schema): readonly string[] => [
  'objectClass',
  'userPassword',
  ...schema.member_attributes,
];

interface MembersView {
  readonly schema: Schema;
  readonly directory: Pick<Directory, 'read'>;
}

/** The entry itself, or the members of the group that it is. */
async function usersOf(entry: Entry, { schema, directory }: MembersView): Promise<readonly Entry[]> {
  if (!hasClass(entry, schema.group_classes)) return [entry];
  const membersOf = (group: Entry) =>
    schema.member_attributes.flatMap((attribute) => texts(group, attribute));
  const members = new Set(membersOf(entry));
  const users: Entry[] = [];
  let looked = 0;
  // A set gives what is added to it meanwhile too: the members of groups in the group, each once.
  for (const member of members) {
    looked += 1;
    const dn = looked > mostMembers ? undefined : Dn.tryParse(member);
    const found = dn && !dn.isRoot && (await directory.read(dn, attributesOf(schema)));
    if (found && hasClass(found, schema.group_classes)) for (const one of membersOf(found)) members.add(one);
    else if (found) users.push(found);
  }
  return users;
}

/**
 * Returns a warning, for `--check` and the start of a server, where no super administrator can log in: a whole sentence with the command
 * to type.
 * @param command makes a super administrator: `watchword-manager init --config FILE`
 * @returns undefined if one can log in, or the directory is not ours
 */
export async function administratorWarning(
  { config, command }: { readonly config: ServerConfig; readonly command: string },
  directory: Pick<Directory, 'read'>,
): Promise<string | undefined> {
  const { super_admins } = config;
  if (config.directory.type !== 'embedded' || super_admins.length === 0) return undefined;
  const base = Dn.parse(config.directory.base);
  // Those of other directories are looked for there.
  if (super_admins.some((name) => !Dn.parse(name).isWithin(base))) return undefined;
  if ((await findAdministrators(config, directory)).length > 0) return undefined;
  return `There is no administrator yet, so nobody can use the Manager; make one: ${command}`;
}
