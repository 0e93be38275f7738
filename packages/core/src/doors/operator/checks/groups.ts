/** Checks the groups that domains and clients name: whether they exist, and are below the bases in which groups are searched. */
import type { ServerConfig } from '../../../config/config.ts';
import type { Domain, Domains } from '../../../directory/domain.ts';
import { detailOf } from '../../../foundation/errors/errors.ts';
import { Dn } from '../../../foundation/text/dn.ts';
import type { DirectoryServer } from '../../../ports/directory/directory.ts';
import { type Finding, lookOr, problem, warning } from './finding.ts';

interface GroupsView {
  readonly config: ServerConfig;
  readonly directory: Pick<DirectoryServer, 'service' | 'capabilities'>;
  readonly domains: Pick<Domains, 'groupBases'>;
}

/** @param domains those in directories that have been reached */
export function groupFindings(domains: readonly Domain[], view: GroupsView): Promise<readonly Finding[]> {
  return lookOr(
    async () => {
      const bases = await Promise.all(domains.map((domain) => basesOf(domain, view)));
      const ofDomains = domains.map((domain, at) => domainGroups(domain, bases[at] ?? [], view));
      const clients = domains.length > 0 ? Object.entries(view.config.clients) : [];
      const ofClients = clients.flatMap(([name, row]) => [
        namedGroups(`clients.${name}.allowed_groups`, row.allowed_groups, bases.flat(), view),
        namedGroups(`clients.${name}.excluded_groups`, row.excluded_groups, bases.flat(), view),
        namedGroups(
          `clients.${name}.groups`,
          row.groups.map(({ group }) => group),
          bases.flat(),
          view,
        ),
      ]);
      return (await Promise.all([...ofDomains, ...ofClients])).flat();
    },
    (error) =>
      warning(`the groups that domains and clients name could not be looked at (${detailOf(error)})`),
  );
}

async function basesOf({ base }: Domain, { directory, domains }: GroupsView): Promise<readonly Dn[]> {
  return domains.groupBases(base, (await directory.capabilities(base)).base);
}

async function domainGroups(
  { name, groupsBase, allowedGroups, excludedGroups }: Domain,
  bases: readonly Dn[],
  view: GroupsView,
): Promise<readonly Finding[]> {
  const at = `domains.${name}`;
  if (groupsBase && !(await view.directory.service.read(groupsBase, ['1.1'])))
    return [
      problem(
        `${at}.groups_base: there is no ${groupsBase}, so nobody logs in where groups count; write the DN of a container`,
      ),
    ];
  const lists = [
    namedGroups(`${at}.allowed_groups`, allowedGroups.map(String), bases, view),
    namedGroups(`${at}.excluded_groups`, excludedGroups.map(String), bases, view),
  ];
  return (await Promise.all(lists)).flat();
}

async function namedGroups(
  at: string,
  names: readonly string[],
  bases: readonly Dn[],
  { directory }: GroupsView,
): Promise<readonly Finding[]> {
  const findings = names.map(async (text) => {
    const group = Dn.parse(text);
    const entry = await directory.service.read(group, ['1.1']);
    if (!entry) return [warning(`${at}: there is no ${group}, so it has no members; name a group`)];
    const isOfDomain = at.startsWith('domains.');
    // A client's are compared with what the directory writes; a domain's are asked.
    if (!isOfDomain && !Dn.parse(entry.dn).equals(group))
      return [
        warning(
          `${at}: the directory writes ${group} as ${entry.dn}, and nobody is found to be its member; write it as the directory does`,
        ),
      ];
    if (bases.some((base) => group.isWithin(base))) return [];
    const effect = isOfDomain
      ? 'it decides who logs in, and its settings are in force for nobody'
      : 'only users whose entries name it count as its members';
    return [
      warning(
        `${at}: ${group} is outside of ${bases.join(' and ')}, where groups are looked for: ${effect}; set groups_base of the domain to an entry above both`,
      ),
    ];
  });
  return (await Promise.all(findings)).flat();
}
