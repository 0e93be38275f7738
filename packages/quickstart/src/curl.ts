/** Commands to type: calls of both servers with curl. */
import type { ServerConfig } from '@watchword/core';
import type { AdminCertificate } from './admin-certificate.ts';
import type { DemoToken } from './demo-token.ts';
import type { DemoUser, QuickStart } from './people.ts';
import { command } from './shell.ts';
import { nextCodes } from './token.ts';

export interface Story {
  readonly facts: QuickStart;
  /** Undefined: the Manager wants none. */
  readonly certificate: AdminCertificate | undefined;
  /** The sign-in mode of the Admin Portal. */
  readonly portalAuth: ServerConfig['admin_auth'];
  /** The data folder. */
  readonly data: string;
  /** The URI of a new token. */
  readonly uri: string | undefined;
  /** The page that shows sent messages; undefined: they go to a gateway, or nowhere. */
  readonly messages: string | undefined;
  /** Addresses that accept LDAP binds; none: no LDAP door. */
  readonly ldap: readonly string[];
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface CurlLines {
  /** A call of the Manager. */
  readonly manager: string;
  /** Undefined: nobody has a token and a password that is known. */
  readonly logins: Logins | undefined;
}

/** Two logins with a code each, to be pasted in this order, and a command that prints the code of the moment. */
export interface Logins {
  readonly rest: string;
  readonly soap: string;
  readonly code: string;
}

export function curlLines({ facts, certificate, now }: Story): CurlLines {
  const user = facts.users.find(hasBothFactors);
  return { manager: managerLine(facts, certificate), logins: user && loginLines(facts, user, now) };
}

function managerLine(
  { admin, ca, manager_url, users }: QuickStart,
  certificate: AdminCertificate | undefined,
): string {
  const params = { username: users[0]?.username, domain: users[0]?.domain };
  const call = JSON.stringify({ jsonrpc: '2.0', method: 'Get_User_DN', params, id: 1 });
  return command(
    'curl',
    '--cacert',
    ca,
    ...(certificate ? ['--cert', certificate.certificate, '--key', certificate.key] : []),
    '-u',
    // Without the password curl asks for it.
    admin.password === undefined ? admin.username : `${admin.username}:${admin.password}`,
    '-d',
    call,
    manager_url,
  );
}

type TokenHolder = DemoUser & Required<Pick<DemoUser, 'password' | 'token'>>;

const hasBothFactors = (user: DemoUser): user is TokenHolder =>
  user.password !== undefined && user.token !== undefined;

function loginLines({ ca, ws_url }: QuickStart, user: TokenHolder, now: number): Logins {
  const { username, domain, password: ldapPassword, token } = user;
  const [first, second] = nextCodes(token, now);
  const form = new URLSearchParams({ username, domain, ldapPassword, otpPassword: first }).toString();
  const body = envelope({ username, domain, ldapPassword, otpPassword: second });
  return {
    rest: command('curl', '--cacert', ca, '-d', form, `${ws_url}otp/json/otpNormalLogin/`),
    soap: command('curl', '--cacert', ca, '-H', 'Content-Type: text/xml', '-d', body, `${ws_url}otp/`),
    code: codeLine(token),
  };
}

function envelope(fields: Readonly<Record<string, string>>): string {
  const parts = Object.entries(fields).map(([name, value]) => `<${name}>${value}</${name}>`);
  const operation = `<n:otpNormalLogin xmlns:n="urn:otp">${parts.join('')}</n:otpNormalLogin>`;
  return `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body>${operation}</e:Body></e:Envelope>`;
}

const codeLine = ({ secret, algorithm, digits, period }: DemoToken): string =>
  command('oathtool', `--totp=${algorithm}`, '-d', String(digits), '-s', `${period}s`, '-b', secret);
