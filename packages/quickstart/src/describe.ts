/** The text that is printed when the quick start runs, in words or as JSON. */
import { qrText, version } from '@watchword/core';
import { curlLines, type Story } from './curl.ts';
import type { Person, QuickStart } from './people.ts';
import { command } from './shell.ts';

export interface TextOptions {
  /** Whether escapes set the colours of the QR code, so that it is right on every terminal. */
  readonly colours: boolean;
}

export function describeText(story: Story, options: TextOptions): string {
  return [
    ...tellToken(story, options),
    `Watchword ${version} is running.`,
    '',
    ...tellPlaces(story),
    '',
    'Try it (it finds a user):',
    '',
    `  ${curlLines(story).manager}`,
    '',
    ...tellLogins(story),
    '',
    ...tellCertificate(story),
    '',
    'Ctrl-C ends it.',
  ].join('\n');
}

/** The same for a program; `uri` is there with the first start only, as the QR code is. */
export function describeJson(story: Story): string {
  const { manager: curl, logins } = curlLines(story);
  const { facts, uri, messages, ldap } = story;
  return JSON.stringify({ ...facts, curl, ...logins, uri, messages, ldap }, null, 2);
}

/** Shows the token, only at the start that makes it: afterwards the space is needed. */
function tellToken({ uri, facts }: Story, options: TextOptions): readonly string[] {
  if (uri === undefined) return [];
  const name = facts.users.find(({ token }) => token)?.username;
  const title = `Scan this with an authenticator app, which then shows the one-time passwords of ${name}:`;
  return [title, '', qrText(uri, options)];
}

function tellPlaces({ facts, data, messages, ldap, portalAuth }: Story): readonly string[] {
  const names = facts.users.map(({ username }) => username).join(', ');
  const rows = [
    [
      'Admin Portal',
      `${facts.portal_url}   for a browser: ${facts.admin.username}, with ${wanted[portalAuth]}`,
    ],
    ['Manager', `${facts.manager_url}   JSON-RPC 2.0`],
    ['Web services', `${facts.ws_url}   SOAP and REST`],
    ['Self-service', `${new URL('/self/', facts.ws_url).href}   for a browser: everybody's own page`],
    ...ldap.map((url) => ['LDAP', `${url}   logins by a bind`] as const),
    ['Directory', `embedded, in ${data}`],
    ['Administrator', `${facts.admin.username}   ${passwordOf(facts.admin)}`],
    ['Demo users', `${names}   passwords and a token in ${fileIn(data)}`],
    ...(messages === undefined
      ? []
      : [['Messages', `${messages}   mails and SMS reach nobody: for trying out only`] as const]),
  ] as const;
  return [...rows.map(([name, value]) => `  ${name.padEnd(14)} ${value}`), ...tellChanged(facts, data)];
}

/** Factors that the quick start's administrator has, by `admin_auth`: codes go by SMS to the messages page. */
const wanted: Readonly<Record<Story['portalAuth'], string>> = {
  UID: 'the password below',
  DN: 'the DN of quickstart.json and the password below',
  PKI: 'the certificate in the browser, and the password below',
  OTP: 'the password below and a code of a token, or by SMS',
  MFA: 'the password below and a code of a token, by SMS, or a security key',
  U2F: 'the password below and a security key that the Manager has registered',
};

const fileIn = (data: string): string => `${data}/quickstart.json`;

const passwordOf = ({ password }: Person): string =>
  password === undefined ? 'password changed since the first start' : `password ${password}`;

/** Names users whose password was changed since the first start, and the cure when it is lost. */
function tellChanged({ admin, users }: QuickStart, data: string): readonly string[] {
  const changed = [admin, ...users].filter(({ password }) => password === undefined);
  if (changed.length === 0) return [];
  const names = changed.map(({ username }) => username).join(', ');
  return [
    '',
    `Passwords that were changed since the first start are not shown: ${names}. Where one is lost, remove`,
    `${fileIn(data)} and start again: everybody here gets a new one, and a new token.`,
  ];
}

/** Enrolment comes before the Manager is closed to those without. */
function tellCertificate({ certificate, data }: Story): readonly string[] {
  const line = `  ${command('npm', 'run', '-s', 'enroll-admin-certificate', '--', `${data}/quickstart.json`)}`;
  if (!certificate)
    return [
      'A certificate for the administrator, which the Manager may then demand (manager_auth: PKI):',
      '',
      line,
    ];
  if (certificate.isThere)
    return ['The Manager demands the administrator’s certificate (manager_auth: PKI).'];
  return [
    `The Manager demands a certificate of the administrator (manager_auth: PKI), and there is none in ${data}.`,
    'To have one, set manager_auth: UID, start again, and run:',
    '',
    line,
  ];
}

function tellNoLogin({ facts, data }: Story): readonly string[] {
  const holder = facts.users.find(({ token }) => token);
  if (holder) return [`To log in, ${holder.username} needs the new password.`];
  return [
    'No demo user has a token: an earlier version has made this folder. To have one, and new passwords, remove',
    `${fileIn(data)} and start again.`,
  ];
}

function tellLogins(story: Story): readonly string[] {
  const { logins } = curlLines(story);
  if (!logins) return tellNoLogin(story);
  return [
    'Log in over REST, then over SOAP. A code is good once, these two for about a minute. Later, put in the one that',
    `your authenticator app shows, or that this prints:  ${logins.code}`,
    '',
    `  ${logins.rest}`,
    '',
    `  ${logins.soap}`,
    ...tellSms(story),
  ];
}

/** Shows the login of a user without a token. */
function tellSms({ facts, messages }: Story): readonly string[] {
  const user = facts.users.find(({ token, password }) => token === undefined && password !== undefined);
  if (messages === undefined || !user) return [];
  return [
    '',
    `${user.username} has no token: a login with the password alone sends a code by SMS. See it at ${messages}`,
  ];
}
