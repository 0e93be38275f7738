/** The policy for new passwords, on every way to set one. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isReason, ServiceError } from '../../../core/src/foundation/errors/errors.ts';
import type { Dn } from '../../../core/src/foundation/text/dn.ts';
import { refusalOf } from '../../../core/src/testing/bed/stage.ts';
import { base, openTestDirectory, person, type TestDirectory } from '../testing/test-directory.ts';
import { usualPolicy } from './password-policy.ts';

const hashed = '{SSHA}r4d/ta8tsTK6qNdEF4CreqIr8WCzOe2d';
const short = 'the password has 3 characters, and at least 8 are needed';
const common = 'the password is one of the most common ones; choose another one';

describe('password policy of the embedded directory', () => {
  let opened: TestDirectory;
  let number = 0;
  beforeAll(async () => {
    opened = await openTestDirectory({ passwordPolicy: usualPolicy });
  });
  afterAll(() => opened.dispose());

  const nameOf = (uid: string): Dn => base.child([{ type: 'uid', value: uid }]);
  async function added(userpassword = 'Correct-Horse-7'): Promise<Dn> {
    number += 1;
    const dn = nameOf(`user${number}`);
    await opened.directory.service.add(dn, person({ cn: ['x'], userpassword: [userpassword] }));
    return dn;
  }
  const knows = async (dn: Dn, password: string): Promise<boolean> =>
    (await opened.directory.authenticate(dn, password)).granted;

  const ways: Readonly<Record<string, (dn: Dn, password: string) => Promise<unknown>>> = {
    'a new entry': (_, password) =>
      opened.directory.service.add(nameOf('new'), person({ cn: ['x'], userpassword: [password] })),
    'a change of the attribute': (dn, password) =>
      opened.directory.service.modify(dn, [
        { operation: 'replace', attribute: 'userPassword', values: [password] },
      ]),
    'an added value that says that it is in clear': (dn, password) =>
      opened.directory.service.modify(dn, [
        { operation: 'add', attribute: 'userPassword', values: [`{CLEARTEXT}${password}`] },
      ]),
    'a set password': (dn, password) =>
      opened.directory.service.setPassword(dn, password, { mustChange: false }),
    "the user's own change": (dn, wanted) =>
      opened.directory.changePassword(dn, { old: 'Correct-Horse-7', wanted }),
  };

  it.each(Object.entries(ways))('refuses a short password and a common one: %s', async (_, set) => {
    const dn = await added();
    for (const [password, detail] of [
      ['abc', short],
      ['𝒳𝒴𝒵', short],
      ['password', common],
      ['Sunshine1', common],
    ] as const)
      expect(await refusalOf(set(dn, password))).toEqual({ reason: 'password_refused', detail });
    expect(await knows(dn, 'Correct-Horse-7')).toBe(true);
    await set(dn, 'ein Satz mit Umlaut ü');
  });

  it('does not apply to hashes and imported passwords', async () => {
    expect(await knows(await added(hashed), 'secret')).toBe(true);
    const ldif = `dn: uid=moved,${base}\nobjectClass: inetOrgPerson\nsn: x\ncn: x\nuserPassword: abc\n`;
    await opened.directory.importLdif([ldif]);
    expect(await knows(nameOf('moved'), 'abc')).toBe(true);
  });

  it('is checked after existence and rights', async () => {
    const { service } = opened.directory;
    const dn = await added();
    const reasonOf = async (work: Promise<unknown>) => (await refusalOf(work)).reason;
    expect(await reasonOf(service.setPassword(nameOf('nobody'), 'abc', { mustChange: false }))).toBe(
      'not_found',
    );
    expect(await reasonOf(service.add(dn, person({ cn: ['x'], userpassword: ['abc'] })))).toBe(
      'already_exists',
    );
    const bound = await opened.directory.bind(dn, 'Correct-Horse-7');
    const own = bound.granted ? bound.directory : service;
    await expect(own.setPassword(dn, 'abc', { mustChange: false })).rejects.toSatisfy(
      (error) => error instanceof ServiceError && isReason(error, 'permission_denied'),
    );
  });

  it('follows the configuration, which may allow anything', async () => {
    const lax = await openTestDirectory({ passwordPolicy: { minLength: 3, refusesCommon: false } });
    const strict = await openTestDirectory({ passwordPolicy: { minLength: 20, refusesCommon: true } });
    const dn = nameOf('user');
    await lax.directory.service.add(dn, person({ cn: ['x'], userpassword: ['abc'] }));
    expect(
      await refusalOf(
        strict.directory.service.add(dn, person({ cn: ['x'], userpassword: ['Correct-Horse-7'] })),
      ),
    ).toEqual({
      reason: 'password_refused',
      detail: 'the password has 15 characters, and at least 20 are needed',
    });
    await lax.dispose();
    await strict.dispose();
  });
});
