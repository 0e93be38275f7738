/**
 * Roles (docs/concepts/policies-and-settings.md#administrative-role): super administrators administer everything, members of roles what
 * these grant, and all of them within the option sets. Members are read at every request.
 */

import type { RoleConfig, RoleInterface, ServiceConfig } from '../../config/config.ts';
import { sameName } from '../../config/references.ts';
import type { Settings } from '../../directory/data/layers.ts';
import type { Domains } from '../../directory/domain.ts';
import { hasClass, texts } from '../../directory/entry/entry.ts';
import type { Memberships } from '../../directory/groups/memberships.ts';
import { posixRules } from '../../directory/posix.ts';
import { isReason } from '../../foundation/errors/errors.ts';
import { Dn } from '../../foundation/text/dn.ts';
import { matchAll as everyEntry } from '../../foundation/text/filter.ts';
import type { Directory, DirectoryServer, Entry } from '../../ports/directory/directory.ts';
import type { Names } from '../../table/dialect.ts';
import { EffectiveRights } from './effective-rights.ts';
import { findMembers, type MemberNames } from './groups/members.ts';
import { Inquiry } from './groups/membership.ts';
import type { MadeRole, MadeRoles } from './made/made-roles.ts';
import { grantOf, restrictionOf, secrecyOf } from './permissions.ts';
import type { OptionSet, Role } from './role.ts';
import type { Mandate } from './superiors.ts';

interface RolesView {
  readonly config: ServiceConfig;
  readonly names: Names;
  readonly directory: Pick<DirectoryServer, 'setWriters'> & {
    readonly service: Pick<Directory, 'read' | 'search'>;
  };
  readonly domains: Domains;
  readonly memberships: Pick<Memberships, 'of' | 'among'>;
  /** Memberships by lists of members only, not by `memberOf` of an entry or of a group. */
  readonly memberLists: Pick<Memberships, 'among' | 'bases' | 'read'>;
  readonly madeRoles: Pick<MadeRoles, 'read'>;
  readonly presets: Settings;
}

interface Made {
  /** The rows of the roles: another array after each change. */
  readonly rows: readonly MadeRole[];
  readonly roles: readonly Role[];
}

export class Roles {
  readonly #view: RolesView;
  readonly #superAdmins: readonly Dn[];
  readonly #roles: readonly Role[];
  readonly #optionSets: readonly OptionSet[];
  readonly #deciding: ReadonlySet<string>;
  #made: Made = { rows: [], roles: [] };

  constructor(view: RolesView) {
    this.#view = view;
    this.#superAdmins = view.config.super_admins.map((dn) => Dn.parse(dn));
    this.#roles = readRoles(Object.entries(view.config.roles), view);
    this.#optionSets = readOptionSets(view);
    this.#deciding = decidingGroups(view.config);
    this.#nameWriters();
  }

  /**
   * Returns the effective rights of an administrator; undefined: the user is none, or no role opens the door.
   * @param before the rights of the last time, whose voucher is tried first
   * @throws ServiceError `unavailable`
   */
  async rights(
    administrator: Dn,
    door: RoleInterface,
    before?: EffectiveRights,
  ): Promise<EffectiveRights | undefined> {
    const mandate = await this.mandate(administrator, before?.mandate.voucher);
    if (!mandate) return undefined;
    if (!mandate.voucher && !mandate.roles.some(({ interfaces }) => interfaces.includes(door)))
      return undefined;
    // The place of an administrator only matters where an option set depends on it.
    const matters = this.#optionSets.some(({ restricts }) => restricts.administrators);
    return this.#rightsOf(matters ? await this.place(administrator) : administrator, door, mandate);
  }

  #rightsOf(administrator: Dn, door: RoleInterface, mandate: Mandate): EffectiveRights {
    const { config, domains, presets } = this.#view;
    const { schema } = config;
    return new EffectiveRights({
      ...{ administrator, door },
      ...{ mandate, optionSets: this.#optionSets, roles: this },
      ...{ schema, domains, posix: posixRules(presets), isSecret: secrecyOf(schema) },
    });
  }

  /**
   * A name as the directory writes it, which may know more spellings of it than we do. One that is not there: below
   * its parent as the directory writes that.
   */
  async place(dn: Dn): Promise<Dn> {
    const { service } = this.#view.directory;
    const entry = await service.read(dn, ['1.1']);
    if (entry) return Dn.parse(entry.dn);
    const { parent } = dn;
    const above = parent && !parent.isRoot ? await service.read(parent, ['1.1']) : undefined;
    return above ? Dn.parse(above.dn).child(dn.rdn) : dn;
  }

