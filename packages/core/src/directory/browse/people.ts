/** `Find_Users`: search of users by a typed text. */
import { isReason } from '../../foundation/errors/errors.ts';
import { Dn } from '../../foundation/text/dn.ts';
import { and, equal, type Filter, startsWith } from '../../foundation/text/filter.ts';
import type { Directory, Entry } from '../../ports/directory/directory.ts';
import { hasClass, texts } from '../entry/entry.ts';
import { userFilter } from '../entry/user.ts';
import type { DomainView, EntryView } from '../view.ts';
import { nameOf } from './children.ts';

export interface FoundPerson {
  readonly dn: string;
  readonly name: string;
  readonly logins: readonly string[];
  readonly mail: readonly string[];
  /** The names of the user's domains. */
  readonly domains: readonly string[];
  /** Whether the user counts against the licence. */
  readonly active: boolean;
}

/** Attributes with names of people, beside login names. */
const names = ['displayName', 'cn', 'sn', 'givenName'];

/** Finds users: an exact login name first, then by name. Unreadable attributes find no user and are not shown. */
export async function findPeople(
  { text, max }: { readonly text: string; readonly max: number },
  call: DomainView & EntryView,
): Promise<readonly FoundPerson[]> {
  const wanted = text.trim();
  const exactly = await searchEach(filtersFor(wanted, loginsOf(call), equal), max, call);
  const beginning = await searchEach(filtersFor(wanted, searchedBy(call), startsWith), max, call);
  const first = await Promise.all([...exactly.values()].map((entry) => personOf(entry, call)));
  const others = [...beginning.values()].filter(({ dn }) => !exactly.has(dn));
  const rest = await Promise.all(others.map((entry) => personOf(entry, call)));
  return [...byName(first), ...byName(rest)].slice(0, max);
}

const byName = (people: readonly FoundPerson[]): readonly FoundPerson[] =>
  [...people].sort((a, b) => a.name.localeCompare(b.name, 'en') || (a.dn < b.dn ? -1 : 1));

/** Returns filters for a text. An empty text is the prefix of every name, and equals none. */
function filtersFor(
  text: string,
  attributes: readonly string[],
  filter: typeof equal | typeof startsWith,
): readonly (Filter | undefined)[] {
  if (text === '') return filter === startsWith ? [undefined] : [];
  return attributes.map((attribute) => filter(attribute, text));
}

const loginsOf = ({ config, domains }: DomainView): readonly string[] =>
  once([...domains.all.flatMap(({ loginAttributes }) => loginAttributes), ...config.schema.login_attributes]);

const searchedBy = (view: DomainView): readonly string[] =>
  once([
    ...loginsOf(view),
    ...names,
    ...view.config.schema.mail_attributes,
    ...view.config.schema.mobile_attributes,
  ]);

function once(attributes: readonly string[]): readonly string[] {
  return [...new Map(attributes.map((name) => [name.toLowerCase(), name])).values()];
}

/** Searches by each attribute separately, so that an unreadable one does not affect the others. */
async function searchEach(
  filters: readonly (Filter | undefined)[],
  max: number,
  call: DomainView & EntryView,
): Promise<ReadonlyMap<string, Entry>> {
  const vendors = await Promise.all(call.domains.bases.map((base) => call.server.capabilities(base)));
  const asked = call.domains.bases.flatMap((base, index) =>
    filters.map((filter) => {
      const users = userFilter(call.config.schema, vendors[index]?.vendor ?? 'other');
      const search = { base, scope: 'sub', filter: filter ? and(users, filter) : users } as const;
      return searchVisible(call.directory, { ...search, limit: max, partial: true }, shownOf(call));
    }),
  );
  const found = await Promise.all(asked);
  return new Map(found.flat().map((entry) => [entry.dn, entry]));
}

const shownOf = (view: DomainView): readonly string[] =>
  once(['objectClass', ...names, ...loginsOf(view), ...view.config.schema.mail_attributes]);

/** Searches with the readable attributes, if one may not be requested by name. */
async function searchVisible(
  directory: Directory,
  request: Parameters<Directory['search']>[0],
  attributes: readonly string[],
): Promise<readonly Entry[]> {
  const denied = (error: unknown) => {
    if (isReason(error, 'permission_denied')) return undefined;
    if (isReason(error, 'not_found')) return [];
    throw error;
  };
  const named = await directory.search({ ...request, attributes }).catch(denied);
  return named ?? (await directory.search(request).catch(denied)) ?? [];
}

async function personOf(entry: Entry, call: DomainView & EntryView): Promise<FoundPerson> {
  const dn = Dn.parse(entry.dn);
  const { mail_attributes, account_class } = call.config.schema;
  const all = (attributes: readonly string[]) => [...new Set(attributes.flatMap((one) => texts(entry, one)))];
  const isActive = hasClass(entry, [account_class]) || !(await call.server.capabilities(dn)).accountSchema;
  return {
    dn: entry.dn,
    name: all(names)[0] ?? nameOf(entry.dn),
    logins: all(loginsOf(call)),
    mail: all(mail_attributes),
    domains: call.domains.containing(dn).map(({ name }) => name),
    active: isActive,
  };
}
