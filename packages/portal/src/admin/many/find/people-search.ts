/** The users of a search: by a part of a name, a container, a group, a filter, or several of them. */
import type { Manager } from '../../../api/manager.ts';
import { type Attributes, valuesOf } from '../../directory/attributes.ts';
import { filterFor, keyOf, nameOf, pathTo } from '../../directory/names.ts';

/** Each may be empty. */
export interface PeopleQuery {
  readonly text: string;
  readonly container: string;
  readonly group: string;
  readonly filter: string;
}

export interface FoundPerson {
  readonly dn: string;
  readonly name: string;
  readonly login: string;
  readonly mail: string;
}

interface Means {
  readonly manager: Manager;
  /** The containers of a search that names none. */
  readonly roots: readonly string[];
  readonly mayRead: (attribute: string) => boolean;
}

/** Classes of people, in the directories that there are. */
const people = ['person', 'inetOrgPerson', 'user', 'account', 'posixAccount', 'webadmAccount'];
const shown = ['cn', 'displayName', 'uid', 'sAMAccountName', 'mail'];
const memberAttributes = ['member', 'uniqueMember'];
/** Members that are looked at in one request. */
const together = 100;

/**
 * Searches users, in the order of their names.
 * @throws CallError `too_large` where a search finds more than the server returns at a time
 */
export async function searchPeople(query: PeopleQuery, means: Means): Promise<readonly FoundPerson[]> {
  const terms = {
    filter: filterOf(query, means.mayRead),
    attrs: shown.filter(means.mayRead),
  };
  const found =
    query.group === '' ? await searchBases(query, terms, means) : await searchMembers(query, terms, means);
  const byKey = new Map(found.map((person) => [keyOf(person.dn), person]));
  return [...byKey.values()].sort((one, other) => one.name.localeCompare(other.name));
}

/** RFC 4515; a filter is written with brackets or without. */
function filterOf({ text, filter }: PeopleQuery, mayRead: Means['mayRead']): string {
  const classes = `(|${people.map((name) => `(objectClass=${name})`).join('')})`;
  const own = filter === '' || filter.startsWith('(') ? filter : `(${filter})`;
  return `(&${classes}${text === '' ? '' : filterFor(text, mayRead)}${own})`;
}

interface Terms {
  readonly filter: string;
  readonly attrs: string[];
}

async function searchBases(
  { container }: PeopleQuery,
  terms: Terms,
  { manager, roots }: Means,
): Promise<readonly FoundPerson[]> {
  const bases = container === '' ? roots : [container];
  const found = await Promise.all(bases.map((basedn) => manager.Search_LDAP_Objects({ basedn, ...terms })));
  return found.flatMap(personsOf);
}

/** Each member is asked for, as not every directory tells on a person which groups it is in. Users who were deleted, or are out of reach, are skipped. */
async function searchMembers(
  { group, container }: PeopleQuery,
  terms: Terms,
  { manager }: Means,
): Promise<readonly FoundPerson[]> {
  const attributes = await manager.Get_User_Attrs({ dn: group });
  const members = memberAttributes.flatMap((name) => valuesOf(attributes, name));
  const inside = members.filter((dn) => container === '' || pathTo(dn, container).length > 0);
  const found: FoundPerson[] = [];
  for (let at = 0; at < inside.length; at += together) {
    const some = inside.slice(at, at + together);
    const settled = await manager.batchSettled((m) =>
      some.map((basedn) => m.Search_LDAP_Objects({ basedn, scope: 'base', ...terms })),
    );
    found.push(...settled.flatMap((one) => (one.ok ? personsOf(one.value) : [])));
  }
  return found;
}

const personsOf = (found: object): readonly FoundPerson[] =>
  Object.entries(found).map(([dn, attributes]) => personOf(dn, attributes));

function personOf(dn: string, attributes: Attributes): FoundPerson {
  const first = (...names: string[]) =>
    names.map((name) => valuesOf(attributes, name)[0]).find((value) => value !== undefined) ?? '';
  return {
    dn,
    name: first('displayName', 'cn') || nameOf(dn),
    login: first('uid', 'sAMAccountName'),
    mail: first('mail'),
  };
}
