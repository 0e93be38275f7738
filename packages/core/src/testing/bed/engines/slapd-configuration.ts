/** The configuration and the first entries of the throwaway slapd in `slapd.ts`. */
import { createHash } from 'node:crypto';
import type { ServerCertificate } from '../scratch.ts';

export const base = 'dc=example,dc=org';
const administratorOf = (place: string) => `cn=administrator,ou=people,${place}`;

export interface SlapdConfiguration {
  readonly access?: string;
  readonly folder: string;
  readonly base: string;
  readonly certificate: ServerCertificate;
  /** Path of our OpenLDAP schema. Optional; default: not loaded. */
  readonly schema?: string;
  readonly hash?: string;
  readonly sizeLimit?: number;
  readonly pagedLimit?: number;
  /** Path of another schema of accounts and groups of POSIX than OpenLDAP's. */
  readonly nis?: string;
  readonly ppolicy?: boolean;
  readonly mirror?: Mirror;
  readonly maxSize?: number;
  readonly indexes?: readonly string[];
}

/** One of two that replicate to each other. */
export interface Mirror {
  readonly id: 1 | 2;
  /** The port of the other one. */
  readonly of: number;
}

/** Access rules (slapd.access(5)): the administrator writes everything, bound users read all but passwords. */
const usualAccess = (base: string): string => `access to attrs=userPassword
  by dn.exact="${administratorOf(base)}" write
  by self =xw
  by anonymous auth
  by * none
access to *
  by dn.exact="${administratorOf(base)}" write
  by users read
  by * none`;

const modules = ['back_mdb', 'memberof', 'refint', 'unique', 'argon2', 'pw-sha2'];

/**
 * slapd.conf(5). `ppolicy_hash_cleartext` is left out on purpose: then a password in clear in an add or
 * modify is stored in clear, and an adapter that lets this happen is found out.
 */
export function slapdConfiguration({
  folder,
  base,
  certificate,
  schema,
  hash,
  sizeLimit,
  pagedLimit,
  nis,
  ppolicy = true,
  mirror,
  maxSize = 1 << 30,
  indexes = [],
  access = usualAccess(base),
}: SlapdConfiguration): string {
  return `
include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/inetorgperson.schema
include ${nis ?? '/etc/ldap/schema/nis.schema'}
${schema === undefined ? '' : `include ${schema}`}
modulepath /usr/lib/ldap
${[...modules, ...(ppolicy ? ['ppolicy'] : []), ...(mirror ? ['syncprov'] : [])].map((module) => `moduleload ${module}`).join('\n')}
pidfile ${folder}/slapd.pid
argsfile ${folder}/slapd.args
${mirror ? `serverID ${mirror.id}` : ''}
loglevel none
TLSCACertificateFile ${certificate.caFile}
TLSCertificateFile ${certificate.certFile}
TLSCertificateKeyFile ${certificate.keyFile}
password-hash ${hash ?? '{SSHA}'}
sizelimit size.soft=${sizeLimit ?? 'unlimited'} size.hard=${sizeLimit ?? 'unlimited'} size.prtotal=${pagedLimit ?? 'unlimited'}

database mdb
suffix "${base}"
rootdn "cn=admin,${base}"
rootpw root-secret
directory ${folder}/db
maxsize ${maxSize}
${['objectClass,uid,cn,sn,mail,member,entryUUID,entryCSN eq', ...indexes].map((index) => `index ${index}`).join('\n')}
${access}
${mirror ? replication(base, mirror) : ''}
${ppolicy ? `overlay ppolicy\nppolicy_default "cn=default,ou=policies,${base}"\nppolicy_use_lockout` : ''}
overlay memberof
memberof-group-oc groupOfNames
memberof-refint true
overlay refint
refint_attributes manager owner seeAlso
overlay unique
unique_uri ldap:///?uid?sub
`;
}

/** slapo-syncprov(5): what one has written the other has within milliseconds, and asks for again once it is back. */
const replication = (base: string, { id, of }: Mirror): string => `
syncrepl rid=00${id} provider=ldap://127.0.0.1:${of} bindmethod=simple binddn="cn=admin,${base}" credentials=root-secret
  searchbase="${base}" type=refreshAndPersist retry="1 +" timeout=3
multiprovider on
overlay syncprov
syncprov-checkpoint 100 10`;

export interface Seed {
  readonly users?: number;
  readonly lockSeconds?: number;
  /** Whether our classes are there. */
  readonly accountSchema?: boolean;
}

/** The first entries, LDIF (RFC 2849). */
export function seedLdif({ users = 0, lockSeconds = 2, accountSchema = true }: Seed): string {
  // So that it keeps which store is in use, as docs/guide/directories.md says.
  const people = accountSchema ? ['objectClass: webadmGroup'] : [];
  return [
    record(base, ['objectClass: organization', 'objectClass: dcObject', 'o: Example', 'dc: example']),
    record(`ou=people,${base}`, ['objectClass: organizationalUnit', ...people, 'ou: people']),
    ...['groups', 'policies'].map((ou) =>
      record(`ou=${ou},${base}`, ['objectClass: organizationalUnit', `ou: ${ou}`]),
    ),
    record(`cn=default,ou=policies,${base}`, policy(lockSeconds)),
    record(administratorOf(base), person('administrator', 'Adm1nistrator!')),
    record(`cn=reader,ou=people,${base}`, person('reader', 'R3ad-only!')),
    ...Array.from({ length: users }, (_, n) => user(n)),
  ].join('\n');
}

function record(dn: string, lines: readonly string[]): string {
  return [`dn: ${dn}`, ...lines, ''].join('\n');
}

function policy(lockSeconds: number): readonly string[] {
  return [
    'objectClass: organizationalRole',
    'objectClass: pwdPolicy',
    'cn: default',
    'pwdAttribute: userPassword',
    'pwdLockout: TRUE',
    'pwdMaxFailure: 5',
    `pwdLockoutDuration: ${lockSeconds}`,
    'pwdMinLength: 4',
    'pwdCheckQuality: 1',
    'pwdInHistory: 2',
    'pwdMustChange: TRUE',
  ];
}

function person(name: string, password: string): readonly string[] {
  return ['objectClass: inetOrgPerson', `cn: ${name}`, `sn: ${name}`, `userPassword: ${ssha(password)}`];
}

function user(n: number): string {
  return record(`uid=user${n},ou=people,${base}`, [
    'objectClass: inetOrgPerson',
    'objectClass: webadmAccount',
    `uid: user${n}`,
    `cn: User ${n}`,
    `sn: Surname ${n}`,
    `mail: user${n}@example.org`,
    `mobile: +1555${String(n).padStart(7, '0')}`,
    `userPassword: ${ssha(`password${n % 10}`)}`,
  ]);
}

/** RFC 2307's `{SSHA}`: base64 of SHA-1(password ‖ salt) ‖ salt; one salt for all, this is a test. */
export function ssha(password: string): string {
  const salt = 'testsalt';
  const digest = createHash('sha1').update(password).update(salt).digest();
  return `{SSHA}${Buffer.concat([digest, Buffer.from(salt)]).toString('base64')}`;
}
