/**
 * The settings table: every key of the configuration with its type, its default, one sentence and the group
 * it stands in. Keys: concepts.md §1, 7, 10 and specification §5.1. A suffix `_s`, `_ms` or `_bytes` is the unit.
 */

import { readScryptHash } from '../foundation/text/secret/scrypt-hash.ts';
import { eachText, type TextName, textVariables, unknownVariables } from '../table/message-texts.ts';
import { madeAtNeed, madeAtNeedOf, zod } from '../table/schema/zod.ts';
import { mailGateway, pushGateway, secret, smsGateway, yubicoServers } from './gateways/settings.ts';
import {
  isClient,
  isClientName,
  isDirectoryUrl,
  isFullDn,
  isHostAndPort,
  isNetwork,
  isWebAddress,
  wrongRedirectUri,
} from './values.ts';
import type { Vocabulary } from './vocabulary.ts';

/** One sentence and a group, for the reference and the published JSON Schema. */
const inGroup = (group: string) => (description: string) => ({ description, group });

const interfaces = inGroup('Interfaces');
const administrators = inGroup('Administrators');
const directories = inGroup('Directory and domains');
const callers = inGroup('Calling systems');
const operation = inGroup('Operation');
const messaging = inGroup('Mail, SMS and push');

const dn = madeAtNeed((z) =>
  z.string().refine(isFullDn, {
    error: 'is not a DN',
    params: { cure: 'write a full DN, as in "ou=People,dc=example,dc=com"' },
  }),
);
const client = madeAtNeed((z) =>
  z.string().refine(isClient, {
    error: 'is no host name, address or network',
    params: { cure: 'write for example "admin.example.com", "192.168.1.5", "10.0.0.0/8" or "2001:db8::/32"' },
  }),
);
const file = madeAtNeed((z) => z.string().min(1));
const word = madeAtNeed((z) =>
  z
    .string()
    .regex(
      /^[A-Za-z][A-Za-z0-9]{0,31}$/,
      'is not a word of 1 to 32 letters and digits that begins with a letter',
    ),
);
const attribute = madeAtNeed((z) =>
  z.string().regex(/^[A-Za-z][A-Za-z0-9-]{0,127}$/, 'is not the name of an attribute or class'),
);

const origin = madeAtNeed((z) =>
  z
    .string()
    .refine(isWebAddress, {
      error: 'is no https:// address of one host without a path',
      params: { cure: 'write for example "https://login.example.com" or "https://login.example.com:8443"' },
    })
    .transform((text) => new URL(text).origin),
);
const webAddress = madeAtNeed(() => origin().optional());

const attributes = (...names: readonly string[]) =>
  zod()
    .array(attribute())
    .default([...names]);
const whole = (least: number, most: number, preset: number) =>
  zod().int().min(least).max(most).default(preset);
/** By the numbers that administrators set them with (manager.md §3). */
export const clientModes = ['default', 'step_down', 'step_up', 'no_access'] as const;
export const managerModes = madeAtNeed((z) => z.enum(['DN', 'UID', 'PKI']));
export const portalModes = madeAtNeed((z) => z.enum(['PKI', 'UID', 'DN', 'OTP', 'U2F', 'MFA']));

const theirs = (ours: string) => word().default(ours).describe(`What this installation calls ${ours}.`);

/** A word of an application without a web service, which is told from others' words all the same. */
const theirsUnserved = (ours: string) =>
  word()
    .default(ours)
    .meta({ description: `What this installation calls ${ours}.`, kept: true });

/** A key for each word of ours, which are the applications' to say. */
function namesOf({ applications }: Vocabulary) {
  const all = Object.values(applications);
  const rows = [
    ...all.map(({ name }) => [name, theirs(name)] as const),
    ...all.map(({ service, isServed }) => [service, (isServed ? theirs : theirsUnserved)(service)] as const),
  ];
  return zod().strictObject(Object.fromEntries(rows));
}

