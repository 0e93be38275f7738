/** Every factor, with the rights that a directory gives the service: it logs in once. */
import { createHmac, randomBytes } from 'node:crypto';
import { openOpenssl } from '@watchword/core/testing/bed';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Browser } from '../../packages/core/src/applications/self-service/testing/browser.ts';
import { open as openPage } from '../../packages/core/src/applications/self-service/testing/pages.ts';
import { type Ground, groupOfClient, openGround, type Person, type Place } from './ground.ts';

/** Of each test anew: a code that one person has used is used for all that have the secret. */
let [secret, key] = [Buffer.alloc(20), ''];

/** RFC 4226 §5.3, so that the tests do not ask the code under test what is right. */
function codeAt(counter: number): string {
  const message = Buffer.alloc(8);
  message.writeBigUInt64BE(BigInt(counter));
  const digest = createHmac('sha1', secret).update(message).digest();
  const offset = (digest[19] ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

/** Not the newest, so that there is a later one that is good already. */
const step = () => Math.floor(Date.now() / 30_000) - 1;

const refused = { code: 0, error: 'AuthFailed' };
const serverError = { code: 0, error: 'ServerError', message: 'Server error' };

const both = { 'Otp.LoginMode': 'LDAPOTP' };
const onlyList = { ...both, 'Otp.OTPType': 'LIST' };

const byLink = { 'Otp.LoginMode': 'LDAP', 'Otp.PasswordReset': 'Yes' };
const another = 'An0ther-w0rd of a person';

async function setByLink(link: string, { service }: Ground) {
  const { fields } = await openPage({ service }, link);
  return openPage({ service }, link, { form: { ...fields, password: another, again: another } });
}

/** Signs in to the page of their own, and changes the password there. */
async function changeOwn({ username, password, dn }: Person, { service }: Ground) {
  const browser = new Browser({ service });
  expect((await browser.signIn({ username, password })).body).toMatchObject({ kind: 'signed-in' });
  return browser.call('SelfDesk.Change_Password', { dn, old: password, password: another });
}

/** Opens the ground of a test, and gives what all of them do with it. */
function useGround(open: () => Promise<Place>) {
  let ground: Ground | undefined;
  beforeAll(async () => {
    ground = await openGround(await open());
  });
  afterAll(() => ground?.close());
  beforeEach(() => {
    secret = randomBytes(20);
    key = secret.toString('base64');
  });
  const here = (): Ground => {
    if (!ground) throw new Error('it is not open yet');
    return ground;
  };
  const logIn = (person: Person, otpPassword?: string, more = {}) => {
    const { username, password: ldapPassword } = person;
    return here().service.web.otp.normalLogin({
      ...{ username, ldapPassword, ...more },
      ...(otpPassword !== undefined && { otpPassword }),
    });
  };
  const once = async (person: Person, code: string) => {
    expect(await logIn(person, code)).toMatchObject({ code: 1 });
    expect(await logIn(person, code)).toMatchObject(refused);
  };
  return { here, logIn, once, otp: () => here().manager.Otp };
}

/** Confirms a mobile session as an app does. */
async function confirm(session: string, otp: string, { service }: Ground) {
  const response = await service.web.answer({
    method: 'POST',
    url: new URL('https://localhost/otp/mobile'),
    headers: new Headers({ 'content-type': 'application/json' }),
    body: async () => Buffer.from(JSON.stringify({ session, otp })),
    ...{ address: '192.0.2.9', port: 40_000 },
  });
  return JSON.parse(String(response.body)).message;
}

/** @param open a directory that gives the service the rights of the guide */
export function describeFactors(open: () => Promise<Place>): void {
  const { here, logIn, once, otp } = useGround(open);

  it('a password', async () => {
    const person = await here().person({ 'Otp.LoginMode': 'LDAP' });
    expect(await logIn(person)).toMatchObject({ code: 1 });
    expect(await logIn({ ...person, password: 'wrong' })).toMatchObject(refused);
  });

  it('TOTP', async () => {
    const person = await here().person(both);
    await otp().TOTP_Register({ dn: person.dn, key });
    await once(person, codeAt(step()));
  });

  it('HOTP', async () => {
    const person = await here().person(both);
    await otp().HOTP_Register({ dn: person.dn, key });
    await once(person, codeAt(3));
    await once(person, codeAt(4));
  });

  it('a printed list', async () => {
    const person = await here().person(onlyList);
    await otp().List_Register({ dn: person.dn, size: 10 });
    const codes = await otp().List_Fetch({ dn: person.dn });
    await once(person, String(Object.values(codes)[3]));
    await once(person, String(Object.values(codes)[1]));
  });

  it('an emergency password', async () => {
    const person = await here().person(both);
    await otp().Emerg_Register({ dn: person.dn, otp: 'help-me-48', maxuse: 1 });
    await once(person, 'help-me-48');
  });

  it('a challenge', async () => {
    const person = await here().person(both);
    await otp().HOTP_Register({ dn: person.dn, key });
    const { username } = person;
    const answer = async (otpPassword: string) => {
      const begun = await logIn(person);
      const session = begun.code === 2 ? begun.session : '';
      return here().service.web.otp.challenge({ username, session, otpPassword });
    };
    expect(await answer(codeAt(0))).toMatchObject({ code: 1 });
    expect(await answer(codeAt(0))).toMatchObject(refused);
  });

  it('a soft token that is registered when it has been scanned', async () => {
    const person = await here().person(both);
    const at = step();
    const session = await otp().Mobile_Session({ timeout: 300 });
    await otp().TOTP_URI({ name: 'T', key, userid: person.username, domain: 'Default', session });
    expect(await confirm(session, codeAt(at), here())).toBe('Registration confirmed');
    await otp().TOTP_Register({ dn: person.dn, key, session });
    expect(await logIn(person, codeAt(at))).toMatchObject(refused);
    await once(person, codeAt(at + 2));
  });

  it('a soft token that is registered before it is scanned', async () => {
    const person = await here().person(both);
    const at = step();
    const session = await otp().Mobile_Session({ timeout: 300 });
    await otp().TOTP_Register({ dn: person.dn, key, session });
    await otp().TOTP_URI({ name: 'T', key, userid: person.username, domain: 'Default', session });
    expect(await confirm(session, codeAt(at), here())).toBe('Registration confirmed');
    expect(await logIn(person, codeAt(at))).toMatchObject(refused);
    await once(person, codeAt(at + 2));
  });

  it('a client that admits a group', async () => {
    const [member, other] = [await here().person(both), await here().person(both)];
    const { yaml, groupClass } = here().place;
    const attrs = { objectclass: groupClass, member: [member.dn] };
    await here().manager.Create_LDAP_Object({ dn: groupOfClient(yaml), attrs });
    for (const { dn } of [member, other]) await otp().HOTP_Register({ dn, key });
    const client = { client: 'portal' };
    expect(await logIn(other, codeAt(0), client)).toMatchObject(refused);
    expect(await logIn(member, codeAt(0), client)).toMatchObject({ code: 1 });
    expect(await logIn(member, codeAt(0), client)).toMatchObject(refused);
  });

  it('a lost password that is set by a link', async () => {
    const person = await here().person(byLink);
    const { username } = person;
    const link = await here().manager.PwReset.Send_Request({ username, method: 'NONE' });
    expect((await setByLink(link, here())).text).toContain('Your new password is set');
    expect(await logIn({ ...person, password: another })).toMatchObject({ code: 1 });
  });

  it('a password that its user changes', async () => {
    const person = await here().person({ 'Otp.LoginMode': 'LDAP' });
    expect((await changeOwn(person, here())).body).toMatchObject({ result: 1 });
    expect(await logIn({ ...person, password: another })).toMatchObject({ code: 1 });
  });

  it('a password that an administrator sets', async () => {
    const person = await here().person({ 'Otp.LoginMode': 'LDAP' });
    await here().manager.Set_User_Password({ dn: person.dn, password: another });
    expect(await logIn({ ...person, password: another })).toMatchObject({ code: 1 });
  });

  it('a certificate', async () => {
    const person = await here().person({});
    const openssl = await openOpenssl();
    const { manager, service } = here();
    const subject = `/CN=Default\\\\${person.username}/UID=${person.username}/DC=Default/description=USER`;
    const { request } = await openssl.request(subject);
    const certificate = await manager.Sign_certificate_Request({ request });
    await openssl.close();
    expect(await service.web.otp.pkiLogin({ certificate })).toMatchObject(refused);
    const attrs = { usercertificate: [certificate.replace(/\s+/g, '')] };
    await manager.Set_User_Attrs({ dn: person.dn, attrs, values: true });
    expect(await service.web.otp.pkiLogin({ certificate })).toMatchObject({ code: 1 });
  });
}

/**
 * @param open a directory that gives the service the right to read only
 * @param mighty somebody there who may write
 * @param letsUsers whether users may change their own passwords there all the same
 */
export function describeReadOnly(
  open: () => Promise<Place & { readonly mighty: { readonly dn: string; readonly password: string } }>,
  { letsUsers }: { readonly letsUsers: boolean },
): void {
  let mighty = { dn: '', password: '' };
  const { here, logIn, once, otp } = useGround(async () => {
    const place = await open();
    mighty = place.mighty;
    return place;
  });

  const cureOf = (right: string, whose = /bind_dn: (.+)/.exec(here().place.yaml)?.[1] ?? '') =>
    `give ${whose} ${right} below ${here().place.people}; see docs/guide/directories.md`.toLowerCase();
  const cures = () =>
    here()
      .log.lines.filter(({ level }) => level === 'error')
      .map(({ fields }) => String(fields.cure).toLowerCase());

  it('no link is sent that could set no password, and the stranger who asks is told the same', async () => {
    const { username, dn } = await here().person(byLink);
    const refusal = here().manager.PwReset.Send_Request({ username, method: 'NONE' });
    await expect(refusal).rejects.toMatchObject({
      message: expect.stringMatching(/the service lacks the right to set passwords/),
    });
    const { service } = here();
    const asked = (name: string) => openPage({ service }, '/webapps/pwreset', { form: { username: name } });
    expect((await asked(username)).text).toBe((await asked('nobody')).text);
    expect(cures()).toEqual([cureOf('the right to set passwords'), cureOf('the right to set passwords')]);
    const events = await here().manager.Search_Event_Logs({ dn });
    expect(JSON.stringify(events)).toContain(
      'no link: the service lacks the right to set passwords in the directory',
    );
  });

  it(`a user ${letsUsers ? 'changes' : 'is not said to break the policy, who may not change'} the own password`, async () => {
    const person = await here().person({ 'Otp.LoginMode': 'LDAP' });
    const before = cures().length;
    const { result, error } = (await changeOwn(person, here())).body;
    if (letsUsers) return expect(result).toBe(1);
    expect(error).toMatchObject({
      ...{ reason: 'permission_denied', data: 'the directory does not let users change their passwords' },
    });
    expect(cures().slice(before)).toEqual([cureOf('the right to change the own password', 'users')]);
  });

  it(`a user ${letsUsers ? 'changes' : 'breaks no policy, who may not change'} the own password over SSH`, async () => {
    const { username, password, dn } = await here().person({ 'SshKey.PasswordChange': 'Yes' });
    await here().manager.SshKey.Key_Register({ dn, type: 'ED25519' });
    const { sshkey } = here().service.web;
    const begun = await sshkey.sessionStart({ username, server: 'web1' });
    const session = begun.code === 1 ? begun.session : '';
    const changed = await sshkey.passwordChange({ session, oldPassword: password, newPassword: another });
    expect(changed).toMatchObject(letsUsers ? { code: 1 } : serverError);
  });

  it('a TOTP code logs in; other codes are not used up, and log in once when the right is there', async () => {
    const [totp, hotp, list, emergency] = await Promise.all(
      [both, both, onlyList, both].map((settings) => here().person(settings)),
    );
    if (!totp || !hotp || !list || !emergency) throw new Error('somebody is missing');
    await otp().TOTP_Register({ dn: totp.dn, key });
    await otp().HOTP_Register({ dn: hotp.dn, key });
    await otp().List_Register({ dn: list.dn, size: 10 });
    const listCode = String(Object.values(await otp().List_Fetch({ dn: list.dn }))[3]);
    await otp().Emerg_Register({ dn: emergency.dn, otp: 'help-me-48', maxuse: 1 });
    const others: readonly (readonly [Person, string])[] = [
      [hotp, codeAt(3)],
      [list, listCode],
      [emergency, 'help-me-48'],
    ];
    await once(totp, codeAt(step()));
    for (const [person, code] of others)
      for (let n = 0; n < 6; n += 1) expect(await logIn(person, code)).toMatchObject(serverError);
    const { yaml, people } = here().place;
    const [, service = ''] = /bind_dn: (.+)/.exec(yaml) ?? [];
    const result = here().log.lines.filter(
      ({ level, message }) => level === 'error' && message.startsWith('the state of a one-time password'),
    );
    const lower = result.map(({ fields }) => `${fields.dn}: ${fields.cure}`.toLowerCase());
    const cure = `give ${service.toLowerCase()} write access to webadmdata below ${people.toLowerCase()}; see docs/guide/directories.md`;
    expect(new Set(lower)).toEqual(new Set(others.map(([{ dn }]) => `${dn.toLowerCase()}: ${cure}`)));
    await here().reopen(mighty);
    for (const [person, code] of others) await once(person, code);
  });
}

export const describeRights = (
  name: string,
  {
    guided,
    readOnly,
    letsUsers,
  }: {
    guided: () => Promise<Place>;
    readOnly: Parameters<typeof describeReadOnly>[0];
    letsUsers: boolean;
  },
): void => {
  describe(`${name}, with the rights of the guide: each logs in once`, () => describeFactors(guided));
  describe(`${name}, with the right to read only`, () => describeReadOnly(readOnly, { letsUsers }));
};
