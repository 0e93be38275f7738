/** The two kinds of store: the data folder, and PostgreSQL. */

import { weaklyCached } from '../../table/schema/zod.ts';
import { isHostAndPort } from '../values.ts';
import { file, secret, whole } from './types.ts';

export const embeddedStore = weaklyCached((z) =>
  z.strictObject({ type: z.literal('embedded').describe('State in the folder data, for one machine.') }),
);

const postgresHost = weaklyCached((z) =>
  z.string().refine(isHostAndPort, {
    error: 'is neither a host nor host:port',
    params: { cure: 'write for example "db1.example.com", "10.0.0.7:5432" or "[2001:db8::7]:5432"' },
  }),
);

export const postgresStore = weaklyCached((z) =>
  z.strictObject({
    type: z
      .literal('postgres')
      .describe('State in a database of PostgreSQL 15 or later, shared by several machines.'),
    hosts: z
      .array(postgresHost())
      .min(1)
      .describe('The primary and its standbys, in any order. The server that accepts writes is used.'),
    database: z
      .string()
      .min(1)
      .default('watchword')
      .describe('The name of the database; no other program may use it.'),
    user: z.string().min(1).default('watchword').describe('The database role of the servers.'),
    password: secret().optional().describe('The password of user. Prefer password_file.'),
    password_file: file().optional().describe('File with the password of user.'),
    ca: file()
      .optional()
      .describe(
        'PEM file of the certificate authorities that the database servers are verified with. Default: the authorities of the operating system.',
      ),
    allow_plain: z
      .boolean()
      .default(false)
      .describe('Connect without TLS: all stored data crosses the network unencrypted.'),
    timeout_s: whole(1, 600, 5).describe(
      'Maximum time in seconds that a login, or a call of the Manager, waits for the database in all its steps together, including the connection. After it, the request fails.',
    ),
    connections: whole(1, 256, 10).describe('Maximum connections of one server process.'),
  }),
);
