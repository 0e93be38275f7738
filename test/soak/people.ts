/** The users of the soak, as LDIF: passwords, token secrets and codes follow from a user's number. */
import { createHash } from 'node:crypto';
import type { KeyRing } from '@watchword/core';
import { codeAt, secretOf } from '../login/people.ts';

/** Groups of users: a login that fails in one group locks nobody of another out. */
export const groups = { code: 6000, wrong: 3000, challenge: 3000, session: 500, password: 500 } as const;

export type GroupName = keyof typeof groups;

export const nameOf = (group: GroupName, number: number): string => `${group}${number % groups[group]}`;
export const passwordOf = (username: string): string => `password of ${username}`;

/** In seconds, RFC 6238. */
const step = 30;

/** The codes of users that have not been shown yet. */
export class FreshCodes {
  readonly #last = new Map<string, number>();

  /** @returns the code of this time step, or of the next one; undefined while both are used */
  next(username: string): string | undefined {
    const now = Math.floor(Date.now() / 1000 / step);
    const at = Math.max(now, (this.#last.get(username) ?? 0) + 1);
    if (at > now + 1) return undefined;
    this.#last.set(username, at);
    return codeAt(at, secretOf(username));
  }
}

/** The administrator of the servers, and whom they read as: startSlapd() knows them by these. */
const others = [
  { cn: 'administrator', password: 'Adm1nistrator!' },
  { cn: 'reader', password: 'R3ad-only!' },
];

/** @yields the entries below `base`, tokens sealed by the key ring of the servers */
export function* entries(base: string, keys: Pick<KeyRing, 'seal'>): Iterable<string> {
  yield record(base, ['objectClass: organization', 'objectClass: dcObject', 'o: Example', 'dc: example']);
  yield record(`ou=people,${base}`, ['objectClass: organizationalUnit', 'ou: people']);
  for (const { cn, password } of others) {
    const classes = ['objectClass: inetOrgPerson', `cn: ${cn}`, `sn: ${cn}`];
    yield record(`cn=${cn},ou=people,${base}`, [...classes, `userPassword: ${ssha(password)}`]);
  }
  let id = 0;
  for (const [group, count] of Object.entries(groups)) {
    const from = id;
    id += count;
    const names = Array.from({ length: count }, (_, at) => `${group}${at}`);
    yield names.map((name, at) => userRecord(name, { base, keys, id: from + at })).join('');
  }
  yield* teams(base);
}

/** Teams that users are in, two each, and one group above each ten of them. */
const teamCount = 1300;

function* teams(base: string): Iterable<string> {
  const inside = `ou=groups,${base}`;
  yield record(inside, ['objectClass: organizationalUnit', 'ou: groups']);
  const users = Object.entries(groups).flatMap(([group, count]) =>
    Array.from({ length: count }, (_, at) => `uid=${group}${at},ou=people,${base}`),
  );
  const group = (cn: string, members: readonly string[]) =>
    record(`cn=${cn},${inside}`, [
      ...['objectClass: groupOfNames', 'objectClass: webadmGroup', `cn: ${cn}`],
      ...['webadmSettings: Otp.MaxTries=20', ...members.map((member) => `member: ${member}`)],
    ]);
  for (let team = 0; team < teamCount; team += 1) {
    const isIn = (at: number) => at % teamCount === team || (at * 7 + 3) % teamCount === team;
    yield group(
      `team${team}`,
      users.filter((_, at) => isIn(at)),
    );
  }
  for (let above = 0; above < teamCount / 10; above += 1) {
    const members = Array.from({ length: 10 }, (_, at) => `cn=team${10 * above + at},${inside}`);
    yield group(`department${above}`, members);
  }
}

interface Place {
  readonly base: string;
  readonly keys: Pick<KeyRing, 'seal'>;
  readonly id: number;
}

function userRecord(name: string, { base, keys, id }: Place): string {
  const uuid = `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`;
  const sealed = Buffer.from(keys.seal(secretOf(name), `${uuid}:Otp.TokenKey`)).toString('base64');
  const type = Buffer.from('TOTP').toString('base64');
  return record(`uid=${name},ou=people,${base}`, [
    ...['objectClass: inetOrgPerson', 'objectClass: webadmAccount', `entryUUID: ${uuid}`],
    ...[`uid: ${name}`, `cn: ${name}`, `sn: ${name}`, `mail: ${name}@example.org`],
    `userPassword: ${ssha(passwordOf(name))}`,
    `webadmData: Otp.TokenType=${type},Otp.TokenKey={wcrypt}${sealed}`,
  ]);
}

const record = (dn: string, lines: readonly string[]): string => [`dn: ${dn}`, ...lines, '', ''].join('\n');

/** `{SSHA}` of RFC 2307, as slapd judges it fast. */
function ssha(password: string): string {
  const salt = 'some-salt';
  const digest = createHash('sha1').update(password).update(salt).digest();
  return `{SSHA}${Buffer.concat([digest, Buffer.from(salt)]).toString('base64')}`;
}
