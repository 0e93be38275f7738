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
        'SHA-256 of the secret of the application; left out: it can keep none, as a program in a browser or on a phone.',
      ),
    redirect_uris: z
      .array(redirectUri())
      .min(1)
      .describe(
        'Where people are sent back to, compared to the letter: https, or http on loopback, there with any port (RFC 8252 §7.3).',
      ),
    post_logout_redirect_uris: z
      .array(redirectUri())
      .default([])
      .describe('Where they may be sent after a logout.'),
    backchannel_logout_uri: redirectUri()
      .optional()
      .describe(
        'Where the application is told of a logout (OpenID Connect Back-Channel Logout); left out: it notices by itself.',
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
