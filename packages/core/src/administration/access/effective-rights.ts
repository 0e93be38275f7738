/**
 * Effective rights of an administrator: the methods, and the directory as one of them may see and change it. They are read at every
 * request, so that a granted or withdrawn role counts at once on every node.
 */
import type { RoleInterface, Schema } from '../../config/config.ts';
import type { Domains } from '../../directory/domain.ts';
import type { PosixRules } from '../../directory/posix.ts';
import { Dn } from '../../foundation/text/dn.ts';
import type { Directory, Entry } from '../../ports/directory/directory.ts';
import type { OwnUse } from '../../table/method.ts';
import { JoinedGroups } from './groups/joined-groups.ts';
import { MemberSchema } from './groups/members.ts';
import { type ReadGroup, type Touched, TouchedMembers } from './groups/touched-members.ts';
import { IdentityWrites } from './identity-writes.ts';
import { type Clause, covers, denied, isLet, PermissionCheck } from './permission-check.ts';
import { allPermissions, type Permissions, type Secrecy } from './permissions.ts';
import { RestrictedDirectory } from './restricted-directory.ts';
import type { Restriction } from './restriction.ts';
import type { OptionSet, Role } from './role.ts';
import type { RoleFacts } from './role-facts.ts';
import { type Administrator, isSuperior, type Mandate } from './superiors.ts';

export interface EffectiveRightsOptions {
  readonly administrator: Dn;
  readonly door: RoleInterface;
  readonly mandate: Mandate;
  readonly optionSets: readonly OptionSet[];
  /** Tells of others what they are. */
  readonly roles: RoleFacts;
  readonly schema: Schema;
  readonly posix: PosixRules;
  readonly domains: Pick<Domains, 'all' | 'bases' | 'containing'>;
  readonly isSecret: Secrecy;
}

/** A method as one administrator calls it. */
export interface MethodRights {
  readonly directory: Directory;
  /**
   * The administrator may change something about an entry: it is in reach, and no administrator who may do more.
   * @returns its name as the directory writes it
   * @throws ServiceError `permission_denied`
   */
  assertAdministers(dn: Dn): Promise<Dn>;
  /**
   * Returns whether the administrator may read a secret of user data in clear: a role only where its `read` names it.
   * @param name in our words
   */
  readsSecret(dn: Dn, name: string): boolean;
}

export class EffectiveRights {
  /** The mandate of the administrator, at every door. */
  readonly mandate: Mandate;
  /** Those that count here: they open the door. */
  readonly roles: readonly Role[];
  readonly #options: EffectiveRightsOptions;
  readonly #self: Administrator;

  constructor(options: EffectiveRightsOptions) {
    const { administrator: dn, mandate, door } = options;
    this.#options = options;
    this.mandate = mandate;
    this.roles = mandate.roles.filter(({ interfaces }) => interfaces.includes(door));
    const optionSets = options.optionSets.filter(
      ({ subtree, restricts }) => restricts.administrators && dn.isWithin(subtree),
    );
    this.#self = { dn, mandate, optionSets };
  }