/** concepts.md §1 */
const roles = madeAtNeed((z) =>
  z.strictObject({
    user_classes: attributes('user', 'account', 'person', 'inetOrgPerson', 'posixAccount').describe(
      'Classes that make an entry a user.',
    ),
    group_classes: attributes(
      'group',
      'groupOfNames',
      'groupOfUniqueNames',
      'groupOfURLs',
      'posixGroup',
    ).describe('Classes that make an entry a group.'),
    container_classes: attributes(
      'container',
      'organizationalUnit',
      'organization',
      'domain',
      'locality',
      'country',
    ).describe('Classes that make an entry a container.'),
    account_class: attribute().default('webadmaccount').describe('The class that activates a user.'),
    group_account_class: attribute().default('webadmgroup').describe('The class that activates a group.'),
    login_attributes: attributes('uid', 'sAMAccountName', 'userPrincipalName').describe(
      'Attributes that hold login names.',
    ),
    member_attributes: attributes('member', 'uniqueMember').describe(
      "Attributes of a group that hold members' DNs.",
    ),
    member_of_attributes: attributes('memberOf', 'groupMembership').describe(
      "Attributes of a user that hold groups' DNs.",
    ),
    member_uid_attributes: attributes('memberUid').describe(
      "Attributes of a group that hold members' login names.",
    ),
    mail_attributes: attributes('mail', 'otherMailbox').meta({
      description: 'Attributes that hold mail addresses; a code goes to the first that is one.',
    }),
    mobile_attributes: attributes('mobile', 'otherMobile').meta({
      description: 'Attributes that hold mobile numbers; a code goes to the first that is one.',
    }),
    certificate_attributes: attributes('userCertificate').describe('Attributes that hold certificates.'),
    password_attributes: attributes('userPassword', 'unicodePwd').describe('Attributes that hold passwords.'),
    text_attributes: attributes().describe(
      'Attributes that the Manager reads and writes as text, though their syntax in the schema of the directory is one of bytes. Others of such a syntax are in base64; passwords, settings, data and SSH keys are text without being named.',
    ),
    language_attributes: attributes('preferredLanguage').meta({
      description: 'Attributes that hold the preferred language.',
    }),
    settings_attribute: attribute().default('webadmSettings').describe('The attribute that holds settings.'),
    data_attribute: attribute().default('webadmData').describe('The attribute that holds user data.'),
  }),
);

export const domain = madeAtNeed((z) =>
  z.strictObject({
    base: dn().describe('The DN below which the users of the domain stand.'),
    aliases: z
      .array(domainName())
      .default([])
      .describe(
        'Other names of the domain, such as EXAMPLE and example.com: in a field, and in logins as EXAMPLE\\name and name@example.com.',
      ),
    login_attributes: z
      .array(attribute())
      .min(1)
      .optional()
      .describe('Attributes that hold login names here; by default those of schema.'),
    groups_base: dn()
      .optional()
      .describe(
        'The DN below which groups of these users are looked for; by default the base of the directory.',
      ),
    allowed_groups: z
      .array(dn())
      .default([])
      .describe(
        'Only members of one of these groups log in; empty: everyone. Members by a primary group or a group in the group count.',
      ),
    excluded_groups: z
      .array(dn())
      .default([])
      .describe(
        'Members of these groups do not log in, members by a primary group or a group in the group among them.',
      ),
  }),
);

/** concepts.md §7, and what keeps a single request from costing too much. */
const limits = madeAtNeed((z) =>
  z.strictObject({
    body_bytes: whole(1024, 1 << 30, 1 << 20).describe(
      'Longest request body, in bytes; those of the web services have at most 65536.',
    ),
    connections_per_address: whole(1, 1_000_000, 256).describe(
      'Most connections at a time from one address, or from one /64 of IPv6, to each server, and ten times as many from one /48; those of reverse_proxies and trusted_callers are not counted.',
    ),
    batch_calls: whole(1, 100_000, 1000).describe('Most calls in one JSON-RPC batch.'),
    depth: whole(4, 1000, 32).describe('Deepest nesting of JSON, filters and XML, in levels.'),
    search_entries: whole(1, 10_000_000, 10_000).describe('Most entries that one search returns.'),
    login_failure_delay_ms: whole(0, 60_000, 1000).describe(
      'A failed login is answered after this many milliseconds.',
    ),
    challenges_per_minute: whole(1, 1_000_000, 1200).describe(
      'Most logins a minute from one address that are asked for a code without having shown a password.',
    ),
    judge_refused: z
      .boolean()
      .default(true)
      .describe(
        'Where failures have someone refused, a password and a code in one request are still judged as a whole; no: nothing is.',
      ),
    directory_failures: z
      .string()
      .regex(/^[1-9]\d{0,5}\/[1-9]\d{0,4}$/, 'is not of the form failures/minutes, as in 4/30')
      .optional()
      .describe(
        'So many wrong passwords of strangers reach the directory for one user in so many minutes, `4/30`; set it under the lock-out of the directory. Left out: any number.',
      ),
    user_failures: whole(1, 1_000_000, 10).describe(
      'So many failures in a row of one administrator at the Manager, or of one user whose secrets an administrator tries, start a refusal; at the web services that is MaxTries.',
    ),
    user_block_s: whole(1, 86_400, 300).describe(
      'How long that refusal lasts the first time, in seconds; each next one twice as long.',
    ),
  }),
);

