/** The rows of the method table about administrative rights (an extension of ours). */

import { method } from '../../table/method.ts';
import { boolean, dn, flag, list, optional, success, text, written } from '../../table/schema/index.ts';
import {
  type ListedRole,
  listRoles,
  type RoleMakingView,
  type RoleView,
  removeRole,
  setRole,
} from './made/role-administration.ts';
import { findGrantedRights, type GrantedRights, type RightsAtEntryContext } from './what-i-may.ts';
import { type Access, accessOf, type OwnAccess } from './who-am-i.ts';

const words = { type: 'array', items: { type: 'string' } };
const permissions = { methods: words, read: words, write: words, create: words };
const byName = (properties: object) => ({
  type: 'object',
  additionalProperties: { type: 'object', properties },
});

const access = written(
  {
    type: 'object',
    properties: {
      dn: { type: 'string', format: 'dn' },
      login: { enum: ['DN', 'UID', 'PKI'], description: 'How administrators log in here.' },
      super_admin: { type: 'boolean' },
      roles: byName({ ...permissions, subtrees: words, tenant: { type: 'boolean' } }),
      option_sets: byName({ ...permissions, subtree: { type: 'string', format: 'dn' }, restricts: words }),
    },
  },
  ({ roles, option_sets, ...rest }: Access, dialect) => ({
    ...rest,
    roles: Object.keys(roles).length === 0 ? dialect.emptyMap() : roles,
    option_sets: Object.keys(option_sets).length === 0 ? dialect.emptyMap() : option_sets,
  }),
);

const allowed = written(
  {
    type: 'object',
    properties: {
      methods: {
        ...words,
        description: 'Those that would not be refused, as roles name them.',
      },
      read: { ...words, description: 'Of `attributes`, those that `method` may read there.' },
      write: { ...words, description: 'Of `attributes`, those that it may write there.' },
      create: { ...words, description: 'Of `classes`, those that it may make and take away there.' },
    },
  },
  (found: GrantedRights) => found,
);

const roles = written(
  {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        name: { type: 'string' },
        source: { enum: ['configuration', 'portal'] },
        at: {
          type: ['string', 'null'],
          description: 'The key of the configuration; null: it was made at run time.',
        },
        ...{
          members: words,
          interfaces: words,
          subtrees: words,
          ...permissions,
          tenant: { type: 'boolean' },
        },
      },
    },
  },
  (found: readonly ListedRole[]) => found,
);

export const accessMethods = {
  Who_Am_I: method({
    summary:
      'Tells an administrator who it is and what it may do: as a super administrator everything, else what its roles grant; less what the option sets leave. Every administrator may call it.',
    on: 'nothing',
    params: {},
    result: access,
    permission: 'self',
    run: (_, call: OwnAccess) => accessOf(call),
  }),
  What_May_I: method({
    summary:
      'Tells an administrator which methods it may call about an entry, without calling them; without `dn`, which of them about some entry. Roles and option sets are judged as at a call, what the directory itself refuses is not. Every administrator may call it.',
    on: 'dn',
    params: {
      ...{ dn: optional(dn()), attributes: optional(list()), classes: optional(list()) },
      method: optional(text()),
    },
    example: { dn: 'uid=alice,ou=people,dc=example,dc=org', attributes: ['mail', 'mobile'] },
    result: allowed,
    permission: 'self',
    run: ({ dn, attributes = [], classes = [], method = 'Set_User_Attrs' }, call: RightsAtEntryContext) =>
      findGrantedRights({ dn, attributes, classes, by: method }, call),
  }),
  List_Roles: method({
    summary:
      'Lists the roles: those of the configuration, with where they stand (`at`), and those that were made by `Set_Role`. For super administrators only.',
    on: 'nothing',
    params: {},
    result: roles,
    permission: 'read',
    needs: ['isSuper'],
    run: (_, call: RoleView) => listRoles(call),
  }),
  Set_Role: method({
    summary:
      'Makes a role, or puts it in the place of the one of this name, at the next request of its members on every node. It is judged as one of the configuration, which it cannot change. For super administrators only.',
    on: 'nothing',
    params: {
      ...{ name: text(), members: list(), methods: list(), subtrees: list() },
      ...{
        read: optional(list()),
        write: optional(list()),
        create: optional(list()),
        interfaces: optional(list()),
        tenant: optional(flag()),
      },
    },
    example: {
      name: 'frontdesk',
      members: ['uid=bob,ou=people,dc=example,dc=org'],
      methods: ['Get_User_DN', 'Get_User_Attrs', 'Find_Users'],
      subtrees: ['ou=people,dc=example,dc=org'],
    },
    result: success(),
    permission: 'write',
    needs: ['isSuper'],
    run: ({ name, ...row }, call: RoleMakingView) => setRole(name, row, call),
  }),
  Remove_Role: method({
    summary:
      'Removes a role that was made by `Set_Role`; false if there is none. For super administrators only.',
    on: 'nothing',
    params: { name: text() },
    example: { name: 'frontdesk' },
    result: boolean(),
    permission: 'write',
    needs: ['isSuper'],
    run: ({ name }, call: RoleView) => removeRole(name, call),
  }),
} as const;
