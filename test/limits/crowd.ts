/** The people of a random run: one of each kind, names that nobody has, and how they are spelled. */

import type { Mode } from './oracle/oracle-attempt.ts';
import type { Authenticator, Person } from './oracle/oracle-people.ts';

export interface Member {
  readonly person: Person;
  readonly mode: Mode;
  /** Settings beside those of the person. */
  readonly settings: Readonly<Record<string, string>>;
}

const secret = (n: number) => Buffer.alloc(20, n + 1);
const totp = (n: number): Authenticator => ({
  type: 'TOTP',
  key: 'token',
  digits: 6,
  secret: secret(n),
  accepted: -1,
});
const hotp = (n: number): Authenticator => ({
  type: 'HOTP',
  key: 'token',
  digits: 6,
  secret: secret(n),
  next: 0,
});
const list = (n: number): Authenticator => ({
  type: 'LIST',
  key: 'list',
  digits: 8,
  secret: secret(n),
  size: 100,
  used: [],
});
const emergency = (): Authenticator => ({
  type: 'EMERGENCY',
  key: 'emergency',
  digits: 0,
  text: 'help me 48',
  uses: 1000,
});

const kinds: readonly {
  mode: Mode;
  has: (n: number) => Authenticator[];
  limits?: readonly [number, number];
  settings?: object;
}[] = [
  { mode: 'LDAPOTP', has: (n) => [totp(n)] },
  { mode: 'LDAP', has: (n) => [hotp(n)] },
  { mode: 'OTP', has: (n) => [totp(n)] },
  { mode: 'LDAPOTP', has: (n) => [list(n)], settings: { 'Otp.OTPType': 'LIST' } },
  { mode: 'LDAPOTP', has: (n) => [emergency(), hotp(n)], limits: [3, 60] },
  { mode: 'LDAPOTP', has: (n) => [totp(n)], limits: [1, 0] },
  { mode: 'LDAP', has: (n) => [totp(n)], limits: [8, 172_800] },
];

/** @param name that is its own in the directory */
export const makeCrowd = (nameOf: (n: number) => string): readonly Member[] => [
  ...kinds.map(
    ({ mode, has, limits: [maxTries, blockTime] = [5, 300], settings = {} }, n): Member => ({
      person: { name: nameOf(n), password: `Pa55word of ${nameOf(n)}`, has: has(n), maxTries, blockTime },
      mode,
      settings: { 'Otp.LoginMode': mode, ...settings },
    }),
  ),
  { person: nobody(nameOf(kinds.length)), mode: 'LDAPOTP', settings: {} },
];

/** Nobody has anything: the presets hold. */
const nobody = (name: string): Person => ({
  name,
  password: undefined,
  has: [],
  maxTries: 5,
  blockTime: 300,
});

/** Every spelling of a name is one user. */
export const spell = (name: string, how: number): string =>
  [name, name.toUpperCase(), `DEFAULT\\${name}`, `default\\${name.toUpperCase()}`][how] ?? name;