/** How much of one way is sent in a day (UTC), with a hard stop. */
const budget = ({ user, client, all }: { user: number; client: number; all: number }) => ({
  user_a_day: whole(1, 1_000_000, user).describe('To one user.'),
  client_a_day: whole(1, 100_000_000, client).describe('For one calling system, or one administrator.'),
  a_day: whole(1, 100_000_000, all).describe('In all.'),
});

const languageTag = madeAtNeed((z) =>
  z.string().regex(/^[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*$/, 'is no language tag, as in "de" or "fr-CA"'),
);

const ownText = (name: TextName) =>
  zod()
    .string()
    .min(1)
    .max(4096)
    .refine((text) => unknownVariables(name, text).length === 0, {
      error: `has a variable that it cannot have: there are ${variablesOf(name)}`,
      params: { cure: `write ${variablesOf(name)}, or no braces` },
    })
    .optional()
    .describe(`Variables: ${variablesOf(name)}.`);

const variablesOf = (name: TextName): string =>
  textVariables[name].map((variable) => `{${variable}}`).join(', ');

const ownTexts = madeAtNeed((z) => z.strictObject(eachText(ownText)));

/** What a number begins with: its country, and more. */
const numberPrefix = madeAtNeed((z) =>
  z.string().regex(/^\+[1-9][0-9]{0,9}$/, 'is no number with its country, as in "+49" or "+1202"'),
);

/** What waits to be sent, and how much of it. */
const messages = madeAtNeed((z) =>
  z.strictObject({
    give_up_after_s: whole(60, 30 * 86_400, 86_400).describe(
      'How long a message is tried, in seconds; a code is not tried any longer than it is good.',
    ),
    deadline_s: whole(1, 300, 10).describe('Longest time for one try of one message, in seconds.'),
    mail: z
      .strictObject(budget({ user: 50, client: 50_000, all: 100_000 }))
      .prefault({})
      .describe('Most mails in a day.'),
    sms: z
      .strictObject({
        ...budget({ user: 20, client: 10_000, all: 20_000 }),
        prefix_a_day: whole(1, 100_000_000, 10_000).describe('To numbers that begin alike.'),
        prefix_digits: whole(1, 15, 6).describe(
          'The digits that they have in common, those of the country among them.',
        ),
        prefixes: z
          .array(numberPrefix())
          .default([])
          .describe('What numbers that are sent to begin with, as in "+49"; empty: anything.'),
        country: z
          .string()
          .regex(/^[1-9][0-9]{0,3}$/, 'is no country code of 1 to 4 digits, as in "49"')
          .optional()
          .describe('The country code of numbers that name none; left out: they are sent to as they are.'),
      })
      .prefault({})
      .describe('Most SMS in a day, and where to.'),
    push: z
      .strictObject(budget({ user: 200, client: 100_000, all: 200_000 }))
      .prefault({})
      .describe('Most push messages in a day.'),
  }),
);

const settingName = madeAtNeed((z) =>
  z.string().regex(/^[A-Za-z][A-Za-z0-9]*\.[A-Za-z][A-Za-z0-9]*$/, 'is not of the form App.Name'),
);
const settingValue = madeAtNeed((z) => z.union([z.string(), z.boolean(), z.number().transform(String)]));
export const domainName = madeAtNeed((z) =>
  z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/, 'is not a name of 1 to 64 letters, digits, ".", "_" and "-"'),
);

const settings = madeAtNeed((z) => z.record(settingName(), settingValue()).default({}));

const network = madeAtNeed((z) =>
  z.string().refine(isNetwork, {
    error: 'is no address or network',
    params: { cure: 'write for example "192.168.1.5", "10.0.0.0/8" or "2001:db8::/32"' },
  }),
);

const requestSetting = madeAtNeed((z) =>
  z
    .string()
    .regex(
      /^(?:[A-Za-z][A-Za-z0-9]*\.)?[A-Za-z][A-Za-z0-9]*$/,
      'is not the name of a setting, with or without its application',
    ),
);

const clientName = madeAtNeed((z) =>
  z.string().refine(isClientName, {
    error: 'is no name of 1 to 128 characters, address or network in CIDR notation',
    params: { cure: 'write for example "VPN", "192.168.1.5" or "10.0.0.0/8"' },
  }),
);

