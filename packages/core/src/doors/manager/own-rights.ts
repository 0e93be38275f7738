/** Effective rights of a user in self-service: only the own entry, whatever other rights the user has. */

import { EffectiveRights } from '../../administration/access/effective-rights.ts';
import { denied } from '../../administration/access/permission-check.ts';
import { type Permissions, secrecyOf } from '../../administration/access/permissions.ts';
import type { Role } from '../../administration/access/role.ts';
import type { Roles } from '../../administration/access/roles.ts';
import type { RoleConfig, Schema } from '../../config/config.ts';
import type { Settings } from '../../directory/data/layers.ts';
import { posixRules } from '../../directory/posix.ts';
import { ServiceError } from '../../foundation/errors/errors.ts';
import type { Dn } from '../../foundation/text/dn.ts';
import type { OwnUse } from '../../table/method.ts';
import type { OwnCaller } from '../../table/own-calls.ts';

/** The door of the calls: rights depend on the door, and this is none of the administrators’. */
const door = 'Manager';

export interface OwnRightsOptions {
  readonly dn: Dn;
  readonly schema: Schema;
  readonly presets: Settings;
  readonly roles: Pick<Roles, 'isLeaf' | 'place'>;
  /** @param method in our words */
  admits(method: string): boolean;
  readonly typesOf: OwnCaller['typesOf'];
}

/** The same in the words of a configuration. */
const rowOf = (dn: Dn, written: string): RoleConfig => ({
  ...{ members: [dn.format()], subtrees: [dn.format()], interfaces: [door] },
  ...{ methods: [], read: ['*'], write: [written], create: [] },
});

export class OwnRights extends EffectiveRights {
  readonly #dn: Dn;
  readonly #typesOf: OwnCaller['typesOf'];

  constructor({ dn, schema, presets, roles, admits, typesOf }: OwnRightsOptions) {
    const isSecret = secrecyOf(schema);
    const written = schema.data_attribute.toLowerCase();
    const permissions: Permissions = {
      admits,
      reads: (attribute) => !isSecret(attribute),
      writes: (attribute) => attribute.toLowerCase() === written,
      creates: () => false,
    };
    const role: Role = {
      ...{ name: 'self', row: rowOf(dn, written) },
      ...{ members: [dn], subtrees: [dn], interfaces: [door], permissions },
    };
    super({
      administrator: dn,
      door,
      mandate: { voucher: undefined, roles: [role] },
      optionSets: [],
      // Nobody is above oneself.
      roles: {
        mandate: async () => undefined,
        isLeaf: (of) => roles.isLeaf(of),
        place: (of) => roles.place(of),
        // Of the own entry only data are written: no group changes.
        membersOf: async () => [],
        groupsOf: async () => [],
        decides: () => false,
        mayBeGroup: async () => false,
        administrators: async () => new Set(),
      },
      // Of the own entry only data are written: no name changes.
      domains: { all: [], bases: [], containing: () => [] },
      ...{ schema, isSecret, posix: posixRules(presets) },
    });
    this.#dn = dn;
    this.#typesOf = typesOf;
  }

  /** Nobody else matters to the own entry. */
  override among(): OwnRights {
    return this;
  }

  override assertMeans(dn: Dn): void {
    if (!dn.equals(this.#dn)) throw denied('the object is not your own entry');
  }

  override assertRegisters({ of, typeOf }: OwnUse, params: Readonly<Record<string, unknown>>): void {
    const allowed = of && typeOf && this.#typesOf(of);
    if (!allowed) return;
    const type = typeOf(params);
    if (allowed.includes(type)) return;
    const detail = `the type ${type} is not allowed; yours may be ${allowed.join(', ')}`;
    throw new ServiceError('invalid_params', { detail });
  }
}
