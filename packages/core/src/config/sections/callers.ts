/** The settings of calling systems: credentials and rights. */

import { readScryptHash } from '../../foundation/text/secret/scrypt-hash.ts';
import { weaklyCached } from '../../table/schema/zod.ts';
import { yubicoServers } from '../gateways/settings.ts';
import { clientName, clientPolicy } from './client-policy.ts';
import { openIdClient } from './openid-client.ts';
import { sshKey } from './ssh.ts';
import { inGroup, moment, network, origin, whole, word } from './types.ts';

const callers = inGroup('Calling systems');

/** The settings of a web service. */
const webService = weaklyCached((z) =>
  z.strictObject({
    enabled: z.boolean().default(true).describe('The service answers.'),
    require: z
      .enum(['none', 'api_key', 'certificate', 'either'])
      .default('none')
      .describe('The credentials that a calling system must present.'),
    default_domain: z.string().optional().describe('The domain of logins without a domain.'),
  }),
);

const webApplication = weaklyCached((z) =>
  z.strictObject({
    enabled: z.boolean().default(true).describe('Whether the web application is enabled.'),
    locked: z
      .boolean()
      .default(false)
      .describe('Refuse all users except those whom an administrator admits for a time.'),
  }),
);

const apiKeyId = weaklyCached((z) => z.string().regex(/^(?:0|[1-9][0-9]{0,14})$/, 'is not a number'));

const keyDigest = weaklyCached((z) =>
  z.string().regex(/^[0-9a-f]{64}$/, 'is not the SHA-256 of a key in 64 lower-case hexadecimal digits'),
);

const apiKey = weaklyCached((z) =>
  z.strictObject({
    sha256: keyDigest().describe(
      'SHA-256 of the 40 digits after the underscore; `watchword-ws --make-api-key` makes both.',
    ),
    owner: z
      .string()
      .regex(/^\P{Cc}{1,256}$/u, 'is not a text of 1 to 256 characters on one line')
      .optional()
      .describe('The person or team that is responsible for the key.'),
    services: z.array(word()).optional().describe('The web services that the key opens. Default: all.'),
    clients: z
      .array(network())
      .default([])
      .describe('Addresses and networks from which the key is valid; empty: all.'),
    client: z
      .string()
      .optional()
      .describe('The client policy of the key, whatever `client` a request names.'),
    expires: moment()
      .optional()
      .describe('The end of the key in UTC, `YYYY-MM-DD HH:MM:SS`; left out: it has none.'),
    previous: z
      .strictObject({
        sha256: keyDigest().describe('SHA-256 of the 40 digits of the key before.'),
        until: moment().describe('The end of the overlap in UTC, `YYYY-MM-DD HH:MM:SS`.'),
      })
      .optional()
      .describe('The key before a renewal, which is valid for the overlap.'),
  }),
);

const accountName = weaklyCached((z) =>
  z.string().regex(/^[^\p{Cc}]{1,128}$/u, 'is not a name of 1 to 128 characters'),
);

const smsAccount = weaklyCached((z) =>
  z.strictObject({
    hash: z
      .string()
      .refine((text) => readScryptHash(text) !== undefined, {
        error: 'is not a scrypt hash with ln 14 to 18',
        params: { cure: 'have `watchword-ws --make-sms-account` make a password and its hash' },
      })
      .describe(
        'The password, hashed by scrypt as a PHC string; `watchword-ws --make-sms-account` makes both.',
      ),
  }),
);

