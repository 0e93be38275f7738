/** The row of the method table by which administrators learn what they may do (ours). */

import { method } from '../table/method.ts';
import { written } from '../table/schema/index.ts';
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
      roles: byName({ ...permissions, subtrees: words }),
      option_sets: byName({ ...permissions, subtree: { type: 'string', format: 'dn' }, restricts: words }),
    },
  },
  ({ roles, option_sets, ...rest }: Access, dialect) => ({
    ...rest,
    roles: Object.keys(roles).length === 0 ? dialect.emptyMap() : roles,
    option_sets: Object.keys(option_sets).length === 0 ? dialect.emptyMap() : option_sets,
  }),
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
} as const;
