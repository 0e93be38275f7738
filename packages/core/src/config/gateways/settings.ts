/** The settings of gateways for mail, SMS and push. */

import { isMailAddress } from '../../foundation/text/messages/mail-address.ts';
import { weaklyCached, zod } from '../../table/schema/zod.ts';
import { file, secret } from '../sections/types.ts';

/** A folder that messages are written to, in place of a gateway. */
const folder = weaklyCached((z) =>
  z.strictObject({
    type: z
      .literal('folder')
      .describe('Writes each message into a file, including codes: for trials only, never for production.'),
    folder: file().describe('The folder; created if it does not exist.'),
  }),
);

const address = weaklyCached((z) =>
  z.string().refine(isMailAddress, {
    error: 'is not a mail address',
    params: { cure: 'write one address without a name, as in "login@example.com"' },
  }),
);

const smtp = weaklyCached((z) =>
  z.strictObject({
    type: z.literal('smtp').describe('A mail server that accepts mails by SMTP.'),
    host: z.string().min(1).describe('Its name or address.'),
    port: z.int().min(1).max(65_535).default(587).describe('Its port.'),
    security: z
      .enum(['starttls', 'tls', 'none'])
      .default('starttls')
      .describe(
        'starttls: TLS is demanded after connecting; tls: from the first byte, as on port 465; none: in clear.',
      ),
    allow_plain: z
      .boolean()
      .default(false)
      .describe('Allow `security: none`: codes cross the network unencrypted.'),
    rsa_padding: z
      .enum(['pkcs1', 'oaep'])
      .default('pkcs1')
      .describe(
        'How mails are encrypted for RSA keys that a user or a link wants secret: pkcs1 is RSAES-PKCS1-v1_5, which every mail program opens; oaep is RSAES-OAEP with SHA-256, which older ones do not.',
      ),
    user: z
      .string()
      .min(1)
      .optional()
      .describe('The login name at the gateway. Optional; default: no login.'),
    password: secret().optional().describe('The password of user. Prefer password_file.'),
    password_file: file().optional().describe('File with the password of user.'),
    ca: file()
      .optional()
      .describe(
        'PEM file of the certificate authorities of the server. Default: those of the operating system.',
      ),
    from: address().describe('The address that mails come from.'),
    timeout_s: z.int().min(1).max(300).default(10).describe('Maximum silence of the server, in seconds.'),
  }),
);

/** A text for a C string of a protocol. */
const latin = (least: number, most: number) =>
  zod()
    .string()
    .regex(new RegExp(`^[\\x20-\\x7e]{${least},${most}}$`), `is not ${least} to ${most} characters of ASCII`);

const texts = weaklyCached((z) => z.record(z.string().min(1).max(128), z.string().max(4096)));

/** The name of a header (RFC 9110 §5.1). */
const headerName = weaklyCached((z) =>
  z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/, 'is not the name of a header'),
);

const template = (variables: readonly string[]) => ({
  type: zod()
    .literal('http')
    .describe(`A gateway over HTTP. Variables: ${named(variables)}.`),
  url: zod()
    .string()
    .refine((text) => /^https?:\/\/[^{}/?#]+(?:[/?#]|$)/i.test(text) && URL.canParse(text), {
      error: 'is not an https URL with a host name',
      params: { cure: 'write for example "https://gateway.example.com/messages"' },
    })
    .describe('The URL of the gateway; variables in its path are encoded.'),
  allow_plain: zod()
    .boolean()
    .default(false)
    .describe('Allow http://: messages cross the network unencrypted.'),
  method: zod().enum(['POST', 'PUT', 'GET']).default('POST').describe('The HTTP method.'),
  query: texts().optional().describe('Names and values of the query.'),
  headers: zod()
    .record(headerName(), zod().string().max(4096))
    .optional()
    .describe('Headers, as in `Authorization: Bearer {secret}`.'),
  json: zod()
    .union([zod().record(zod().string(), zod().json()), zod().array(zod().json())])
    .optional()
    .describe(
      'The body as JSON, with variables in its texts; a text that is one variable alone keeps its type.',
    ),
  form: texts().optional().describe('The body as a form, in the place of json.'),
  secret: secret().optional().describe('The value of `{secret}`. Prefer secret_file.'),
  secret_file: file().optional().describe('File with that value.'),
  success: zod()
    .strictObject({
      path: zod()
        .string()
        .min(1)
        .max(256)
        .describe('The path of a value in the JSON of the answer, as in "messages.0.status".'),
      values: zod().array(zod().string()).min(1).describe('The accepted values.'),
    })
    .optional()
    .describe('The content of a successful answer, beside a status of 200 to 299.'),
  id_header: headerName()
    .optional()
    .describe('Header with the id of the message, the same at each try, as in "Idempotency-Key".'),
  ca: file()
    .optional()
    .describe(
      'PEM file of the certificate authorities of the gateway. Default: those of the operating system.',
    ),
});

export const named = (variables: readonly string[]): string => variables.map((one) => `{${one}}`).join(', ');

/** The variables of templates. */
export const templateVariables = {
  sms: ['to', 'digits', 'text', 'sender', 'flash', 'id', 'secret'],
  push: ['application', 'to', 'platform', 'device', 'title', 'body', 'data', 'timeout', 'id', 'secret'],
} as const;

