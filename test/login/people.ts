/** A user with a token of known secret, on an embedded directory, whom the doors can log in. */
import { createHmac } from 'node:crypto';
import type { Fixture, FixtureOptions } from '@watchword/core/testing/bed';
import { isActiveDirectory } from '../../packages/core/src/testing/bed/stage.ts';

export { isActiveDirectory };

const secret = Buffer.from('a secret of 20 bytes');
/** As the methods that register a token take it. */
export const key = secret.toString('base64');

/** One for each user: a code that one user has used is used for all that have the secret. */
export const secretOf = (username: string): Buffer => Buffer.from(username.padEnd(20, '.'));

/** RFC 4226 §5.3, written here a second time, so that the tests do not ask the code under test what is right. */
export function codeAt(counter: number, key: Uint8Array = secret, digits = 6): string {
  const message = Buffer.alloc(8);
  message.writeBigUInt64BE(BigInt(counter));
  const digest = createHmac('sha1', key).update(message).digest();
  const offset = (digest[19] ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 10 ** digits).padStart(digits, '0');
}

export const codeNow = (fixture: Fixture): string => codeAt(Math.floor(fixture.clock.now() / 30_000));

/** Where the doors of the tests call from: what a request may say is tested in `request.test.ts`. */
export const doorAddresses = ['192.0.2.1', '127.0.0.1'];

/** The limits out of the way: they have tests of their own. A list is taken where there is no token. */
export const withoutLimits: FixtureOptions = {
  config: {
    // Whoever is believed tells where its users are, and has no counter of its own.
    ...{ trusted_callers: doorAddresses, request_settings: doorAddresses },
    limits: { login_failure_delay_ms: 0 },
    settings: { 'Otp.MaxTries': '1000000', 'Otp.OTPFallback': 'LIST' },
  },
};

export const dnOf = (fixture: Pick<Fixture, 'base'>, username: string): string =>
  `${isActiveDirectory ? 'cn' : 'uid'}=${username},ou=people,${fixture.base}`;

/** Returns the rows that are played over a door: all, or on Active Directory, which takes its time, each row over one of the doors. */
export const rowsOver = <Row>(
  name: string,
  names: readonly string[],
  rows: readonly Row[],
): readonly Row[] =>
  isActiveDirectory ? rows.filter((_, index) => names[index % names.length] === name) : rows;

/** An activated user, with a password if it is to have one. */
export const addUser = (fixture: Fixture, username: string, userpassword?: string): Promise<void> =>
  addPerson(fixture, username, userpassword === undefined ? {} : { userpassword });

/** An activated user with other attributes than the usual ones, or more of them. */
export async function addPerson(
  fixture: Fixture,
  username: string,
  { classes = [], ...given }: PersonAttributes,
): Promise<void> {
  const own = isActiveDirectory ? { samaccountname: username } : { cn: username, sn: username };
  const objectclass = [isActiveDirectory ? 'user' : 'inetOrgPerson', 'webadmAccount', ...classes];
  const attrs = { objectclass, ...own, ...given };
  await done(fixture, 'Create_LDAP_Object', { dn: dnOf(fixture, username), attrs });
}

/** Attributes, and classes beside the usual ones. */
interface PersonAttributes {
  readonly classes?: readonly string[];
  readonly [attribute: string]: string | readonly string[] | undefined;
}

/** Gives a user data as they stand on the entry: `{TokenType: 'TOTP'}`. */
export async function give(
  fixture: Fixture,
  username: string,
  data: Readonly<Record<string, string | Uint8Array>>,
): Promise<void> {
  const encoded = Object.entries(data).map(([key, value]) => [
    `Otp.${key}`,
    Buffer.from(value).toString('base64'),
  ]);
  await done(fixture, 'Set_User_Data', { dn: dnOf(fixture, username), data: Object.fromEntries(encoded) });
}

/** Calls a method of the Manager as the administrator. @throws Error if it is refused */
export async function done({ call }: Fixture, method: string, params: object): Promise<unknown> {
  const { result, error } = await call(method, params);
  if (error) throw new Error(`${method}: ${error.data}`);
  return result;
}

export const token = (type: 'HOTP' | 'TOTP') => ({ TokenType: type, TokenKey: secret, TokenState: '0' });
