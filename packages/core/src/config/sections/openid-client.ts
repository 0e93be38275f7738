/** The settings of OpenID Connect clients. */

import { weaklyCached } from '../../table/schema/zod.ts';
import { wrongRedirectUri } from '../values.ts';

export const openIdClient = weaklyCached((z) =>
  z.strictObject({
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/, 'is not the SHA-256 of a secret in 64 lower-case hexadecimal digits')
      .optional()
      .describe(
        'SHA-256 of the secret of the application. Optional; default: a public client, such as a program in a browser or on a phone.',
      ),
    redirect_uris: z
      .array(redirectUri())
      .min(1)
      .describe(
        'URLs to which users return after a login, compared literally: https, or http on loopback with any port (RFC 8252 §7.3).',
      ),
    post_logout_redirect_uris: z
      .array(redirectUri())
      .default([])
      .describe('URLs to which users may return after a logout.'),
    backchannel_logout_uri: redirectUri()
      .optional()
      .describe(
        'The URL that is called at a logout (OpenID Connect Back-Channel Logout). Optional; default: the application is not notified.',
      ),
    groups: z
      .enum(['dn', 'name'])
      .default('dn')
      .describe(
        'How the claim `groups` names groups: by their whole DNs, or by the first value of these. Two groups of one name in two places are one by their names.',
      ),
  }),
);

const redirectUri = weaklyCached((z) =>
  z.string().superRefine((text, issues) => {
    const wrong = wrongRedirectUri(text);
    if (!wrong) return;
    const { message, cure } = wrong;
    issues.addIssue({ code: 'custom', message, params: { cure } });
  }),
);