const senderName = weaklyCached((z) =>
  z
    .string()
    .regex(
      /^(?:\+?[0-9]{3,15}|[A-Za-z0-9 ]{1,11})$/,
      'is neither a phone number nor 1 to 11 letters and digits',
    ),
);

const httpSms = weaklyCached((z) =>
  z.strictObject({
    ...template(templateVariables.sms),
    sender: senderName().optional().describe('The default sender of SMS, in `{sender}`.'),
  }),
);

/** SMPP 3.4. Its §4.1.1 limits passwords to 8 characters, but many centres accept longer ones. */
const smpp = weaklyCached((z) =>
  z.strictObject({
    type: z.literal('smpp').describe('An SMS centre that accepts SMS by SMPP 3.4.'),
    host: z.string().min(1).describe('Its name or address.'),
    port: z.int().min(1).max(65_535).describe('Its port.'),
    security: z.enum(['tls', 'none']).default('tls').describe('tls: from the first byte; none: in clear.'),
    allow_plain: z
      .boolean()
      .default(false)
      .describe('Allow `security: none`: codes and the password cross the network unencrypted.'),
    ca: file()
      .optional()
      .describe(
        'PEM file of the certificate authorities of the centre. Default: those of the operating system.',
      ),
    system_id: latin(1, 64).describe('The login name at the centre.'),
    password: latin(1, 64).optional().describe('The password of user. Prefer password_file.'),
    password_file: file().optional().describe('File with the password.'),
    system_type: latin(1, 12).optional().describe('The system type, if the centre requires one.'),
    sender: senderName().optional().describe('The default sender of SMS.'),
    timeout_s: z.int().min(1).max(300).default(10).describe('Maximum time to open a session, in seconds.'),
  }),
);

const httpPush = weaklyCached((z) => z.strictObject(template(templateVariables.push)));

/** The push services of browsers. */
const pushServices = [
  'fcm.googleapis.com',
  'updates.push.services.mozilla.com',
  '*.notify.windows.com',
  '*.push.apple.com',
] as const;

const webPush = weaklyCached((z) =>
  z.strictObject({
    type: z.literal('web').describe('Browsers, by Web Push with VAPID.'),
    subject: z
      .string()
      .regex(
        /^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/,
        'is neither mailto: with an address nor an https:// address',
      )
      .describe('The contact for push services, as in "mailto:ops@example.com".'),
    key: z.string().min(1).optional().describe('The private key on P-256, PEM. Prefer key_file.'),
    key_file: file().optional().describe('PEM file of the private key.'),
    hosts: z
      .array(
        z
          .string()
          .regex(
            /^(?:\*\.)?[a-z0-9.-]+(?::[0-9]{1,5})?$/,
            'is not a host, as in "push.example.com" or "*.example.com"',
          ),
      )
      .min(1)
      .default([...pushServices])
      .describe('The permitted push services: a subscription names its service, and may be forged.'),
    ca: file()
      .optional()
      .describe(
        'PEM file of the certificate authorities of the servers. Default: those of the operating system.',
      ),
  }),
);

/** Returns whether codes may be sent to an address: by https, or in clear on this machine. */
function isSafeAddress(text: string): boolean {
  if (text.length > 2048 || !URL.canParse(text)) return false;
  const { protocol, hostname, username, password, search, hash } = new URL(text);
  const isHere = ['127.0.0.1', '[::1]', 'localhost'].includes(hostname);
  return (
    (protocol === 'https:' || (protocol === 'http:' && isHere)) && !(username + password + search + hash)
  );
}

export const yubicoServers = weaklyCached((z) =>
  z.strictObject({
    urls: z
      .array(
        z.string().refine(isSafeAddress, {
          error: 'is not an https URL, or http URL on loopback, without a query',
          params: { cure: 'write for example "https://api.yubico.com/wsapi/2.0/verify"' },
        }),
      )
      .min(1)
      .max(8)
      .default(['https://api.yubico.com/wsapi/2.0/verify'])
      .describe(
        'The URLs of the servers. All are asked at the same time, and the first definite answer counts.',
      ),
    client_id: z
      .int()
      .min(1)
      .max(Number.MAX_SAFE_INTEGER)
      .describe('The client id of this installation at the servers.'),
    key: z
      .base64('is not base64')
      .min(16)
      .max(256)
      .optional()
      .describe('The key that signs requests and answers, base64. Prefer key_file.'),
    key_file: file().optional().describe('File with that value.'),
    ca: file()
      .optional()
      .describe(
        'PEM file of the certificate authorities of the servers. Default: those of the operating system.',
      ),
    timeout_s: z.int().min(2).max(60).default(5).describe('Maximum wait for an answer, in seconds.'),
  }),
);

export const mailGateway = weaklyCached((z) => z.discriminatedUnion('type', [smtp(), folder()]));
export const smsGateway = weaklyCached((z) => z.discriminatedUnion('type', [httpSms(), smpp(), folder()]));
export const pushGateway = weaklyCached((z) =>
  z.discriminatedUnion('type', [httpPush(), webPush(), folder()]),
);
