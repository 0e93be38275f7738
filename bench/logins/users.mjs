/**
 * Who logs in: users whose passwords, token secrets and codes follow from their numbers, so that the load and the
 * reference know them without being told. Their entries are as a registration leaves them, secrets sealed.
 */
import { createHash, createHmac } from 'node:crypto';

export const base = 'dc=example,dc=org';

/** Seconds of a time step; digits are 6 (RFC 6238, the defaults). */
export const period = 30;

export const nameOf = (user) => `user${user}`;
export const passwordOf = (user) => `password of ${user}`;

/** 20 bytes: SHA-1. */
const secretOf = (user) => createHash('sha1').update(nameOf(user)).digest();

/** RFC 4226 §5.3. */
export function codeOf(user, step) {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', secretOf(user)).update(counter).digest();
  const number = digest.readUInt32BE(digest.at(-1) & 0x0f) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}

/**
 * The entries of the directory, LDIF in pieces: a million are more than a string may hold. Both directories take
 * the identifiers that stand in it, to which the secrets are bound.
 * @param keys the key ring of the servers
 * @param others entries that stand in front, as LDIF
 */
export function* directoryPieces(users, { keys, others = '' }) {
  const root = ['objectClass: organization', 'objectClass: dcObject', 'o: Example', 'dc: example'];
  const people = ['objectClass: organizationalUnit', 'ou: people'];
  yield `${record(base, root)}\n${record(`ou=people,${base}`, people)}\n${others}\n`;
  for (let from = 0; from < users; from += 1000) {
    const length = Math.min(1000, users - from);
    yield Array.from({ length }, (_, at) => `${userRecord(from + at, keys)}\n`).join('');
  }
}

export const record = (dn, lines) => [`dn: ${dn}`, ...lines, ''].join('\n');

function userRecord(user, keys) {
  const id = `00000000-0000-4000-8000-${String(user).padStart(12, '0')}`;
  const sealed = Buffer.from(keys.seal(secretOf(user), `${id}:Otp.TokenKey`)).toString('base64');
  const type = Buffer.from('TOTP').toString('base64');
  return record(`uid=${nameOf(user)},ou=people,${base}`, [
    'objectClass: inetOrgPerson',
    'objectClass: webadmAccount',
    `entryUUID: ${id}`,
    `uid: ${nameOf(user)}`,
    `cn: User ${user}`,
    `sn: Surname ${user}`,
    `mail: ${nameOf(user)}@example.org`,
    `userPassword: ${ssha(passwordOf(user))}`,
    `webadmData: Otp.TokenType=${type},Otp.TokenKey={wcrypt}${sealed}`,
  ]);
}

/** `{SSHA}` of RFC 2307; one salt for all, this is a benchmark. */
export function ssha(password) {
  const salt = 'some-salt';
  const digest = createHash('sha1').update(password).update(salt).digest();
  return `{SSHA}${Buffer.concat([digest, Buffer.from(salt)]).toString('base64')}`;
}
