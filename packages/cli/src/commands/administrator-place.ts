/** Chooses the entry that `init` makes the first administrator: one that `super_admins` names, or a member of a group that it names. */

import type { ServerConfig } from '@watchword/core';
import { Dn, isReason, StartError } from '@watchword/core/foundation';
import { Domains, findUser, hasClass, type Login, Memberships } from '@watchword/core/operator';
import type { Directory, DirectoryServer } from '@watchword/core/ports';
import { systemClock } from '@watchword/node';
import type { OptionRow, Task } from './command.ts';

export const placeOptions: Readonly<Record<string, OptionRow>> = {
  name: { value: 'NAME', says: 'its login name' },
  dn: { value: 'DN', says: 'its entry; else uid=NAME,ou=people below the base' },
};

export interface AdministratorPlace {
  readonly dn: Dn;
  /** The login name. */
  readonly name: string;
  /** The user name for a login to the Manager. */
  readonly login: string;
  /** The group of `super_admins` that it becomes a member of; undefined: `super_admins` names the entry itself. */
  readonly group: Dn | undefined;
}

interface PlacementView {
  readonly config: ServerConfig;
  readonly server: Pick<DirectoryServer, 'service' | 'capabilities'>;
}

/** @throws StartError with what to change or to say */
export async function placeAdministrator(task: Task, view: PlacementView): Promise<AdministratorPlace> {
  const { config } = view;
  const listed = config.super_admins.map((name) => Dn.parse(name));
  if (listed.length === 0)
    throw new StartError(
      `super_admins is empty; write into the configuration: super_admins: ["uid=admin,ou=people,${config.directory.base}"]`,
    );
  const dn = await chooseDn(task, { config, listed });
  const group = listed.some((name) => name.equals(dn)) ? undefined : await groupAmong(listed, view);
  if (group === undefined && !listed.some((name) => name.equals(dn)))
    throw new StartError(
      `super_admins names ${listed.join(' and ')}, not ${dn}; choose with --dn, or change super_admins.`,
    );
  const name = task.given.name ?? loginName(dn);
  const login = await reachableAs({ dn, name, group }, view);
  return { dn, name, group, login };
}

/** Returns the DN of `--dn`, else the one user in `super_admins`, else a name below the base. */
async function chooseDn(
  { given, streams: { terminal } }: Task,
  { config, listed }: { config: ServerConfig; listed: readonly Dn[] },
): Promise<Dn> {
  if (given.dn !== undefined) return readDn(given.dn);
  const users = listed.filter(isUserName);
  const [only, ...others] = users;
  if (only && others.length === 0 && (given.name ?? loginName(only)) === loginName(only)) return only;
  if (only && given.name === undefined) {
    if (!terminal) throw new StartError(`super_admins names ${users.join(' and ')}; choose one with --dn.`);
    return readDn(await terminal.ask(`Which of ${users.join(' and ')}`));
  }
  const name = given.name ?? ((await terminal?.ask('Login name [admin]')) || 'admin');
  const people = Dn.parse(config.directory.base).child([{ type: 'ou', value: 'people' }]);
  const named = people.child([{ type: 'uid', value: name }]);
  return users.find((user) => loginName(user) === name) ?? named;
}

function readDn(text: string): Dn {
  const dn = Dn.tryParse(text);
  if (dn && !dn.isRoot) return dn;
  throw new StartError(
    `"${text.slice(0, 256)}" is no DN; write for example uid=admin,ou=people,dc=example,dc=com`,
  );
}

/** Returns whether a name of `super_admins` is a user's whose entry does not exist yet; others may be groups. */
const isUserName = ({ rdn }: Dn): boolean => rdn[0]?.type.toLowerCase() === 'uid';

const loginName = ({ rdn }: Dn): string => String(rdn[0]?.value ?? '');

/** A group that is there, else the name of one that can be made. */
async function groupAmong(
  listed: readonly Dn[],
  { config: { schema }, server: { service: directory } }: PlacementView,
): Promise<Dn | undefined> {
  const missing: Dn[] = [];
  for (const name of listed) {
    const entry = await directory.read(name, ['objectClass']);
    if (entry && hasClass(entry, schema.group_classes)) return name;
    if (!entry && name.rdn[0]?.type.toLowerCase() === 'cn') missing.push(name);
  }
  return missing[0];
}

/** An administrator who is made and cannot log in is worse than a refusal. @returns what to log in as */
async function reachableAs(
  { dn, name, group }: Omit<AdministratorPlace, 'login'>,
  { config, server }: PlacementView,
): Promise<string> {
  const { service: directory } = server;
  const base = Dn.parse(config.directory.base);
  for (const made of group ? [dn, group] : [dn]) {
    if (!made.isWithin(base) || made.equals(base))
      throw new StartError(`${made} does not stand below the base, ${base}.`);
  }
  if (config.manager_auth === 'DN') return dn.toString();
  const domains = new Domains(config);
  const around = domains.containing(dn);
  const domain = around.includes(domains.preset) ? domains.preset : around[0];
  if (!domain)
    throw new StartError(`${dn} stands in no domain, so nobody could log in as it; choose another --dn.`);
  const { schema } = config;
  const memberships = new Memberships({ server, schema, domains, clock: systemClock });
  const found = await ownerOf(directory, { username: name, domain, schema, memberships });
  if (found && !found.equals(dn))
    throw new StartError(`The login name ${name} is that of ${found}; choose another --name.`);
  if (!found && (await directory.read(dn, ['1.1'])))
    throw new StartError(
      `${dn} exists already, and is not a user with the login name ${name}; choose another --dn or --name.`,
    );
  return domain === domains.preset ? name : `${domain.name}\\${name}`;
}

async function ownerOf(directory: Directory, login: Login): Promise<Dn | undefined> {
  try {
    return await findUser(directory, login);
  } catch (error) {
    if (isReason(error, 'not_found')) return undefined;
    throw error;
  }
}