/** concepts.md §3 */
export const clientPolicy = madeAtNeed((z) =>
  z.strictObject({
    settings: settings().describe('Settings of every login from here.'),
    default_domain: z.string().optional().describe('The domain of a login from here that names none.'),
    allowed_groups: z
      .array(dn())
      .default([])
      .describe('Only members of one of these groups log in from here; empty: everyone.'),
    excluded_groups: z.array(dn()).default([]).describe('Members of these groups do not log in from here.'),
    allowed_options: z
      .array(z.enum(['-LDAP', '-U2F']))
      .default([])
      .describe('Options with which a request from here may leave a factor out.'),
    addresses: z
      .array(network())
      .default([])
      .describe(
        'Addresses and networks whose callers are this client, whatever `client` a request names. Of several clients it is the one that names an address most narrowly.',
      ),
    allowed_settings: z
      .array(requestSetting())
      .optional()
      .describe(
        'Settings that requests of this client may set as they like, known by its key, certificate or address; others they may make stricter. By default all that a request may set where it is trusted, else none.',
      ),
    mode: z
      .enum(clientModes)
      .default('default')
      .describe(
        'Logins from here need one factor less or more than set, or are all refused; what an administrator sets by the Manager wins.',
      ),
    groups: z
      .array(z.strictObject({ group: dn(), settings: settings() }))
      .default([])
      .describe(
        'A list of `{group, settings}`: of logins from here by members of the group. The last one that fits wins.',
      ),
    networks: z
      .array(z.strictObject({ network: network(), settings: settings() }))
      .default([])
      .describe(
        'A list of `{network, settings}`: of logins from here by users in the network. The narrowest one wins.',
      ),
  }),
);

/** webservices.md §1 */
const webService = madeAtNeed((z) =>
  z.strictObject({
    enabled: z.boolean().default(true).describe('The service answers.'),
    require: z
      .enum(['none', 'api_key', 'certificate', 'either'])
      .default('none')
      .describe('What a calling system has to show.'),
    default_domain: z.string().optional().describe('The domain of a login here that names none.'),
  }),
);

const webApplication = madeAtNeed((z) =>
  z.strictObject({
    enabled: z.boolean().default(true).describe('Its pages are there.'),
    locked: z
      .boolean()
      .default(false)
      .describe('Nobody comes in but whom an administrator lets in for a while.'),
  }),
);

const apiKeyId = madeAtNeed((z) => z.string().regex(/^(?:0|[1-9][0-9]{0,14})$/, 'is not a number'));

const apiKey = madeAtNeed((z) =>
  z.strictObject({
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/, 'is not the SHA-256 of a key in 64 lower-case hexadecimal digits')
      .describe('SHA-256 of the 40 digits behind the underscore; `watchword-ws --make-api-key` makes both.'),
    services: z.array(word()).optional().describe('The web services that it opens; by default all of them.'),
    clients: z
      .array(network())
      .default([])
      .describe('Addresses and networks that it is good from; empty: everywhere.'),
    client: z
      .string()
      .optional()
      .describe('The client policy that it stands for, whatever `client` a request names.'),
  }),
);

