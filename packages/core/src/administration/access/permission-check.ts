/** Rights of one administrator with one method, by entry: the grants of roles within the limits of option sets. */

import { isReason, ServiceError } from '../../foundation/errors/errors.ts';
import type { Dn } from '../../foundation/text/dn.ts';
import type { Permissions } from './permissions.ts';

/** Permissions for entries of some subtrees; undefined: of the whole directory. */
export interface Clause {
  readonly subtrees: readonly Dn[] | undefined;
  readonly permissions: Permissions;
}

export interface RightsOptions {
  /** Those that admit the method; what one of them grants is granted. */
  readonly grants: readonly Clause[];
  /** The limits; each must permit it. */
  readonly limits: readonly Clause[];
  /** The method in our words. */
  readonly method: string;
}

export class PermissionCheck {
  readonly #options: RightsOptions;

  constructor(options: RightsOptions) {
    this.#options = options;
  }

  /** Everything that the directory allows is allowed. */
  get isUnlimited(): boolean {
    const { grants, limits } = this.#options;
    return limits.length === 0 && grants.some(({ subtrees }) => subtrees === undefined);
  }

  /** The subtrees that hold entries; undefined: the whole directory. */
  get subtrees(): readonly Dn[] | undefined {
    const all = this.#options.grants.map(({ subtrees }) => subtrees);
    return all.includes(undefined) ? undefined : all.flatMap((subtrees) => subtrees ?? []);
  }

  /** The entry may be looked at. */
  holds(dn: Dn): boolean {
    return this.#allows(dn, () => true);
  }

  reads(dn: Dn, attribute: string): boolean {
    return this.#allows(dn, (permissions) => permissions.reads(attribute));
  }

  /** Somewhere, it may be read: where not even that is, a question about it is refused. */
  readsAnywhere(attribute: string): boolean {
    return this.#options.grants.some(({ permissions }) => permissions.reads(attribute));
  }

  /** Some role lets it, and no option set that holds for the caller wherever it works forbids it. */
  somewhere(asked: (permissions: Permissions) => boolean): boolean {
    const { grants, limits, method } = this.#options;
    return (
      grants.some(({ permissions }) => asked(permissions)) &&
      limits.every(
        ({ subtrees, permissions }) => subtrees || (permissions.admits(method) && asked(permissions)),
      )
    );
  }

  writes(dn: Dn, attribute: string): boolean {
    return this.#allows(dn, (permissions) => permissions.writes(attribute));
  }

  creates(dn: Dn, objectClass: string): boolean {
    return this.#allows(dn, (permissions) => permissions.creates(objectClass));
  }

  /** An option set has something to say there. */
  isLimited(dn: Dn): boolean {
    return this.#options.limits.some((limit) => covers(limit, dn));
  }

  /** @throws ServiceError `permission_denied` */
  assertHolds(dn: Dn): void {
    if (!this.holds(dn)) throw denied('the object is out of your reach');
  }

  #allows(dn: Dn, asked: (permissions: Permissions) => boolean): boolean {
    const { grants, limits, method } = this.#options;
    return (
      grants.some((grant) => covers(grant, dn) && asked(grant.permissions)) &&
      limits.every(
        (limit) => !covers(limit, dn) || (limit.permissions.admits(method) && asked(limit.permissions)),
      )
    );
  }
}

/** The permissions hold there. */
export const covers = ({ subtrees }: Pick<Clause, 'subtrees'>, dn: Dn): boolean =>
  subtrees === undefined || subtrees.some((subtree) => dn.isWithin(subtree));

/** @param why shown to the administrator: without values, and without entries out of reach */
export const denied = (why: string): ServiceError => new ServiceError('permission_denied', { detail: why });

/** Returns whether an assertion of a right holds. @throws what is no refusal */
export const isLet = (asserting: Promise<void>): Promise<boolean> =>
  asserting.then(
    () => true,
    (error) => {
      if (isReason(error, 'permission_denied')) return false;
      throw error;
    },
  );