  /** Returns the same rights, judged by other facts: in a dry run, with the changes that were not made. */
  among(roles: RoleFacts): EffectiveRights {
    return new EffectiveRights({ ...this.#options, roles });
  }

  get isSuperAdmin(): boolean {
    return this.mandate.voucher !== undefined;
  }

  /** The names of the option sets that restrict this administrator, somewhere or wherever it works. */
  get optionSets(): readonly string[] {
    const meets = (subtree: Dn) =>
      this.#grants.some(({ subtrees = [subtree] }) =>
        subtrees.some((own) => own.isWithin(subtree) || subtree.isWithin(own)),
      );
    return this.#options.optionSets
      .filter((set) => this.#self.optionSets.includes(set) || (set.restricts.entries && meets(set.subtree)))
      .map(({ name }) => name);
  }

  /** @param method in our words */
  admits(method: string): boolean {
    return (
      this.#grants.some(({ permissions }) => permissions.admits(method)) &&
      this.#self.optionSets.every(({ permissions }) => permissions.admits(method))
    );
  }

  /** Refuses methods about other entries to a user without such rights. @throws ServiceError `permission_denied` */
  assertMeans(_dn: Dn): void {}

  /** A factor of this type may be registered by the caller. @throws ServiceError `invalid_params` */
  assertRegisters(_use: OwnUse, _params: Readonly<Record<string, unknown>>): void {}

  /**
   * Restricts the directory of a call to what a method may see and change.
   * @param method in our words
   * @param service sees what the administrator may not see; in a dry run with the changes that were not made
   */
  over(directory: Directory, method: string, service: Pick<Directory, 'read' | 'search'>): MethodRights {
    const check = this.permissionCheck(method);
    const readsSecret = (dn: Dn, name: string) => this.isSuperAdmin || check.reads(dn, name);
    if (check.isUnlimited) return { directory, assertAdministers: async (dn) => dn, readsSecret };
    const isSuperior = remembered((dn) => this.isSuperior(dn));
    const assertAdministers = remembered(async (dn) => {
      check.assertHolds(dn);
      const place = await this.#options.roles.place(dn);
      check.assertHolds(place);
      if (!(await isSuperior(place))) return place;
      throw denied('the object is an administrator’s who may do more than you');
    });
    const { schema, isSecret, posix, domains, roles } = this.#options;
    const read = readerOf(service);
    const groupsOf = (entry: Entry) => roles.groupsOf(entry);
    const fills = async (group: Dn) =>
      new MemberSchema(schema).named.some((name) => check.writes(group, name)) && !(await isSuperior(group));
    const restriction: Restriction = {
      ...{ check, isSecret, isSuperior, assertAdministers, passwords: schema.password_attributes },
      touchedMembers: new TouchedMembers(schema, read),
      joinedGroups: new JoinedGroups(schema, read, groupsOf),
      identityWrites: this.isSuperAdmin
        ? undefined
        : new IdentityWrites({ schema, posix, domains, read, service, fills, groupsOf }),
      assertMoves: (from, to) => this.#assertMoves(from, to, check),
      assertTouches: (group, touched) => this.#assertTouches(group, touched, check),
      assertJoins: (groups) => this.#assertJoins(groups, check),
    };
    return { directory: new RestrictedDirectory(directory, restriction), assertAdministers, readsSecret };
  }

  /**
   * Asserts that the caller may decide for the members of a group that a change touches: for no administrator who may do more,
   * and, where the group decides or the caller could give it settings, for nobody out of reach. Free super administrators may.
   */
  async #assertTouches(group: Dn, touched: Touched, check: PermissionCheck): Promise<void> {
    if (this.isFree) return;
    const members = await this.#options.roles.membersOf(touched.names);
    if (members.length > 0) await this.#assertDecides({ group, members, decides: touched.decides }, check);
  }

  async #assertDecides({ group, members, decides }: MembersTouched, check: PermissionCheck): Promise<void> {
    const { roles, schema } = this.#options;
    const isConfigured =
      decides ||
      (await this.#decidesAbove(group)) ||
      this.#grants.some(
        (grant) => covers(grant, group) && grant.permissions.writes(schema.settings_attribute),
      );
    if (members.some((dn) => dn.isRoot || (isConfigured && !check.holds(dn))))
      throw denied('the group has a member, or would, who is out of your reach');
    const administrators = await roles.administrators();
    for (const dn of members) {
      if (administrators.has(dn.key) && (await this.isSuperior(dn)))
        throw denied('the group has a member, or would, who is an administrator and may do more than you');
    }
  }

