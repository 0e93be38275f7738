/**
 * The administrator and the demo users of a quick start, and `quickstart.json`, which lists them. The file is written last, so that an
 * interrupted first start is repeated.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Dn, type ServerConfig, StartError } from '@watchword/core';
import { ensureEntry, ensurePerson } from '@watchword/core/operator';
import type { Engines } from '@watchword/engines';
import { codeOf, replaceFile } from '@watchword/node';
import { administrators, base } from './config.ts';
import { type DemoToken, isDemoToken } from './demo-token.ts';

export interface Person {
  readonly dn: string;
  readonly username: string;
  readonly domain: string;
  /** Left out: it was changed since. */
  readonly password?: string;
}

/** Somebody whose password was made just now. */
export type NewPerson = Person & Required<Pick<Person, 'password'>>;

export interface DemoUser extends Person {
  /** The token of the user; one of the users has it. */
  readonly token?: DemoToken;
}

/** `quickstart.json` */
export interface QuickStart {
  readonly manager_url: string;
  /** The address of the Admin Portal. */
  readonly portal_url: string;
  readonly ws_url: string;
  /** Path of the certificate of the authority that the servers' certificates are from. */
  readonly ca: string;
  readonly admin: Person;
  readonly users: readonly DemoUser[];
}

export interface Setting {
  readonly config: ServerConfig;
  readonly engines: Engines;
  readonly progress: (line: string) => void;
}

const admin = { username: 'admin', given: 'Ada', family: 'Admin', mobile: '+1 202 555 0100' };
const users = [
  { username: 'alice', given: 'Alice', family: 'Archer', mobile: '+1 202 555 0101' },
  { username: 'bob', given: 'Bob', family: 'Baker', mobile: '+1 202 555 0102' },
  { username: 'carol', given: 'Carol', family: 'Carter', mobile: '+1 202 555 0103' },
];

type Name = typeof admin;
export type People = Pick<QuickStart, 'admin' | 'users'>;

interface NewPeople {
  readonly admin: NewPerson;
  readonly users: readonly NewPerson[];
}

/** The users, and whether they were just made, with new passwords. */
export type Ensured =
  | { readonly people: NewPeople; readonly isNew: true }
  | { readonly people: People; readonly isNew: false };

/** Reads the users from `quickstart.json`, or makes them with random passwords. @throws StartError */
export async function ensurePeople(setting: Setting): Promise<Ensured> {
  const people = await readPeople(setting.config.data);
  if (!people) return { people: await makePeople(setting), isNew: true };
  await refuseEmpty(setting, people);
  const current = <T extends Person>(person: T) => withCurrentPassword(person, setting.engines);
  const [admin, ...users] = await Promise.all([current(people.admin), ...people.users.map(current)]);
  return { people: { admin, users }, isNew: false };
}

/** The person without a password that is not right any more: it would be shown, and let nobody in. */
async function withCurrentPassword<T extends Person>(
  person: T,
  { directory }: Engines,
): Promise<T | Omit<T, 'password'>> {
  const { password, ...rest } = person;
  if (password === undefined) return rest;
  const found = await directory.authenticate(Dn.parse(person.dn), password);
  return found.granted || found.refusal !== 'wrong_password' ? person : rest;
}

/** Refuses an empty database beside users: the shown passwords would be invalid. */
async function refuseEmpty({ config, engines }: Setting, { admin }: People): Promise<void> {
  const { service } = engines.directory;
  if (await service.read(Dn.parse(admin.dn), ['1.1'])) return;
  const below = { base: Dn.parse(config.directory.base), scope: 'one', attributes: [] } as const;
  const found = await service.search({ ...below, filter: { kind: 'present', attribute: 'objectclass' } });
  if (found.length > 0) return;
  throw new StartError(
    `The directory in ${config.data} is empty, and ${fileOf(config.data)} is not; restore data.mdb from a backup, or remove quickstart.json, and the next start makes the administrator and the demo users again.`,
  );
}

/** Writes `quickstart.json`, whole or not at all, for the owner only. */
export function writeQuickStart(data: string, facts: QuickStart): void {
  replaceFile(fileOf(data), `${JSON.stringify(facts, null, 2)}\n`);
}

const fileOf = (data: string): string => join(data, 'quickstart.json');

async function readPeople(data: string): Promise<People | undefined> {
  const path = fileOf(data);
  try {
    const { admin, users } = JSON.parse(await readFile(path, 'utf8')) as QuickStart;
    if (!(isPerson(admin) && users.every(isDemoUser))) throw new SyntaxError('not a quick start');
    return { admin, users };
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return undefined;
    throw new StartError(
      `${path} is damaged; remove it, and the next start gives the administrator and the demo users new passwords and tokens.`,
      { cause },
    );
  }
}

function isPerson(person: Partial<Person> | undefined): boolean {
  const { dn, username, domain, password = 'changed' } = person ?? {};
  return [dn, username, domain, password].every((value) => typeof value === 'string' && value !== '');
}

const isDemoUser = (user: Partial<DemoUser> | undefined): boolean =>
  isPerson(user) && (user?.token === undefined || isDemoToken(user.token));

async function makePeople({ engines, progress }: Setting): Promise<NewPeople> {
  progress('Making the directory, an administrator and three demo users');
  const ensure = (dn: string, attributes: Record<string, string[]>) =>
    ensureEntry(engines.directory.service, Dn.parse(dn), attributes);
  await ensure(`ou=people,${base}`, { objectClass: ['organizationalUnit'] });
  await ensure(`ou=groups,${base}`, { objectClass: ['organizationalUnit'] });
  const people = await Promise.all([admin, ...users].map((name) => makePerson(engines, name)));
  const [first, ...others] = people;
  if (!first) throw new StartError('The administrator could not be made.');
  await ensure(administrators, { objectClass: ['groupOfNames'], member: [first.dn] });
  await ensure(`cn=staff,ou=groups,${base}`, {
    objectClass: ['groupOfNames', 'webadmGroup'],
    member: others.map(({ dn }) => dn),
  });
  return { admin: first, users: others };
}

async function makePerson(engines: Engines, { username, given, family, mobile }: Name): Promise<NewPerson> {
  const dn = `uid=${username},ou=people,${base}`;
  const password = newPassword(engines);
  const person = {
    classes: ['inetOrgPerson', 'webadmAccount'],
    ...{ uid: username, cn: `${given} ${family}`, sn: family },
    others: { givenName: [given], mail: [`${username}@example.org`], mobile: [mobile] },
  };
  await ensurePerson(engines.directory.service, Dn.parse(dn), { person, password });
  return { dn, username, domain: 'Default', password };
}

/** Letters and digits that nobody mistakes for one another; 20 of 32 are 100 bits. */
const alphabet = '23456789abcdefghjkmnpqrstuvwxyzA';

function newPassword({ random }: Engines): string {
  const characters = Array.from(random.bytes(20), (byte) => alphabet[byte % 32]);
  return [0, 5, 10, 15].map((at) => characters.slice(at, at + 5).join('')).join('-');
}
