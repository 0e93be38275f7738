/**
 * How far an administrator reaches: which methods it may call, and the directory as one of them may see and change it.
 * Asked anew at every request, so that a role that was given or taken counts at once on every node.
 */
import type { Directory } from '../directory/directory.ts';
import type { Dn } from '../directory/dn.ts';
import { everything, type Permissions } from './permissions.ts';
import { RestrictedDirectory } from './restricted-directory.ts';
import { type Clause, denied, Rights } from './rights.ts';
import type { OptionSet, Role, Roles } from './roles.ts';

/** What makes somebody an administrator. */
export interface Standing {
  /** The user or group of `super_admins` that makes it a super administrator. */
  readonly voucher: Dn | undefined;
  /** None for super administrators, who need none. */
  readonly roles: readonly Role[];
}

export interface ReachOptions {
  readonly administrator: Dn;
  readonly standing: Standing;
  readonly optionSets: readonly OptionSet[];
  /** Tells of others what they are. */
  readonly roles: Pick<Roles, 'standing' | 'isLeaf'>;
  /** What holds passwords in this directory. */
  readonly passwords: readonly string[];
}

/** A method as one administrator calls it. */
export interface MethodReach {
  readonly directory: Directory;
  /**
   * The administrator may change something about an entry: it is in reach, and no administrator who may do more.
   * @throws ServiceError `permission_denied`
   */
  assertAdministers(dn: Dn): Promise<void>;
}

export class Reach {
  readonly standing: Standing;
  readonly #options: ReachOptions;
  /** The option sets that hold wherever the administrator works, because it stands in their subtrees. */
  readonly #own: readonly OptionSet[];

  constructor(options: ReachOptions) {
    this.#options = options;
    this.standing = options.standing;
    this.#own = options.optionSets.filter(
      ({ subtree, restricts }) => restricts.administrators && options.administrator.isWithin(subtree),
    );
  }

  get isSuperAdmin(): boolean {
    return this.standing.voucher !== undefined;
  }

  /** The names of the option sets that restrict this administrator wherever it works. */
  get optionSets(): readonly string[] {
    return this.#own.map(({ name }) => name);
  }

  /** @param method in our words */
  admits(method: string): boolean {
    return (
      this.#grants.some(({ permissions }) => permissions.admits(method)) &&
      this.#own.every(({ permissions }) => permissions.admits(method))
    );
  }

  /** The directory as a method may see and change it. @param method in our words */
  over(directory: Directory, method: string): MethodReach {
    const rights = this.#rights(method);
    const assertAdministers = (dn: Dn) => this.#assertAdministers(dn, rights);
    if (rights.isUnlimited) return { directory, assertAdministers };
    const { passwords } = this.#options;
    const assertLeaf = (dn: Dn) => this.#assertLeaf(dn);
    const restriction = { rights, passwords, assertAdministers, assertLeaf };
    const restricted = new RestrictedDirectory(directory, restriction);
    return { directory: restricted, assertAdministers };
  }

  #rights(method: string): Rights {
    const anywhere = this.#own.map(({ permissions }) => ({ subtrees: undefined, permissions }));
    const there = this.#options.optionSets
      .filter(({ restricts }) => restricts.entries)
      .map(({ subtree, permissions }) => ({ subtrees: [subtree], permissions }));
    const grants = this.#grants.filter(({ permissions }) => permissions.admits(method));
    return new Rights({ grants, limits: [...anywhere, ...there], method });
  }

  get #grants(): readonly Clause[] {
    return this.isSuperAdmin ? [all] : this.standing.roles;
  }

  /**
   * Who could set the password of an administrator with more rights, or make one, would have these rights itself.
   * The same goes for groups whose members have them.
   */
  async #assertAdministers(dn: Dn, rights: Rights): Promise<void> {
    rights.assertHolds(dn);
    if (this.isSuperAdmin) return;
    const other = await this.#options.roles.standing(dn);
    if (!other) return;
    const own = new Set(this.standing.roles.map(({ name }) => name));
    if (other.voucher || other.roles.some(({ name }) => !own.has(name)))
      throw denied('the object is an administrator’s who may do more than you');
  }

  /**
   * With an entry goes all that stands below it, seen or not, and takes another name: perhaps one that a group of
   * administrators knows already.
   */
  async #assertLeaf(dn: Dn): Promise<void> {
    if (this.isSuperAdmin || (await this.#options.roles.isLeaf(dn))) return;
    throw denied('only super administrators rename what other objects stand below');
  }
}

const all: { subtrees: undefined; permissions: Permissions } = {
  subtrees: undefined,
  permissions: everything,
};
