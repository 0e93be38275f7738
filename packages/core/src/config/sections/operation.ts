/** The settings of operation: storage and logs. */

import { weaklyCached } from '../../table/schema/zod.ts';
import { embeddedStore, postgresStore } from './store.ts';
import { file, inGroup, whole } from './types.ts';

const operation = inGroup('Operation');

const certificateAuthority = weaklyCached((z) =>
  z.strictObject({
    key_type: z
      .enum(['P-256', 'RSA-2048', 'RSA-3072', 'RSA-4096'])
      .default('P-256')
      .describe('The kind of key, of an authority that is made at the first start.'),
    certificate: file().optional().describe('PEM file of the certificate of an existing authority.'),
    key: file().optional().describe('PEM file of its private key.'),
  }),
);

const license = weaklyCached((z) =>
  z.strictObject({
    file: file().optional().describe('JSON file of a signed licence.'),
    key: file()
      .optional()
      .describe('PEM file of the public key, or of a certificate, of the issuer of licences.'),
  }),
);

const log = weaklyCached((z) =>
  z.strictObject({
    level: z
      .enum(['info', 'warn', 'error', 'silent'])
      .default('info')
      .describe('The least important lines to write.'),
    format: z.enum(['json', 'text']).default('text').describe('One JSON object a line, or text to read.'),
    file: file()
      .optional()
      .describe('The file that lines are appended to; by default they go to standard error.'),
  }),
);

export const operationSettings = weaklyCached((z) => ({
  log_unknown_names: z
    .boolean()
    .default(false)
    .meta(
      operation(
        'Show unknown login names in the log and the event log, up to 64 characters; by default a digest, as users may type a password there.',
      ),
    ),
}));

/** Settings of the bundled servers only. */
export const operationServerSettings = weaklyCached((z) => ({
  store: z
    .discriminatedUnion('type', [embeddedStore(), postgresStore()])
    .default({ type: 'embedded' })
    .meta({
      ...operation(
        'Where everything is kept that is not in a directory: sessions, used codes, blocks, events, certificates.',
      ),
      examples: [
        {
          type: 'postgres',
          hosts: ['db1.example.com', 'db2.example.com'],
          password_file: '/etc/watchword/database-password',
        },
      ],
    }),
  data: file().default('./data').meta(operation('The folder of everything that the servers write.')),
  keys_file: file()
    .optional()
    .meta(
      operation('The key ring that stored secrets are encrypted with; by default keys in the folder data.'),
    ),
  ca: certificateAuthority()
    .prefault({})
    .meta(
      operation(
        'The authority that signs certificates of users, administrators and this machine; by default one that is made at the first start.',
      ),
    ),
  license: license()
    .prefault({})
    .meta(operation('How many users may be activated; without a licence nothing is limited.')),
  event_log_days: whole(0, 36_500, 365).meta(
    operation('How long the event log keeps an event, in days; 0: for good.'),
  ),
  log: log().prefault({}).meta(operation('What is logged, and how.')),
}));
