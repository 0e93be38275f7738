/** The settings of roles and option sets. */

import { weaklyCached, zod } from '../../table/schema/zod.ts';
import { attribute, dn } from './types.ts';

/** A name, or `*` for all. */
const nameOrAll = weaklyCached((z) => z.union([z.literal('*'), attribute()]));

const methodPattern = weaklyCached((z) =>
  z.string().regex(/^[A-Za-z0-9_.*]{1,64}$/, 'is neither a method name nor a pattern with *'),
);

/** A name, `*`, or a secret of user data. */
const nameOrDatum = weaklyCached((z) =>
  z.union([
    nameOrAll(),
    z
      .string()
      .regex(
        /^[A-Za-z][A-Za-z0-9]{0,31}\.[A-Za-z0-9]{1,64}$/,
        'is not the name of an attribute, nor of user data such as Otp.TokenKey',
      ),
  ]),
);

/** The rights that a role grants, and an option set leaves. */
const permissions = (preset: readonly '*'[]) => ({
  read: zod()
    .array(nameOrDatum())
    .default(['*'])
    .describe('Attributes that may be read; of a role also secrets of user data, such as `"Otp.TokenKey"`.'),
  write: zod()
    .array(nameOrAll())
    .default([...preset])
    .describe('Attributes that may be written, and so, but for those of passwords, read too.'),
  create: zod()
    .array(nameOrAll())
    .default([...preset])
    .describe('Object classes of entries that may be created, moved and removed, and that may be added.'),
});

/** The interfaces that a role may open. */
export const roleInterfaces = ['Manager', 'Portal'] as const;

export const role = weaklyCached((z) =>
  z.strictObject({
    members: z.array(dn()).min(1).describe('DNs of users, and of groups whose members, have this role.'),
    interfaces: z
      .array(z.enum(roleInterfaces))
      .default(['Manager'])
      .describe('The interfaces that it opens: the Manager, the Admin Portal, or both.'),
    methods: z
      .array(methodPattern())
      .min(1)
      .describe('Methods that may be called; `*` stands for any part of a name.'),
    subtrees: z.array(dn()).min(1).describe('The DNs below which, and at which, its permissions hold.'),
    tenant: z
      .boolean()
      .optional()
      .describe('Its members administer a tenant: they send no mail and have no certificate signed.'),
    ...permissions([]),
  }),
);

/** An option set, which restricts administrators to what it lists (docs/concepts/policies-and-settings.md#administrative-role). */
export const optionSet = weaklyCached((z) =>
  z.strictObject({
    subtree: dn().describe('The DN that it is set on; it holds there and below.'),
    restricts: z
      .array(z.enum(['entries', 'administrators']))
      .min(1)
      .default(['entries', 'administrators'])
      .describe(
        'Whom: what anybody does with entries of the subtree, what administrators who stand there do anywhere.',
      ),
    methods: z
      .array(methodPattern())
      .default(['*'])
      .describe('Methods that may be called; `*` stands for any part of a name.'),
    ...permissions(['*']),
  }),
);
