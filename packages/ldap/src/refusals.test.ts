/** Details of OpenLDAP's refusals, and results of logins. Real slapd. */
import { beforeAll, describe, expect, it } from 'vitest';
import { Dn } from '../../core/src/foundation/text/dn.ts';
import type { Attributes } from '../../core/src/foundation/text/value.ts';
import type { Directory, DirectoryServer } from '../../core/src/ports/directory/directory.ts';
import { type Slapd, startSlapd } from '../../core/src/testing/bed/engines/slapd.ts';
import { KeptLog } from '../../core/src/testing/kept-log.ts';
import { systemClock } from '../../node/src/machine/clock.ts';
import { openLdapDirectory } from './index.ts';

let slapd: Slapd;
let server: DirectoryServer;
let admin: Directory;

beforeAll(async () => {
  slapd = await startSlapd({ users: 9, lockSeconds: 6, hash: '{ARGON2}' });
  server = openLdapDirectory(
    { urls: [slapd.ldapsUrl], ca: slapd.ca, bind_dn: slapd.readerDn, bind_password: slapd.readerPassword },
    { clock: systemClock, log: new KeptLog() },
  );
  const bound = await server.bind(Dn.parse(slapd.adminDn), slapd.adminPassword);
  if (!bound.granted) throw new Error(bound.refusal);
  admin = bound.directory;
  return async () => {
    await admin.close();
    await server.close();
    await slapd.stop();
  };
});

const user = (n: number): Dn => Dn.parse(`uid=user${n},${slapd.people}`);
const person: Attributes = new Map([
  ['objectclass', ['inetOrgPerson']],
  ['sn', ['x']],
]);

describe('refusal in the words of the directory', () => {
  it.each([
    [
      'a parent that is missing',
      () => admin.add(Dn.parse(`cn=x,ou=missing,${slapd.base}`), person),
      'No such object',
    ],
    ['an attribute that no class allows', () => set('webadmVoice', 'x', 'y'), 'multiple values'],
    ['an unknown attribute', () => set('noSuch', 'x'), 'noSuch: attribute type undefined'],
    ['a value of the wrong syntax', () => set('manager', 'no dn'), 'manager: value #0 invalid per syntax'],
    [
      'a password that is too short',
      () => admin.setPassword(user(0), 'abc', { mustChange: false }),
      'quality checking',
    ],
    [
      'a second user of that uid',
      () => admin.add(Dn.parse(`cn=second,${slapd.people}`), new Map([...person, ['uid', ['user1']]])),
      'non-unique attributes found',
    ],
    [
      'an entry with children',
      () => admin.remove(Dn.parse(slapd.people)),
      'subordinate objects must be deleted first',
    ],
  ])('is returned for %s', async (_, refused, words) => {
    await expect(refused()).rejects.toMatchObject({ detail: expect.stringContaining(words) });
  });

  const set = (attribute: string, ...values: string[]): Promise<void> =>
    admin.modify(user(0), [{ operation: 'replace', attribute, values }]);
});

describe('password', () => {
  it('is set in a new entry whose class requires one, which is removed when it is refused', async () => {
    const dn = Dn.parse(`cn=machine,${slapd.people}`);
    const machine = (password: string): Attributes =>
      new Map([
        ['objectclass', ['device', 'simpleSecurityObject']],
        ['userpassword', [password]],
      ]);
    await expect(admin.add(dn, machine('abc'))).rejects.toMatchObject({ reason: 'password_refused' });
    expect(await admin.read(dn)).toBeUndefined();
    await admin.add(dn, machine('m4chine-secret'));
    expect(await server.authenticate(dn, 'm4chine-secret')).toEqual({ granted: true, mustChange: false });
    expect(String((await admin.read(dn, ['userpassword']))?.attributes.get('userpassword')?.[0])).toMatch(
      /^\{ARGON2\}/,
    );
  });

  it('is refused in the words of the policy when it was used before', async () => {
    const set = (password: string): Promise<void> =>
      admin.setPassword(user(1), password, { mustChange: false });
    await set('first-password');
    await set('second-password');
    await expect(set('first-password')).rejects.toMatchObject({
      reason: 'password_refused',
      detail: 'Password is in history of old passwords',
    });
  });

  it('is refused beside a second one', async () => {
    const changes = [
      { operation: 'replace', attribute: 'userPassword', values: ['one-secret', 'two-secret'] },
    ] as const;
    await expect(admin.modify(user(1), changes)).rejects.toMatchObject({ reason: 'password_refused' });
  });
});

describe('login', () => {
  it('is granted again when the lock of the account has ended', async () => {
    await Promise.all(Array.from({ length: 5 }, () => server.authenticate(user(2), 'wrong')));
    expect(await server.authenticate(user(2), 'password2')).toEqual({
      granted: false,
      refusal: 'account_locked',
    });
    await expect
      .poll(() => server.authenticate(user(2), 'password2'), { timeout: 120_000, interval: 500 })
      .toEqual({ granted: true, mustChange: false });
  });

  it('is bound when the password must be changed', async () => {
    await admin.setPassword(user(3), 'change-me-now', { mustChange: true });
    const bound = await server.bind(user(3), 'change-me-now');
    expect(bound).toMatchObject({ granted: true, mustChange: true });
    if (bound.granted) await bound.directory.close();
  });

  it('takes about the same time for known and unknown users', async () => {
    await server.authenticate(user(4), 'password4');
    const nobody = Dn.parse(`uid=nobody,${slapd.people}`);
    // The fastest of many alternating logins, so that other load does not matter.
    let [wrong, unknown] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let n = 0; n < 20; n += 1) {
      wrong = Math.min(wrong, await timed(user(4 + (n % 5)), 'wrong')); // four for each: as many as lock nobody
      unknown = Math.min(unknown, await timed(nobody, 'wrong'));
    }
    expect(unknown / wrong).toBeGreaterThan(0.5);
    expect(unknown / wrong).toBeLessThan(2);
  });
});

/** Measures a login in milliseconds. */
async function timed(dn: Dn, password: string): Promise<number> {
  const started = performance.now();
  await server.authenticate(dn, password);
  return performance.now() - started;
}