  /**
   * Judges beforehand whether the caller may change what a group is to all its members, whom it looks up once for all methods.
   * @returns a judge for the rights of a method
   */
  decidesBy(group: Dn, service: Pick<Directory, 'read'>): (check: PermissionCheck) => Promise<boolean> {
    const touched = new TouchedMembers(this.#options.schema, readerOf(service));
    const looked = (async () => {
      const { names, decides } = await touched.ofWhole(group);
      return { group, decides, members: this.isFree ? [] : await this.#options.roles.membersOf(names) };
    })();
    return async (check) => {
      const found = await looked;
      if (found.members.length === 0) return true;
      return isLet(this.#assertDecides(found, check));
    };
  }

  /** A group that holds this one decides for the members of this one. */
  async #decidesAbove(group: Dn): Promise<boolean> {
    const above = await this.#options.roles.groupsOf({ dn: group.format(), attributes: new Map() });
    return above.some((one) => this.#options.roles.decides(one));
  }

  /**
   * Asserts that the caller may lead an entry into and out of groups by its own attributes: into no group of administrators who
   * may do more, and, where a group decides, only where the caller could write its members. Free super administrators may.
   */
  async #assertJoins(groups: readonly Entry[], check: PermissionCheck): Promise<void> {
    if (this.isFree) return;
    const { roles, schema } = this.#options;
    const names = [...schema.member_attributes, ...schema.member_uid_attributes];
    for (const group of groups) {
      const dn = Dn.parse(group.dn);
      if (await this.isSuperior(dn))
        throw denied('the object would join or leave a group of administrators who may do more than you');
      const mayWrite = names.some((name) => check.writes(dn, name));
      if (roles.decides(group) && !mayWrite)
        throw denied('the object would join or leave a group that decides, whose members you may not write');
    }
  }

  /** Returns the rights of a method. @param method in our words */
  permissionCheck(method: string): PermissionCheck {
    const anywhere = this.#self.optionSets.map(({ permissions }) => ({ subtrees: undefined, permissions }));
    const there = this.#options.optionSets
      .filter(({ restricts }) => restricts.entries)
      .map(({ subtree, permissions }) => ({ subtrees: [subtree], permissions }));
    const grants = this.#grants.filter(({ permissions }) => permissions.admits(method));
    return new PermissionCheck({ grants, limits: [...anywhere, ...there], method });
  }

  get #grants(): readonly Clause[] {
    return this.isSuperAdmin ? [all] : this.roles;
  }

  /** Nothing restricts it but what holds for all. */
  get isFree(): boolean {
    return this.isSuperAdmin && this.#self.optionSets.length === 0;
  }

  /** Returns whether an administrator with more rights is there, or a group with one. @param place as the directory writes it */
  async isSuperior(place: Dn): Promise<boolean> {
    if (this.isFree) return false;
    const { roles } = this.#options;
    const other = await roles.mandate(place);
    const mayBeGroup = this.#self.optionSets.length > 0 && (await roles.mayBeGroup(place));
    return other !== undefined && isSuperior(place, other, { than: this.#self, mayBeGroup });
  }

  /** Nobody gains by a new name: neither what a role holds only there, nor freedom from an option set. */
  async #assertMoves(from: Dn, to: Dn, check: PermissionCheck): Promise<void> {
    if (this.mandate.roles.some((role) => covers(role, to) && !covers(role, from)))
      throw denied('one of your roles is for its new place and not for its old one');
    if (await this.#isFreed(from, to)) throw denied('what restricts this administrator would not hold there');
    await this.assertMovable(from, check, to);
  }

  /** Whatever new name it is to get. @throws ServiceError `permission_denied` */
  async assertMovable(from: Dn, check: PermissionCheck, to = from): Promise<void> {
    if (this.#options.optionSets.some(({ subtree }) => subtree.isWithin(from)))
      throw denied('an option set goes by its name');
    await this.#assertLeaf(from, this.isFree && !check.isLimited(from) && !check.isLimited(to));
  }

  /** A name as the directory writes it. */
  place(dn: Dn): Promise<Dn> {
    return this.#options.roles.place(dn);
  }

  async #isFreed(from: Dn, to: Dn): Promise<boolean> {
    const isLeft = ({ subtree }: OptionSet) => from.isWithin(subtree) && !to.isWithin(subtree);
    return this.#self.optionSets.some(isLeft) && (await this.#options.roles.mandate(from)) !== undefined;
  }

  /**
   * Checks that no entry is below: a move takes along entries that the caller may not see, to names that a group of administrators may
   * contain already.
   */
  async #assertLeaf(dn: Dn, isExempt: boolean): Promise<void> {
    if (isExempt || (await this.#options.roles.isLeaf(dn))) return;
    throw denied('what other objects stand below is not yours to rename');
  }
}

interface MembersTouched extends Pick<Touched, 'decides'> {
  readonly group: Dn;
  readonly members: readonly Dn[];
}

/** Reads as the service does; the values that a change brings are judged also when the service does not see the entry. */
const readerOf =
  (service: Pick<Directory, 'read'>): ReadGroup =>
  async (dn, attributes) =>
    (await service.read(dn, attributes)) ?? { dn: dn.format(), attributes: new Map() };

const all: { subtrees: undefined; permissions: Permissions } = {
  subtrees: undefined,
  permissions: allPermissions,
};

/** Asks once for each name: methods come back to their entry, and a call is too short for it to change. */
function remembered<T>(ask: (dn: Dn) => Promise<T>): (dn: Dn) => Promise<T> {
  const answers = new Map<string, Promise<T>>();
  return (dn) => {
    const answer = answers.get(dn.key) ?? ask(dn);
    answers.set(dn.key, answer);
    return answer;
  };
}