  /** Finds the members that are named, and those of the groups among them. @returns names as the directory writes them */
  membersOf(names: MemberNames): Promise<readonly Dn[]> {
    return findMembers(names, this.#view);
  }

  /** Finds the groups in which an entry counts. */
  groupsOf(entry: Entry): Promise<readonly Entry[]> {
    return this.#view.memberships.of(entry);
  }

  /** Returns whether an entry has members, or is not there: it may have some to come. */
  async mayBeGroup(dn: Dn): Promise<boolean> {
    const { directory, config } = this.#view;
    const { group_classes, member_attributes } = config.schema;
    const entry = await directory.service.read(dn, ['objectClass', ...member_attributes]);
    if (!entry) return true;
    return hasClass(entry, group_classes) || member_attributes.some((name) => texts(entry, name).length > 0);
  }

  /** Returns whether a group decides for its members: it is activated, carries settings, or the configuration names it. */
  decides(group: Entry): boolean {
    const { group_account_class, settings_attribute } = this.#view.config.schema;
    return (
      hasClass(group, [group_account_class]) ||
      texts(group, settings_attribute).length > 0 ||
      this.#deciding.has(Dn.parse(group.dn).key)
    );
  }

  /** Returns the keys of all names that may be an administrator's, as the directory writes them, groups among them. */
  async administrators(): Promise<ReadonlySet<string>> {
    const dns = (await this.#listed()).map((dn) => dn.format());
    return new Set(
      (await findMembers({ dns, uids: [], numbers: [], primaries: [] }, this.#view)).map(({ key }) => key),
    );
  }

  /**
   * Returns whether a user has administrative rights, at whatever door. The groups that are named are asked one by one only where the
   * user counts in one, by a name or a number too, which make nobody an administrator, or is in the member list of one that is no
   * group by its class.
   * @param user as {@link Memberships.of} takes it
   * @throws ServiceError `unavailable`
   */
  async isAdministrator(user: Entry): Promise<boolean> {
    const dn = Dn.parse(user.dn);
    const listed = await this.#listed();
    const mayBe =
      listed.some((name) => name.equals(dn)) ||
      (await this.#view.memberships.among(user, listed)).length > 0 ||
      (await new Inquiry(dn, this.#view).mayBeListed(listed));
    return mayBe && (await this.mandate(dn)) !== undefined;
  }

  /** Returns the users and groups that the configuration and the roles name as administrators. */
  async #listed(): Promise<readonly Dn[]> {
    const roles = [...this.#roles, ...(await this.#madeByNow())];
    const listed = [...this.#superAdmins, ...roles.flatMap(({ members }) => members)];
    return [...new Map(listed.map((name) => [name.key, name] as const)).values()];
  }

  /** Returns whether no entry is below this one. */
  async isLeaf(dn: Dn): Promise<boolean> {
    const below = { base: dn, scope: 'one', filter: everyEntry, attributes: [], limit: 1 } as const;
    try {
      return (await this.#view.directory.service.search(below)).length === 0;
    } catch (error) {
      if (isReason(error, 'too_large')) return false;
      throw error;
    }
  }

  /**
   * Returns the mandate of an entry at every door, by the present members of groups; undefined: none.
   * @param first the voucher of the last time, tried first
   */
  async mandate(dn: Dn, first?: Dn): Promise<Mandate | undefined> {
    const named = this.#superAdmins.find((name) => name.equals(dn));
    if (named) return { voucher: named, roles: [] };
    const inquiry = new Inquiry(dn, this.#view);
    return first && (await inquiry.lists(first)) ? { voucher: first, roles: [] } : this.#byNames(inquiry);
  }

  async #byNames(inquiry: Inquiry): Promise<Mandate | undefined> {
    const voucher = await inquiry.first(this.#superAdmins);
    return voucher ? { voucher, roles: [] } : this.#byRoles(inquiry);
  }

  async #byRoles(inquiry: Inquiry): Promise<Mandate | undefined> {
    const all = [...this.#roles, ...(await this.#madeByNow())];
    const named = new Map(all.flatMap(({ members }) => members.map((name) => [name.key, name] as const)));
    const has = new Set((await inquiry.all([...named.values()])).map(({ key }) => key));
    const roles = all.filter(({ members }) => members.some(({ key }) => has.has(key)));
    return roles.length > 0 ? { voucher: undefined, roles } : undefined;
  }

  /** Those that were made at run time. What the configuration calls by the same name since then goes before them. */
  async #madeByNow(): Promise<readonly Role[]> {
    const rows = await this.#view.madeRoles.read();
    if (rows === this.#made.rows) return this.#made.roles;
    const configured = Object.keys(this.#view.config.roles);
    const own = rows.filter(({ name }) => sameName(configured, name) === undefined);
    const roles = readRoles(
      own.map(({ name, row }) => [name, row] as const),
      this.#view,
    );
    this.#made = { rows, roles };
    this.#nameWriters();
    return roles;
  }

  /** Lets writers by name through: the role has judged what its member writes. */
  #nameWriters(): void {
    const rows = [...Object.values(this.#view.config.roles), ...this.#made.rows.map(({ row }) => row)];
    const members = rows.flatMap((row) => row.members.map((dn) => Dn.parse(dn)));
    this.#view.directory.setWriters([...this.#superAdmins, ...members]);
  }
}

/** The keys of the groups by which domains and clients admit users, and by which clients have settings. */
function decidingGroups({ domains, clients }: ServiceConfig): ReadonlySet<string> {
  const names = [
    ...[...Object.values(domains), ...Object.values(clients)].flatMap((row) => [
      ...row.allowed_groups,
      ...row.excluded_groups,
    ]),
    ...Object.values(clients).flatMap(({ groups }) => groups.map(({ group }) => group)),
  ];
  return new Set(names.map((name) => Dn.parse(name).key));
}

function readRoles(
  rows: readonly (readonly [string, RoleConfig])[],
  { config, names }: RolesView,
): readonly Role[] {
  return rows.map(([name, row]) => ({
    ...{ name, row },
    interfaces: row.interfaces,
    members: row.members.map((dn) => Dn.parse(dn)),
    subtrees: row.subtrees.map((dn) => Dn.parse(dn)),
    permissions: grantOf(row, names, config.schema),
  }));
}

function readOptionSets({ config, names, domains }: RolesView): readonly OptionSet[] {
  return Object.entries(config.option_sets).map(([name, row]) => {
    const subtree = Dn.parse(row.subtree);
    return {
      ...{ name, subtree },
      isEverywhere: domains.bases.every((base) => base.isWithin(subtree)),
      restricts: {
        entries: row.restricts.includes('entries'),
        administrators: row.restricts.includes('administrators'),
      },
      permissions: restrictionOf(row, names, config.schema),
    };
  });
}
