/** Membership in `super_admins` and in roles: a user, or a group to which the user belongs. */
import type { ServiceConfig } from '../../../config/config.ts';
import { primaryAttributes } from '../../../directory/entry/group.ts';
import type { Memberships } from '../../../directory/groups/memberships.ts';
import { isReason } from '../../../foundation/errors/errors.ts';
import { Dn } from '../../../foundation/text/dn.ts';
import { equal, type Filter, or } from '../../../foundation/text/filter.ts';
import type { Directory, Entry } from '../../../ports/directory/directory.ts';

interface MembershipView {
  readonly config: Pick<ServiceConfig, 'schema'>;
  readonly directory: { readonly service: Pick<Directory, 'search'> };
  readonly memberLists: Pick<Memberships, 'among' | 'bases' | 'read'>;
}

/**
 * Membership of one entry in listed groups. Groups above groups are looked for once, and only where the member lists of the listed
 * groups do not name the entry. The service reads all: the administrator may not be allowed to see it.
 */
export class MembershipLookup {
  readonly #dn: Dn;
  readonly #view: MembershipView;
  #entry: Promise<Entry> | undefined;

  constructor(dn: Dn, view: MembershipView) {
    this.#dn = dn;
    this.#view = view;
  }

  /**
   * Returns whether the group's own member list names the entry. The name goes there as we write it: as the caller wrote it, the
   * directory might read another name than we did.
   */
  async lists(group: Dn): Promise<boolean> {
    const { directory } = this.#view;
    try {
      const search = { base: group, scope: 'base', filter: this.#isMember(), attributes: ['1.1'] } as const;
      return (await directory.service.search(search)).length > 0;
    } catch (error) {
      if (isReason(error, 'not_found')) return false;
      throw error;
    }
  }

  /** Returns whether one of these groups may name the entry in its own member list, whatever its class: a single search, as a rule. */
  async mayBeListed(groups: readonly Dn[]): Promise<boolean> {
    const { directory, memberLists } = this.#view;
    const bases = await memberLists.bases(this.#dn);
    const search = { scope: 'sub', filter: this.#isMember(), attributes: ['1.1'] } as const;
    const elsewhere = groups.filter((group) => !bases.some((base) => group.isWithin(base)));
    const keys = new Set(groups.map(({ key }) => key));
    try {
      const found = await Promise.all(bases.map((base) => directory.service.search({ ...search, base })));
      if (found.flat().some(({ dn }) => keys.has(Dn.parse(dn).key))) return true;
    } catch (error) {
      if (isReason(error, 'too_large')) return true;
      throw error;
    }
    return (await Promise.all(elsewhere.map((group) => this.lists(group)))).includes(true);
  }

  #isMember(): Filter {
    const name = this.#dn.format();
    return or(...this.#view.config.schema.member_attributes.map((attribute) => equal(attribute, name)));
  }

  /** Returns the first of these users and groups that the entry is, or counts in. @throws ServiceError `unavailable` */
  async first(listed: readonly Dn[]): Promise<Dn | undefined> {
    const listing = await this.#listing(listed);
    return listing[0] ?? (await this.#among(listed))[0];
  }

  /** Returns all of these users and groups that the entry is, or counts in. @throws ServiceError `unavailable` */
  async all(listed: readonly Dn[]): Promise<readonly Dn[]> {
    const listing = await this.#listing(listed);
    return [...listing, ...(await this.#among(listed.filter((name) => !listing.includes(name))))];
  }

  /** Returns those that are the entry itself, or whose own member list names it. */
  async #listing(listed: readonly Dn[]): Promise<readonly Dn[]> {
    const are = await Promise.all(listed.map((name) => name.equals(this.#dn) || this.lists(name)));
    return listed.filter((_, index) => are[index]);
  }

  async #among(listed: readonly Dn[]): Promise<readonly Dn[]> {
    if (listed.length === 0) return [];
    this.#entry ??= this.#read();
    return this.#view.memberLists.among(await this.#entry, listed);
  }

  /**
   * Reads the entry with nothing but its primary group on Active Directory. Login names are unique in their domain only, and many
   * directories let users write `uid` or `gidNumber` of their own: these make nobody an administrator.
   */
  async #read(): Promise<Entry> {
    const entry = await this.#view.memberLists.read(this.#dn);
    const own = primaryAttributes.map((name) => name.toLowerCase());
    const attributes = [...(entry?.attributes ?? [])].filter(([name]) => own.includes(name));
    return { dn: this.#dn.format(), attributes: new Map(attributes) };
  }
}