export const callerSettings = weaklyCached((z) => ({
  clients: z
    .record(clientName(), clientPolicy())
    .default({})
    .meta({
      ...callers(
        'Policies of the systems that log users in: by the name they give, their address or network.',
      ),
      examples: [{ vpn: { settings: { 'Otp.LoginMode': 'OTP' } } }],
    }),
  websrvs: z
    .record(word(), webService())
    .default({})
    .meta({
      ...callers('The web services by their words, such as `otp`, and what they ask of calling systems.'),
      examples: [{ otp: { require: 'api_key' } }],
    }),
  webapps: z
    .record(word(), webApplication())
    .default({})
    .meta({
      ...callers('The web applications by their words: pages for people, such as `selfdesk`.'),
      examples: [{ pwreset: { enabled: false } }],
    }),
  rest_get: z
    .boolean()
    .default(true)
    .meta(
      callers(
        'Operations may be asked for by GET, with the fields in the query, which logs on the way keep; false: by POST only.',
      ),
    ),
  app_scheme: z
    .string()
    .regex(/^[a-z][a-z0-9+.-]{0,31}$/, 'is not a URL scheme in lower case')
    .default('watchword')
    .meta(
      callers(
        'The scheme of the addresses that QR codes and push messages open an app with, as in `watchword://confirm/…`.',
      ),
    ),
  ws_origins: z
    .array(origin())
    .default([])
    .meta({
      ...callers(
        'Origins whose pages may ask the web services by script (CORS), with certificates; empty: none but their own.',
      ),
      examples: [['https://portal.example.com']],
    }),
  trusted_callers: z
    .array(network())
    .default([])
    .meta({
      ...callers(
        'Addresses and networks of calling systems that are trusted like those that show an API key or a certificate: they are not refused for the failures of their users, their `source` is believed, and their requests may set more.',
      ),
      examples: [['10.0.0.7', '2001:db8::/64']],
    }),
  metrics_clients: z
    .array(network())
    .default([])
    .meta({
      ...callers(
        'Addresses and networks that may read `/metrics`; empty: nothing is measured, and there is no such page.',
      ),
      examples: [['127.0.0.1', '10.0.0.0/24']],
    }),
  request_settings: z
    .array(network())
    .optional()
    .meta({
      ...callers(
        'Addresses and networks of calling systems whose requests choose the client policy by `client`, and set what trusted ones may, without showing anything. By default none, in `dialect: deployed` loopback and private networks.',
      ),
      examples: [['10.0.0.7', '192.168.0.0/16']],
    }),
  caller_certificates: z
    .enum(['own', 'any'])
    .optional()
    .meta(
      callers(
        'Which client certificates count as a calling system’s: those that the authority of the installation signed for one, or also any of another authority that TLS trusts. By default own, and any where ws.client_ca names one.',
      ),
    ),
  api_keys: z
    .record(apiKeyId(), apiKey())
    .default({})
    .meta({
      ...callers('API keys of calling systems, by the number in front of the underscore.'),
      examples: [{ '1': { sha256: 'digest', services: ['otp'] } }],
    }),
  sms_accounts: z
    .record(accountName(), smsAccount())
    .default({})
    .meta({
      ...callers(
        'Accounts that send by the web service sms, by their names. An API key that names the service in its `services` needs none.',
      ),
      examples: [
        { portal: { hash: '$scrypt$ln=15,r=8,p=1$c2FsdHNhbHQ$c29tZXRoaW5nIHRoYXQgaXMgbG9uZyBlbm91Z2g' } },
      ],
    }),
  relying_party: z
    .strictObject({
      id: z
        .string()
        .regex(
          /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/,
          'is not a domain name in lower case',
        )
        .describe(
          'The domain of the login pages. Devices are bound to it: after a change, all must be registered again.',
        ),
      name: z
        .string()
        .min(1)
        .max(64)
        .optional()
        .describe('The name that browsers show. Default: the domain.'),
      origins: z
        .array(origin())
        .default([])
        .describe('The pages that may ask for devices; empty: all of the domain, and below it, over HTTPS.'),
    })
    .optional()
    .meta({
      ...callers(
        'The relying party of FIDO2 devices (WebAuthn): security keys and passkeys. Optional; default: none, and no user logs in with such a device.',
      ),
      examples: [{ id: 'example.com', origins: ['https://login.example.com'] }],
    }),
  openid_clients: z
    .record(
      z
        .string()
        .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'is not a name of 1 to 64 letters, digits and ._-'),
      openIdClient(),
    )
    .default({})
    .meta({
      ...callers(
        'Applications that people log in to here by OpenID Connect, at `<ws_url>/openid`, by their client ids. The client policy of that name counts. Empty: there is no OpenID Connect.',
      ),
      examples: [{ wiki: { sha256: 'digest', redirect_uris: ['https://wiki.example.com/callback'] } }],
    }),
  ssh_recovery_keys: z
    .array(sshKey())
    .default([])
    .meta({
      ...callers(
        'Public keys of administrators, in OpenSSH format. The web service sshkey answers them beside the keys of every user, also of unknown ones.',
      ),
      examples: [
        ['ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKrih2CslPF8ZUj42zD5N3GRmS6dDqgD8mWX2VvhsBYc root@safe'],
      ],
    }),
  ssh_recordings: z
    .strictObject({
      session_mb: whole(1, 10_000, 20).describe('Maximum size of one session, in megabytes.'),
      user_mb: whole(1, 1_000_000, 200).describe('Maximum size of all sessions of one user, in megabytes.'),
      total_mb: whole(1, 1_000_000, 2000).describe('Maximum size of all sessions, in megabytes.'),
      days: whole(1, 3650, 90).describe('Days for which a recording is kept.'),
    })
    .prefault({})
    .meta(
      callers(
        'How much is kept of what SSH sessions show (`SshKey.RecordSessions`), and for how long. A part counts for a kilobyte at least.',
      ),
    ),
}));

/** Settings of the bundled servers only. */
export const callerServerSettings = weaklyCached(() => ({
  yubico: yubicoServers()
    .optional()
    .meta({
      ...callers(
        'The servers that judge codes of Yubikeys by the Yubico Validation Protocol 2.0; optional; default: none, and only Yubikeys whose secret is registered here log in.',
      ),
      examples: [{ client_id: 12345, key_file: '/etc/watchword/yubico-key' }],
    }),
}));
