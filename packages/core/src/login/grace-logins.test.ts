/** Logins by a password that is past its time, at a slapd whose policy grants a few more. */
import { createSecretKey } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { meaningOf } from '../events/meaning.ts';
import { totp } from '../foundation/oath/totp.ts';
import { openStage, type Stage } from '../testing/bed/stage.ts';

const base = 'dc=example,dc=org';
const password = 'Pa55-of-long-ago';
const person = (uid: string, mode: string): string => `
dn: uid=${uid},${base}
objectClass: inetOrgPerson
objectClass: webadmAccount
uid: ${uid}
cn: ${uid}
sn: Person
userPassword: ${password}
pwdChangedTime: 20200101000000Z
webadmSettings: Otp.LoginMode=${mode}
`;

const ldif = `dn: ${base}
objectClass: organization
objectClass: dcObject
o: Example
dc: example

dn: ou=policies,${base}
objectClass: organizationalUnit
ou: policies

dn: cn=default,ou=policies,${base}
objectClass: organizationalRole
objectClass: pwdPolicy
cn: default
pwdAttribute: userPassword
pwdMaxAge: 86400
pwdGraceAuthNLimit: 2
${person('once', 'LDAP')}${person('twice', 'LDAPOTP')}`;

let stage: Stage;
beforeAll(async () => {
  stage = await openStage('OpenLDAP', { ldif, unchecked: true });
});
afterAll(() => stage.close());

const node = () => stage.fixture;
const logged = () => node().events().at(-1)?.text ?? '';
const logIn = (username: string, otpPassword?: string) => {
  node().clock.advance(120_000);
  const shown = { username, ldapPassword: password, ...(otpPassword !== undefined && { otpPassword }) };
  return node().service.web.otp.normalLogin(shown);
};

it('are told of in the event and in the log, with how many remain, until the directory refuses', async () => {
  for (const remain of [1, 0]) {
    expect(await logIn('once')).toMatchObject({ code: 1 });
    const text = `granted by password; the password is past its time, ${remain} grace logins remain`;
    expect(logged()).toContain(text);
    expect(JSON.stringify(node().log.lines)).toContain(text);
    expect(meaningOf(logged())).toMatchObject({
      outcome: 'granted',
      shown: ['password'],
      graceLogins: remain,
    });
  }
  expect(await logIn('once')).toMatchObject({ code: 0 });
  expect(logged()).toContain('refused: the password has expired');
});

it('are told of where a code is waited for, and where it came with the password', async () => {
  const secret = Buffer.from('a secret of 20 bytes');
  const dn = `uid=twice,${base}`;
  await stage.manager.Otp.TOTP_Register({ dn, key: secret.toString('base64') });
  expect(await logIn('twice')).toMatchObject({ code: 2 });
  expect(meaningOf(logged())).toMatchObject({ outcome: 'challenge', awaits: ['TOKEN'], graceLogins: 1 });
  const source = { secret: createSecretKey(secret), digits: 6, period: 30 };
  expect(await logIn('twice', totp(source, node().clock.now() + 120_000))).toMatchObject({ code: 1 });
  expect(meaningOf(logged())).toMatchObject({
    outcome: 'granted',
    shown: ['password', 'TOKEN'],
    graceLogins: 0,
  });
});
