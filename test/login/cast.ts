/** The users of the tables: each is made when it is asked for first, and has what its case says. */
import { Dn } from '@watchword/core';
import type { Fixture } from '@watchword/core/testing/bed';
import { addUser, codeAt, dnOf, done, isActiveDirectory, key, secretOf } from './people.ts';

/** What a user has beside a password. */
export interface Having {
  /** Methods of the Manager that are called for the user, and their parameters beside `dn`. */
  readonly done?: readonly (readonly [method: string, params: object])[];
  /** Values of the settings attribute that another program writes, past the Manager. */
  readonly written?: readonly string[];
  /** CN of groups that the user is a member of. */
  readonly groups?: readonly string[];
}

export interface User {
  readonly username: string;
  readonly dn: string;
  readonly password: string;
  /** A TOTP code that was never used: half a minute passes. */
  code(): string;
  /** The HOTP code of the next counter. */
  nextCode(): string;
  /** The first code of the printed list that was not used. */
  listCode(): Promise<string>;
}

/** It ends as a password with a code behind it would. */
const password = 'Pä55 "w"<&>rd 123456';

export class Cast {
  readonly #fixture: Fixture;
  readonly #users = new Map<string, Promise<User>>();

  constructor(fixture: Fixture) {
    this.#fixture = fixture;
  }

  /** @param title of the case that the user is for: cases do not share users, so that none disturbs another */
  find(title: string, having: Having): Promise<User> {
    const known = this.#users.get(title);
    if (known) return known;
    const user = this.#make(`user${this.#users.size}`, having);
    this.#users.set(title, user);
    return user;
  }

  async #make(username: string, having: Having): Promise<User> {
    const fixture = this.#fixture;
    const dn = dnOf(fixture, username);
    await addUser(fixture, username, password);
    for (const group of having.groups ?? []) {
      const attrs = { member: [dn] };
      await done(fixture, 'Set_User_Attrs', { dn: groupDn(fixture, group), attrs, values: true });
    }
    const secret = secretOf(username);
    const own = (params: object) =>
      'key' in params && params.key === key ? { ...params, key: secret.toString('base64') } : params;
    for (const [method, params] of having.done ?? []) await done(fixture, method, { dn, ...own(params) });
    if (having.written) await writePast(fixture, dn, having.written);
    let counter = 0;
    return {
      ...{ username, dn, password },
      code: () => {
        fixture.clock.advance(30_000);
        return codeAt(Math.floor(fixture.clock.now() / 30_000), secret);
      },
      nextCode: () => {
        counter += 1;
        return codeAt(counter, secret);
      },
      listCode: async () => {
        const [first] = (await done(fixture, 'Otp.List_Fetch', { dn })) as string[];
        return first ?? '';
      },
    };
  }
}

/** Writes values of the settings attribute as another program does. */
export const writePast = ({ ports }: Fixture, dn: string, values: readonly string[]): Promise<void> =>
  ports.directory.service.modify(Dn.parse(dn), [
    { operation: 'replace', attribute: 'webadmSettings', values },
  ]);

export const groupDn = ({ base }: Pick<Fixture, 'base'>, name: string): string =>
  `cn=${name},ou=groups,${base}`;

export async function addGroup(fixture: Fixture, name: string, settings: object): Promise<void> {
  const dn = groupDn(fixture, name);
  const attrs = isActiveDirectory
    ? { objectclass: ['group', 'webadmGroup'] }
    : { objectclass: ['groupOfNames', 'webadmGroup'], member: [`cn=nobody,${fixture.base}`] };
  await done(fixture, 'Create_LDAP_Object', { dn, attrs });
  await done(fixture, 'Set_User_Settings', { dn, settings });
}
