/** Checks domains: whether their bases exist, how many users they have, and what the service may write there. */
import type { Schema } from '../../../config/config.ts';
import type { Domain } from '../../../directory/domain.ts';
import { identifierOf } from '../../../directory/entry/entry.ts';
import { activeFilter, userFilter } from '../../../directory/entry/user.ts';
import { settingPasswords } from '../../../directory/missing-right.ts';
import { detailOf, isReason } from '../../../foundation/errors/errors.ts';
import { Dn } from '../../../foundation/text/dn.ts';
import type { Filter } from '../../../foundation/text/filter.ts';
import type { DirectoryServer, Entry } from '../../../ports/directory/directory.ts';
import { type Finding, found, lookOr, problem, warning } from './finding.ts';

/** A large directory is not read to its end only to say how large it is. */
const mostCounted = 10_000;
/** Users whose writability is tried: some accounts are protected from every writer. */
const mostTried = 5;

interface DomainView {
  readonly schema: Schema;
  readonly directory: DirectoryServer;
  /** The bases of all directories. */
  readonly bases: readonly Dn[];
  /** Whether somebody wants to know how many there are. */
  readonly counts: boolean;
  /** The word of the pages where a lost password is set by a link; undefined: they are turned off. */
  readonly resets: string | undefined;
}

export function domainFindings(domain: Domain, view: DomainView): Promise<readonly Finding[]> {
  return lookOr(
    async () => {
      const at = `domains.${domain.name}.base`;
      const isThere = await view.directory.service.read(domain.base, ['1.1']);
      const inside = view.bases.some((base) => domain.base.isWithin(base));
      const outside = `${at}: ${domain.base} is outside the directory; write a DN at or below ${view.bases.join(' or ')}`;
      if (!isThere)
        return [problem(inside ? `${at}: there is no ${domain.base}; write the DN of a container` : outside)];
      return [...(inside ? [] : [warning(outside)]), ...(await peopleFindings(domain, view))];
    },
    (error) => warning(`domains.${domain.name}: its users could not be looked at (${detailOf(error)})`),
  );
}

async function peopleFindings(domain: Domain, view: DomainView): Promise<readonly Finding[]> {
  const { name, base } = domain;
  const { accountSchema, vendor } = await view.directory.capabilities(base);
  const users = await someOf(base, userFilter(view.schema, vendor), view);
  if (users.length === 0)
    return [
      warning(
        `domains.${name}: there are no users below ${base}; look at schema.user_classes, and at what the service may read`,
      ),
    ];
  if (!accountSchema)
    return [found(`${usersOf(users)} in ${name}`), ...(await resetFindings(users, domain, view))];
  const active = await someOf(base, activeFilter(view.schema, vendor), view);
  const count = found(`${usersOf(users)} in ${name}, ${countOf(active)} of them activated`);
  if (vendor === 'embedded') return [count];
  return [count, await rightsFinding(active, domain, view), ...(await resetFindings(active, domain, view))];
}

function someOf(base: Dn, filter: Filter, { directory, counts }: DomainView): Promise<readonly Entry[]> {
  const part = { limit: counts ? mostCounted + 1 : mostTried, partial: true } as const;
  return directory.service.search({ base, scope: 'sub', filter, attributes: ['1.1'], ...part });
}

const countOf = ({ length }: readonly Entry[]): string =>
  length > mostCounted ? `more than ${mostCounted}` : String(length);

const usersOf = (users: readonly Entry[]): string =>
  users.length === 1 ? '1 user' : `${countOf(users)} users`;

/** Nothing is changed: `assertWritable`. */
async function rightsFinding(
  active: readonly Entry[],
  { name, base }: Domain,
  { directory, schema }: DomainView,
): Promise<Finding> {
  const attribute = schema.data_attribute;
  const { service, identifier } = await directory.capabilities(base);
  const [first, ...others] = active.slice(0, mostTried).map(({ dn }) => Dn.parse(dn));
  if (!first)
    return found(`nobody in ${name} is activated, so the right to write ${attribute} was not tried`);
  const entry = await directory.service.read(first, [identifier]);
  if (!entry || identifierOf(entry, identifier) === undefined)
    return problem(
      `domains.${name}: ${service} may not read ${identifier} of ${first}, so nobody can log in; give it read access below ${base}`,
    );
  if (await mayWriteSome([first, ...others], attribute, directory))
    return found(`${service} may write ${attribute} in ${name}`);
  return warning(
    `domains.${name}: ${service} may not write ${attribute} of ${first}, so HOTP codes, printed lists, emergency passwords and detached enrolment are refused; give it write access to ${attribute} below ${base}, as docs/guide/directories.md says`,
  );
}

/** Whether a lost password could be set by a link. Nothing is changed: `assertWritable`. */
async function resetFindings(
  users: readonly Entry[],
  { name, base }: Domain,
  { directory, schema, resets }: DomainView,
): Promise<readonly Finding[]> {
  const { service, vendor } = await directory.capabilities(base);
  const some = users.slice(0, mostTried).map(({ dn }) => Dn.parse(dn));
  const [first] = some;
  const [attribute] = schema.password_attributes;
  if (resets === undefined || vendor === 'embedded' || !first || attribute === undefined) return [];
  if (await mayWriteSome(some, attribute, directory))
    return [found(`${service} may set passwords in ${name}`)];
  return [
    warning(
      `domains.${name}: ${service} may not set the password of ${first}, so no link to set a lost password is sent; give it ${settingPasswords} below ${base}, as docs/guide/directories.md says, or turn webapps.${resets}.enabled off`,
    ),
  ];
}

async function mayWriteSome(
  dns: readonly Dn[],
  attribute: string,
  directory: DirectoryServer,
): Promise<boolean> {
  for (const dn of dns) if (await mayWrite(dn, attribute, directory)) return true;
  return false;
}

async function mayWrite(dn: Dn, attribute: string, { service }: DirectoryServer): Promise<boolean> {
  try {
    await service.assertWritable(dn, attribute);
    return true;
  } catch (error) {
    if (isReason(error, 'permission_denied')) return false;
    throw error;
  }
}