const openIdClient = madeAtNeed((z) =>
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

const redirectUri = madeAtNeed((z) =>
  z.string().superRefine((text, issues) => {
    const wrong = wrongRedirectUri(text);
    if (!wrong) return;
    const { message, cure } = wrong;
    issues.addIssue({ code: 'custom', message, params: { cure } });
  }),
);

const accountName = madeAtNeed((z) =>
  z.string().regex(/^[^\p{Cc}]{1,128}$/u, 'is not a name of 1 to 128 characters'),
);

/** A line without options, whose first word is that of the key. */
function isSshKey(text: string): boolean {
  const [, type = '', base64 = ''] =
    /^(ssh-rsa|ssh-ed25519|ecdsa-sha2-nistp(?:256|384|521)) ([A-Za-z0-9+/]{60,4000}={0,2})(?: [^\p{Cc}]{0,200})?$/u.exec(
      text,
    ) ?? [];
  const blob = Buffer.from(base64, 'base64');
  return (
    type !== '' &&
    blob.readUInt32BE() === type.length &&
    blob.subarray(4, 4 + type.length).toString('latin1') === type
  );
}

const sshKey = madeAtNeed((z) =>
  z.string().refine(isSshKey, {
    error: 'is no public key in OpenSSH’s form',
    params: { cure: 'write the line of the .pub file, as ssh-keygen makes it' },
  }),
);

const smsAccount = madeAtNeed((z) =>
  z.strictObject({
    hash: z
      .string()
      .refine((text) => readScryptHash(text) !== undefined, {
        error: 'is no hash by scrypt of ln 14 to 18',
        params: { cure: 'have `watchword-ws --make-sms-account` make a password and its hash' },
      })
      .describe(
        'The password, hashed by scrypt as a PHC string; `watchword-ws --make-sms-account` makes both.',
      ),
  }),
);

/** A name, or all of them. */
const nameOrAll = madeAtNeed((z) => z.union([z.literal('*'), attribute()]));
const methodPattern = madeAtNeed((z) =>
  z.string().regex(/^[A-Za-z0-9_.*]{1,64}$/, 'is no method name, nor one with * for any part of it'),
);

/** The same, or a secret of user data. */
const nameOrDatum = madeAtNeed((z) =>
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

/** What a role grants and an option set leaves. */
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

/** Specification §5.1, rule 4 */
export const roleInterfaces = ['Manager', 'Portal'] as const;

export const role = madeAtNeed((z) =>
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

/** Specification §5.1, rule 2 */
export const optionSet = madeAtNeed((z) =>
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

const serviceShape = madeAtNeed((z) => ({
  dialect: z
    .enum(['standard', 'deployed'])
    .default('standard')
    .meta(interfaces('Answers by the standards, or as servers in the field do.')),
  names: z.record(z.string(), word()).default({}),
  limits: limits()
    .prefault({})
    .meta(interfaces('How much one request, one address and one user may ask for.')),
  messages: messages()
    .prefault({})
    .meta(
      messaging(
        'How long mails, SMS and push messages are tried, and how many go out in a day: what is asked for without a password stops at half of each number.',
      ),
    ),
  texts: z
    .record(languageTag(), ownTexts())
    .default({})
    .meta({
      ...messaging(
        'Texts of mails and SMS other than the usual ones, by language. What stands in braces is a variable. There are texts for en, fr, de and es.',
      ),
      examples: [{ en: { code_sms: 'Code for {client}: {code}' } }],
    }),
  default_language: languageTag()
    .default('en')
    .meta(messaging('The language of users whose entry names none that there are texts for.')),
  log_unknown_names: z
    .boolean()
    .default(false)
    .meta(
      operation(
        'The log and the event log show login names that nobody has, up to 64 characters of them; else a digest, because people type passwords there.',
      ),
    ),
  ws_url: webAddress().meta(
    interfaces(
      'Where clients reach the web services, for WSDL and QR codes; by default the address of ws, on localhost if it listens on no particular host.',
    ),
  ),
  wsdl_address: z
    .enum(['ws_url', 'caller'])
    .optional()
    .meta(
      interfaces(
        'Which address WSDL and index name: that of ws_url, or the host that the caller asked, which a reverse proxy may hide. By default ws_url where it is set, else the host that was asked.',
      ),
    ),
  manager_url: webAddress().meta(
    interfaces(
      'Where clients reach the Manager, for the short addresses in QR codes; by default as ws_url, of manager.',
    ),
  ),
  manager_auth: managerModes()
    .optional()
    .meta(
      administrators(
        'How administrators log in to the Manager: with a DN, a login name, or a client certificate; the password as well. By default as auth_mode says, else UID.',
      ),
    ),
  auth_mode: managerModes().optional().meta(administrators('How administrators log in to the Admin Portal.')),
  admin_auth: portalModes()
    .optional()
    .meta(
      administrators(
        'What the Admin Portal login wants: the password, and a login name (UID), a DN, a client certificate (PKI), a one-time password (OTP), a security key (U2F), or one of the last two (MFA). By default as auth_mode says, else as manager_auth.',
      ),
    ),
  admin_session: whole(60, 28_800, 900).meta(
    administrators(
      'Seconds after its last request that a session of the Admin Portal ends; after 8 hours it ends in any case.',
    ),
  ),
  manager_session: whole(0, 86_400, 0).meta(
    administrators('Longest life of an administrator session in seconds; 0: no sessions.'),
  ),
  manager_clients: z
    .array(client())
    .default([])
    .meta(administrators('Host names, addresses and networks that may use the Manager; empty: all.')),
  manager_origins: z
    .array(origin())
    .default([])
    .meta({
      ...administrators(
        'Origins whose pages may call the Manager by script (CORS), with cookies and logins; empty: none but its own.',
      ),
      examples: [['https://portal.example.com']],
    }),
  super_admins: z
    .array(dn())
    .default([])
    .meta(administrators('DNs of the users, and of the groups whose members, administer everything.')),
  reset_links_for_administrators: z
    .boolean()
    .default(false)
    .meta(
      administrators(
        'Administrators, by `super_admins` or by a role, may ask for a link to set a lost password, as other users may; false: another administrator sends one. With true, the mailbox of an administrator without a second factor is enough to become one.',
      ),
    ),
  roles: z
    .record(domainName(), role())
    .default({})
    .meta({
      ...administrators(
        'Administrators with less than all rights, by the names of their roles: who they are, and what they may do where. In `read` and `write`, `*` is every attribute but those of passwords, and no secret of user data.',
      ),
      examples: [
        {
          helpdesk: {
            members: ['cn=helpdesk,ou=groups,dc=example,dc=com'],
            methods: ['*_User_DN', '*_User_Attrs', '*_User_Password', 'Otp.Block_*'],
            subtrees: ['ou=people,dc=example,dc=com'],
            write: ['userPassword', 'webadmData'],
          },
        },
      ],
    }),
  option_sets: z
    .record(domainName(), optionSet())
    .default({})
    .meta({
      ...administrators(
        'Restrictions of subtrees by their names: for all administrators, super administrators too.',
      ),
      examples: [
        {
          archive: { subtree: 'ou=former,dc=example,dc=com', restricts: ['entries'], write: [], create: [] },
        },
      ],
    }),
  domains: z
    .record(domainName(), domain())
    .refine((map) => Object.keys(map).length > 0, {
      error: 'names no domain',
      params: { cure: 'write at least one, as in "Default: {base: ...}"' },
    })
    .meta({
      ...directories('Names that users log in with, and where in the directory their users stand.'),
      examples: [{ Default: { base: 'dc=example,dc=com' } }],
    }),
  default_domain: z
    .string()
    .optional()
    .meta(directories('The domain of a login without one; by default "Default", else the first.')),
  stores: z
    .enum(['shared', 'separate'])
    .default('shared')
    .meta(
      directories(
        'Whether all servers in front of a directory share one data folder. With separate each may have its own, and every one-time password is noted on the entry of its user, so that no two of them take the same one.',
      ),
    ),
  schema: roles()
    .prefault({})
    .meta(directories('What the classes and attributes of this directory are for.')),
  settings: settings().meta(
    inGroup('Applications')('Defaults of the applications, overridden for the whole installation.'),
  ),
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
    .regex(/^[a-z][a-z0-9+.-]{0,31}$/, 'is no scheme of an address, in small letters')
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
          'is no domain in small letters',
        )
        .describe(
          'The domain of the pages that people log in at. Devices are bound to it: with another one, all have to be registered again.',
        ),
      name: z.string().min(1).max(64).optional().describe('As browsers show it; by default the domain.'),
      origins: z
        .array(origin())
        .default([])
        .describe('The pages that may ask for devices; empty: all of the domain, and below it, over HTTPS.'),
    })
    .optional()
    .meta({
      ...callers(
        'Whom FIDO2 devices log in to (WebAuthn): security keys and passkeys. Left out: nobody logs in with one.',
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
        'Public keys of administrators, in OpenSSH’s form: systems that ask the web service sshkey for the keys of a user are told them too, whoever the user is and whether there is such a user.',
      ),
      examples: [
        ['ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKrih2CslPF8ZUj42zD5N3GRmS6dDqgD8mWX2VvhsBYc root@safe'],
      ],
    }),
  ssh_recordings: z
    .strictObject({
      session_mb: whole(1, 10_000, 20).describe('Megabytes of one session.'),
      user_mb: whole(1, 1_000_000, 200).describe(
        'Megabytes of all sessions of one user, who would otherwise leave no room for those of others.',
      ),
      total_mb: whole(1, 1_000_000, 2000).describe('Megabytes of all sessions.'),
      days: whole(1, 3650, 90).describe('Days for which a recording is kept.'),
    })
    .prefault({})
    .meta(
      callers(
        'How much is kept of what SSH sessions show (`SshKey.RecordSessions`), and for how long. A part counts for a kilobyte at least.',
      ),
    ),
}));

const ldap = madeAtNeed((z) =>
  z.strictObject({
    type: z.literal('ldap').describe('OpenLDAP, Active Directory or another LDAP server.'),
    urls: z
      .array(
        z.string().refine(isDirectoryUrl, {
          error: 'is not an LDAP URL',
          params: { cure: 'write "ldaps://host" or "ldaps://host:port"' },
        }),
      )
      .min(1)
      .describe('The servers, the one to be used first in front.'),
    start_tls: z.boolean().default(false).describe('Turn TLS on after connecting to ldap:// URLs.'),
    ca: file().optional().describe('PEM file of the certificate authorities that vouch for the servers.'),
    allow_plain: z
      .boolean()
      .default(false)
      .describe('Allow connections without TLS: passwords cross the network in clear.'),
    bind_dn: dn().describe('The identity that the service finds users with.'),
    bind_password: secret().optional().describe('Its password; better in bind_password_file.'),
    bind_password_file: file().optional().describe('File with the password of bind_dn.'),
    base: dn().describe('The DN that the directory begins at.'),
    vendor: z
      .enum(['auto', 'openldap', 'active-directory'])
      .default('auto')
      .describe('The kind of server; auto asks it.'),
    timeout_s: whole(1, 600, 10).describe('Longest time for one operation, in seconds.'),
    connections: whole(1, 256, 4).describe('Connections that the service keeps open.'),
  }),
);

const embedded = madeAtNeed((z) =>
  z.strictObject({
    type: z.literal('embedded').describe('The directory that comes with the product.'),
    base: dn().describe('The DN that the directory begins at.'),
    password_min_length: z
      .int()
      .min(1)
      .max(128)
      .default(8)
      .describe('Characters that a new password has at least. What is set before stays as it is.'),
    refuse_common_passwords: z
      .boolean()
      .default(true)
      .describe('Refuse new passwords that are on a list of the most common ones.'),
  }),
);

const embeddedStore = madeAtNeed((z) =>
  z.strictObject({ type: z.literal('embedded').describe('In the folder data: one machine.') }),
);

const postgresHost = madeAtNeed((z) =>
  z.string().refine(isHostAndPort, {
    error: 'is no host, nor host:port',
    params: { cure: 'write for example "db1.example.com", "10.0.0.7:5432" or "[2001:db8::7]:5432"' },
  }),
);

const postgresStore = madeAtNeed((z) =>
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

const listener = (port: number) =>
  zod().strictObject({
    host: zod().string().min(1).default('127.0.0.1').describe('The address to listen on.'),
    port: whole(0, 65_535, port).describe('The port to listen on; 0 takes a free one.'),
    certificate: file().optional().describe('PEM file of the server certificate, intermediates behind it.'),
    key: file().optional().describe('PEM file of its private key.'),
  });

const webListener = (port: number) =>
  listener(port).extend({
    client_ca: file()
      .optional()
      .describe(
        'PEM file of the authority of client certificates, where a service demands them; by default that of data.',
      ),
  });

const portNumber = () => zod().int().min(0).max(65_535);

const ldapDoor = madeAtNeed((z) =>
  z
    .strictObject({
      host: z.string().min(1).default('127.0.0.1').describe('The address to listen on.'),
      ldaps_port: portNumber()
        .optional()
        .describe('The port of `ldaps://`, 636 as a rule; 0 takes a free one.'),
      port: portNumber()
        .optional()
        .describe('The port of `ldap://` with StartTLS, 389 as a rule; 0 takes a free one.'),
      client: z
        .string()
        .min(1)
        .max(64)
        .optional()
        .describe('The client policy of logins here, where the address that they come from has none.'),
    })
    .refine(({ ldaps_port, port }) => ldaps_port !== undefined || port !== undefined, {
      error: 'has no port',
      params: { cure: 'write ldaps_port: 636, or port: 389 for StartTLS' },
    }),
);

const certificateAuthority = madeAtNeed((z) =>
  z.strictObject({
    key_type: z
      .enum(['P-256', 'RSA-2048', 'RSA-3072', 'RSA-4096'])
      .default('P-256')
      .describe('The kind of key, of an authority that is made at the first start.'),
    certificate: file()
      .optional()
      .describe('PEM file of the certificate of an authority that is there already.'),
    key: file().optional().describe('PEM file of its private key.'),
  }),
);

/** RFC 9110 §5.1 */
const headerName = madeAtNeed((z) =>
  z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/, 'is not the name of a header'),
);

const proxyHeaders = madeAtNeed((z) =>
  z.strictObject({
    address: headerName()
      .default('X-Forwarded-For')
      .describe("The header with the client's address; the rightmost one that is no proxy's counts."),
    certificate: headerName()
      .optional()
      .describe(
        "The header with the client's certificate (RFC 9440, or PEM); only for proxies that overwrite the one of a client.",
      ),
  }),
);

const license = madeAtNeed((z) =>
  z.strictObject({
    file: file().optional().describe('JSON file of a signed licence.'),
    key: file()
      .optional()
      .describe('PEM file of the public key, or of a certificate, of whoever issues licences.'),
  }),
);

const log = madeAtNeed((z) =>
  z.strictObject({
    level: z
      .enum(['info', 'warn', 'error', 'silent'])
      .default('info')
      .describe('The least important lines to write.'),
    format: z.enum(['json', 'text']).default('text').describe('One JSON object a line, or text to read.'),
  }),
);

/** The ports of the bundled servers, which an embedding program's addresses are taken to have too. */
export const ports = { manager: 4443, ws: 8443 } as const;

const serverShape = madeAtNeed((z) => ({
  directory: z.discriminatedUnion('type', [ldap(), embedded()]).meta({
    ...directories('Where users and groups are kept.'),
    examples: [{ type: 'embedded', base: 'dc=example,dc=com' }],
  }),
  directories: z
    .record(domainName(), z.discriminatedUnion('type', [ldap(), embedded()]))
    .default({})
    .meta({
      ...directories(
        'More directories, by names of your own. Which one an entry is in, and so a domain, is known by their bases. Administrators work in others than their own with the rights of its bind_dn.',
      ),
      examples: [
        {
          branch: {
            type: 'ldap',
            urls: ['ldaps://ad.branch.example'],
            bind_dn: 'cn=watchword,cn=Users,dc=branch,dc=example',
            bind_password_file: '/etc/watchword/branch-password',
            base: 'dc=branch,dc=example',
          },
        },
      ],
    }),
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
  manager: listener(ports.manager).prefault({}).meta(interfaces('Where the Manager server listens.')),
  ws: webListener(ports.ws).prefault({}).meta(interfaces('Where the web-service server listens.')),
  ldap_door: ldapDoor()
    .optional()
    .meta({
      ...interfaces(
        'Where applications log users in by an LDAP bind with the password and the code in one. Left out: nowhere.',
      ),
      examples: [{ host: '0.0.0.0', ldaps_port: 636, client: 'ldap' }],
    }),
  reverse_proxies: z
    .array(network())
    .default([])
    .meta({
      ...interfaces('Addresses and networks of reverse proxies, whose headers say who the client is.'),
      examples: [['10.0.0.5', '2001:db8::/64']],
    }),
  proxy_headers: proxyHeaders()
    .prefault({})
    .meta(interfaces('The headers of reverse_proxies that are believed; from elsewhere none is.')),
  mail: mailGateway()
    .optional()
    .meta({
      ...messaging('The mail server that codes and messages go out by; left out: no mail is sent.'),
      examples: [
        {
          type: 'smtp',
          host: 'mail.example.com',
          user: 'watchword',
          password_file: '/etc/watchword/mail-password',
          from: 'login@example.com',
        },
      ],
    }),
  sms: smsGateway()
    .optional()
    .meta({
      ...messaging('The gateway that SMS go out by; left out: none is sent.'),
      examples: [
        {
          type: 'http',
          url: 'https://gateway.example.com/messages',
          headers: { Authorization: 'Bearer {secret}' },
          json: { to: '{to}', text: '{text}' },
          secret_file: '/etc/watchword/sms-secret',
          id_header: 'Idempotency-Key',
        },
      ],
    }),
  push: pushGateway()
    .optional()
    .meta({
      ...messaging('The gateway that push messages go out by; left out: none is sent.'),
      examples: [
        {
          type: 'http',
          url: 'https://push.example.com/{platform}',
          json: { device: '{device}', title: '{title}', body: '{body}', data: '{data}' },
        },
      ],
    }),
  yubico: yubicoServers()
    .optional()
    .meta({
      ...callers(
        'The servers that judge codes of Yubikeys by the Yubico Validation Protocol 2.0; left out: only Yubikeys whose secret is registered here log in.',
      ),
      examples: [{ client_id: 12345, key_file: '/etc/watchword/yubico-key' }],
    }),
  event_log_days: whole(0, 36_500, 365).meta(
    operation('How long the event log keeps an event, in days; 0: for good.'),
  ),
  log: log().prefault({}).meta(operation('What is logged, and how.')),
}));

export const serviceSchema = madeAtNeed((z) => z.strictObject(serviceShape()));
export const serverSchema = madeAtNeed((z) => z.strictObject({ ...serviceShape(), ...serverShape() }));

/** The words of the applications in place of any. */
const namedOf = (vocabulary: Vocabulary) => ({
  names: namesOf(vocabulary)
    .prefault({})
    .meta(interfaces('Our words for applications and services, and what this installation calls them.')),
});

const wordsOf = ({ applications }: Vocabulary): string =>
  JSON.stringify(Object.values(applications).map(({ name, service, isServed }) => [name, service, isServed]));

export const serviceSchemaOf = madeAtNeedOf(wordsOf, (_, vocabulary) =>
  serviceSchema().extend(namedOf(vocabulary)),
);
export const serverSchemaOf = madeAtNeedOf(wordsOf, (_, vocabulary) =>
  serverSchema().extend(namedOf(vocabulary)),
);
