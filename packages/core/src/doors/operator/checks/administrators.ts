/** Checks `super_admins`: whether the named entries exist, and how many administrators there are. */
import { findMembers } from '../../../administration/access/groups/members.ts';
import type { ServerConfig } from '../../../config/config.ts';
import type { Domains } from '../../../directory/domain.ts';
import { hasClass, texts } from '../../../directory/entry/entry.ts';
import { detailOf } from '../../../foundation/errors/errors.ts';
import { Dn } from '../../../foundation/text/dn.ts';
import type { DirectoryServer } from '../../../ports/directory/directory.ts';
import { administratorWarning } from '../administrators.ts';
import { type Finding, found, lookOr, problem, warning } from './finding.ts';

interface AdministratorsView {
  readonly config: ServerConfig;
  /** Which one is checked, or starts. */
  readonly server: 'manager' | 'ws';
  readonly directory: DirectoryServer;
  readonly domains: Pick<Domains, 'bases'>;
  /** The command that makes the first administrator of an embedded directory. */
  readonly init: string;
  /** Returns whether an entry lies in a directory that answered. */
  readonly isInReach: (dn: Dn) => boolean;
}

export function administratorFindings(view: AdministratorsView): Promise<readonly Finding[]> {
  return lookOr(
    () => look(view),
    (error) => warning(`super_admins: they could not be looked at (${detailOf(error)})`),
  );
}

async function look({
  config,
  server,
  directory,
  domains,
  init,
  isInReach,
}: AdministratorsView): Promise<readonly Finding[]> {
  const { super_admins } = config;
  const names = super_admins.map((name) => Dn.parse(name));
  // That there are none is said of the configuration already.
  if (names.length === 0 || !names.every(isInReach)) return [];
  const lacking = await administratorWarning({ config, command: init }, directory.service);
  if (lacking !== undefined) return [warning(lacking.replace(/\.$/, ''))];
  const counts = await Promise.all(names.map((name) => countBehind(name, { config, directory, domains })));
  const findings = counts.flatMap((count) => (typeof count === 'number' ? [] : [count]));
  const total = counts.reduce<number>((sum, count) => sum + (typeof count === 'number' ? count : 0), 0);
  if (total > 0) return [found(`${total} ${total === 1 ? 'administrator' : 'administrators'}`), ...findings];
  const tell = server === 'manager' ? problem : warning;
  return findings.map(({ text }) => tell(`${text}; nobody can use the Manager`));
}

/** Counts the administrators that a name means, or says what is wrong with the name. */
async function countBehind(
  name: Dn,
  view: Pick<AdministratorsView, 'config' | 'directory' | 'domains'>,
): Promise<number | Finding> {
  const { schema } = view.config;
  const { service } = view.directory;
  const entry = await service.read(name, ['objectClass', ...schema.member_attributes]);
  if (!entry) return warning(`super_admins: there is no ${name}; name a user, or a group with members`);
  if (!hasClass(entry, schema.group_classes)) return 1;
  const members = schema.member_attributes.flatMap((attribute) => texts(entry, attribute));
  const direct = members.filter((member) => member !== '').length;
  const count = direct > 0 ? direct : await countNumbered(name, view);
  return count > 0 ? count : warning(`super_admins: the group ${name} has no members; add one`);
}

/** The members by a login name or a number, or whose primary group it is. The group itself is found with them. */
async function countNumbered(
  name: Dn,
  view: Pick<AdministratorsView, 'config' | 'directory' | 'domains'>,
): Promise<number> {
  const names = { dns: [name.format()], uids: [], numbers: [], primaries: [] };
  const found = await findMembers(names, view);
  return found.filter(({ isRoot }) => !isRoot).length - 1;
}
