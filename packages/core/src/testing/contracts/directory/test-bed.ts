/** The test bed of the contract: bound directories, containers, users, reasons. */

import { type Reason, ServiceError } from '../../../foundation/errors/errors.ts';
import type { Dn } from '../../../foundation/text/dn.ts';
import type { Attributes, AttributeValue } from '../../../foundation/text/value.ts';
import type { Directory, DirectoryServer, Entry } from '../../../ports/directory/directory.ts';
import type { Account, DirectoryFixture, DirectoryTraits } from './fixture.ts';

/** Long, and of several kinds of characters: no policy minds it. */
export const goodPassword = 'C0rrect-Horse.42';
export const otherPassword = 'Battery_Staple!7';

export class TestBed {
  readonly traits: DirectoryTraits;
  #fixture: DirectoryFixture | undefined;
  #admin: Directory | undefined;
  #reader: Directory | undefined;
  #containers = 0;

  constructor(traits: DirectoryTraits) {
    this.traits = traits;
  }

  async open(fixture: DirectoryFixture): Promise<void> {
    if (this.traits.readOnly && !fixture.seed) throw new Error('a read-only fixture needs seed');
    this.#fixture = fixture;
    this.#admin = await bound(fixture.server, fixture.admin);
    this.#reader = await bound(fixture.server, fixture.reader);
  }

  async close(): Promise<void> {
    await this.#admin?.close();
    await this.#reader?.close();
    await this.#fixture?.dispose();
  }

  get fixture(): DirectoryFixture {
    return present(this.#fixture);
  }

  get server(): DirectoryServer {
    return this.fixture.server;
  }

  /** Bound as the administrator. */
  get admin(): Directory {
    return present(this.#admin);
  }

  /** Bound as the one who may only read. */
  get reader(): Directory {
    return present(this.#reader);
  }

  /** Adds an entry; where the directory is read-only, the fixture does. */
  async add(dn: Dn, added: Attributes): Promise<void> {
    const { seed } = this.fixture;
    await (this.traits.readOnly && seed ? seed(dn, added) : this.admin.add(dn, added));
  }

  /** A new, empty organizational unit of this test's own. */
  async container(below: Dn = this.fixture.base): Promise<Dn> {
    this.#containers += 1;
    const dn = below.child([{ type: 'ou', value: `case ${this.#containers}` }]);
    await this.add(dn, attributes({ objectclass: ['organizationalUnit'] }));
    return dn;
  }

  /** Adds `cn=<name>` below `container`; `more` goes over what a person has anyway. */
  async person(
    container: Dn,
    name: string,
    more: Record<string, readonly AttributeValue[]> = {},
  ): Promise<Dn> {
    const dn = container.child([{ type: 'cn', value: name }]);
    await this.add(dn, person({ ...this.traits.account, ...more }));
    return dn;
  }

  /** Returns all attributes of an entry that must exist. */
  async entry(dn: Dn, wanted?: readonly string[]): Promise<Entry> {
    return present(await this.admin.read(dn, wanted));
  }

  /** The values of one attribute, as text, sorted; none if it is absent. */
  async values(dn: Dn, attribute: string): Promise<string[]> {
    const entry = await this.entry(dn, [attribute]);
    return (entry.attributes.get(attribute) ?? []).map(String).sort();
  }
}

/** Object classes and attributes of a person who is activated: any engine takes them. */
export function person(more: Record<string, readonly AttributeValue[]> = {}): Attributes {
  return attributes({ objectclass: ['inetOrgPerson', 'webadmAccount'], sn: ['Person'], ...more });
}

export function attributes(record: Record<string, readonly AttributeValue[]>): Attributes {
  return new Map(Object.entries(record));
}

/** Why a call was refused; `done` if it was not. Anything but a ServiceError is thrown on. */
export async function reasonOf(call: Promise<unknown>): Promise<Reason | 'done'> {
  try {
    await call;
    return 'done';
  } catch (error) {
    if (error instanceof ServiceError) return error.reason;
    throw error;
  }
}

/** The first value of `cn` of each entry, in their order. */
export function namesOf(entries: readonly Entry[]): string[] {
  return entries.map((entry) => String(entry.attributes.get('cn')?.[0]));
}

async function bound(server: DirectoryServer, { dn, password }: Account): Promise<Directory> {
  const result = await server.bind(dn, password);
  if (!result.granted) throw new Error(`the fixture's account ${dn} cannot bind: ${result.refusal}`);
  return result.directory;
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('it is not there');
  return value;
}
