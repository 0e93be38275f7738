/** The two kinds of store: the data folder, and PostgreSQL. */

import { weaklyCached } from '../../table/schema/zod.ts';
import { isHostAndPort } from '../values.ts';
import { file, secret, whole } from './types.ts';

export const embeddedStore = weaklyCached((z) =>
  z.strictObject({ type: z.literal('embedded').describe('In the folder data: one machine.') }),
);

const postgresHost = weaklyCached((z) =>
  z.string().refine(isHostAndPort, {
    error: 'is no host, nor host:port',
    params: { cure: 'write for example "db1.example.com", "10.0.0.7:5432" or "[2001:db8::7]:5432"' },
  }),
);

export const postgresStore = weaklyCached((z) =>
  z.strictObject({
    type: z
      .literal('postgres')
      .describe('In a database of PostgreSQL 15 or later, which many machines share.'),
    hosts: z
      .array(postgresHost())
      .min(1)
      .describe('The primary and its standbys, in any order: the one that takes writes is used.'),
    database: z.string().min(1).default('watchword').describe('The database, which nobody else uses.'),
    user: z.string().min(1).default('watchword').describe('The role that servers run with.'),
    password: secret().optional().describe('Its password; better in password_file.'),
    password_file: file().optional().describe('File with the password of user.'),
    ca: file()
      .optional()
      .describe(
        'PEM file of the certificate authorities that vouch for the servers; by default those of the machine.',
      ),
    allow_plain: z
      .boolean()
      .default(false)
      .describe('Connect without TLS: all that is kept crosses the network in clear.'),
    timeout_s: whole(1, 600, 5).describe(
      'Longest time that a login, or a call of the Manager, waits for the database in all its steps together, connecting included, in seconds: then it is answered with an error.',
    ),
    connections: whole(1, 256, 10).describe('Most connections of one server process.'),
  }),
);
