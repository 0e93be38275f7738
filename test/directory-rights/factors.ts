/** Every factor, with the rights that a directory gives the service: it logs in once. */
import { createHmac, randomBytes } from 'node:crypto';
import { openOpenssl } from '@watchword/core/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
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
  const answer = await service.web.answer({
    method: 'POST',
    url: new URL('https://localhost/otp/mobile'),
    headers: new Headers({ 'content-type': 'application/json' }),
    body: async () => Buffer.from(JSON.stringify({ session, otp })),
    ...{ address: '192.0.2.9', port: 40_000 },
  });
  return JSON.parse(String(answer.body)).message;
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
 */
export function describeReadOnly(
  open: () => Promise<Place & { readonly mighty: { readonly dn: string; readonly password: string } }>,
): void {
  let mighty = { dn: '', password: '' };
  const { here, logIn, once, otp } = useGround(async () => {
    const place = await open();
    mighty = place.mighty;
    return place;
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
    const told = here().log.lines.filter(
      ({ level, fields }) => level === 'error' && fields.cure !== undefined,
    );
    const lower = told.map(({ fields }) => `${fields.dn}: ${fields.cure}`.toLowerCase());
    const cure = `give ${service.toLowerCase()} write access to webadmdata below ${people.toLowerCase()}; see docs/guide/directories.md`;
    expect(new Set(lower)).toEqual(new Set(others.map(([{ dn }]) => `${dn.toLowerCase()}: ${cure}`)));
    await here().reopen(mighty);
    for (const [person, code] of others) await once(person, code);
  });
}

export const describeRights = (
  name: string,
  { guided, readOnly }: { guided: () => Promise<Place>; readOnly: Parameters<typeof describeReadOnly>[0] },
): void => {
  describe(`${name}, with the rights of the guide: each logs in once`, () => describeFactors(guided));
  describe(`${name}, with the right to read only`, () => describeReadOnly(readOnly));
};
