/** Ceremonies of FIDO2 with forged clients: what a browser and a device would never send, and what they were sent for something else. */
import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SecurityKey, type Twist } from '../../../testing/bed/engines/security-key.ts';
import type { Fixture } from '../../../testing/bed/fixture.ts';
import { openStage, refusalOf, type Stage } from '../../../testing/bed/stage.ts';

const password = 'Correct-Horse-7';
const party = { id: 'example.com', name: 'Example' };
const origin = 'https://login.example.com';
const granted = { code: 1 };
const refused = { code: 0, error: 'AuthFailed' };
const otherKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;

let stage: Stage;
let node: Fixture;
let manager: Stage['manager'];
let people: string;
beforeAll(async () => {
  stage = await openStage('embedded');
  const options = { config: { relying_party: party, settings: { 'Otp.MaxTries': '1000' } } };
  node = await stage.fixture.another({ ...options, ports: () => stage.ports });
  manager = await stage.enter(options);
  people = await stage.container();
});
afterAll(async () => {
  await node.close();
  await stage.close();
});

const newKey = (more: object = {}) => new SecurityKey({ rpId: party.id, origin, hasCounter: true, ...more });
const newRandom = () => randomBytes(32).toString('base64url');

async function person(uid: string): Promise<string> {
  const dn = await stage.person(people, uid, { userpassword: password });
  await manager.Set_User_Settings({ dn, settings: { 'Otp.LoginMode': 'LDAPU2F' } });
  return dn;
}

function register(dn: string, key: SecurityKey, twist: Twist = {}): Promise<unknown> {
  const random = newRandom();
  return manager.Otp.FIDO_Register({ dn, response: key.register(random, twist), random });
}

async function withKey(uid: string) {
  const [dn, key] = [await person(uid), newKey()];
  await register(dn, key);
  return { dn, key };
}

async function challenge(username: string) {
  const asked = await node.service.web.otp.normalLogin({ username, ldapPassword: password });
  const { session, u2fChallenge } = { session: '', u2fChallenge: '{}', ...asked };
  return { session, asked: JSON.parse(u2fChallenge) };
}

const answer = (username: string, session: string, u2fResponse: string) =>
  node.service.web.otp.challenge({ username, session, u2fResponse });

async function logIn(username: string, key: SecurityKey, twist: Twist = {}) {
  const { session, asked } = await challenge(username);
  return answer(username, session, key.sign(asked.challenge, twist));
}

describe('a registration', () => {
  it.each<[string, Twist]>([
    ['nobody present', { isPresent: false }],
    ['an attestation by another key', { attestedBy: otherKey }],
    ['a page within another', { crossOrigin: true }],
    ['another relying party', { rpId: 'evil.test' }],
    ['a page whose name ends like ours', { origin: 'https://evilexample.com' }],
  ])('refuses %s at both methods', async (title, twist) => {
    const dn = await person(`reg-${title.replaceAll(' ', '-')}`);
    expect(await refusalOf(register(dn, newKey(), twist))).toMatchObject({ reason: 'invalid_params' });
    const random = newRandom();
    const ssh = manager.SshKey.FIDO_Register({ dn, response: newKey().register(random, twist), random });
    expect(await refusalOf(ssh)).toMatchObject({ reason: 'invalid_params' });
    expect(await manager.Otp.User_Devices({ dn })).toEqual([]);
    expect(await refusalOf(register(dn, newKey(), { ...twist, type: 'webauthn.get' }))).toMatchObject({
      reason: 'invalid_params',
    });
  });

  it('takes an attestation of a device by itself', async () => {
    const dn = await person('attested');
    expect(await register(dn, newKey(), { attestedBy: 'itself' })).toBe(1);
  });

  it('refuses the response to another challenge at both methods, also to one of a login', async () => {
    const { dn, key } = await withKey('replayed');
    const random = newRandom();
    const response = newKey().register(random);
    const { asked } = await challenge('replayed');
    for (const other of [newRandom(), asked.challenge]) {
      const taken = { dn, response, random: other };
      expect(await refusalOf(manager.Otp.FIDO_Register(taken))).toMatchObject({ reason: 'invalid_params' });
      expect(await refusalOf(manager.SshKey.FIDO_Register(taken))).toMatchObject({
        reason: 'invalid_params',
      });
    }
    expect(await logIn('replayed', key)).toMatchObject(granted);
  });

  it('goes by the id that the device has signed, not by the one beside it', async () => {
    const { key: victim } = await withKey('beside');
    const dn = await person('mallory-beside');
    const [key, random] = [newKey(), newRandom()];
    const id = victim.id.toString('base64url');
    const response = JSON.stringify({ ...JSON.parse(key.register(random)), id, rawId: id });
    await manager.Otp.FIDO_Register({ dn, response, random }).catch(() => undefined);
    const { credentialIds = [] } = (await challenge('mallory-beside')).asked;
    expect(credentialIds).not.toContain(victim.id.toString('base64'));
  });

  it('is no answer to a login', async () => {
    const { key } = await withKey('made');
    const { session, asked } = await challenge('made');
    const random = Buffer.from(asked.challenge, 'base64').toString('base64url');
    const { response } = JSON.parse(key.register(random));
    expect(await answer('made', session, JSON.stringify(response))).toMatchObject(refused);
  });
});

describe('a credential id of somebody else', () => {
  it('lets nobody in as its owner who has registered it with a key of their own', async () => {
    const { key: owners } = await withKey('owner');
    const forged = newKey({ id: owners.id });
    await register(await person('mallory'), forged);
    expect(await logIn('owner', forged)).toMatchObject(refused);
    expect(await logIn('mallory', forged)).toMatchObject(granted);
    expect(await logIn('mallory', owners)).toMatchObject(refused);
  });

  it('keeps its owner out by no counter', async () => {
    const { key: owners } = await withKey('outrun');
    expect(await logIn('outrun', owners)).toMatchObject(granted);
    const forged = newKey({ id: owners.id });
    await register(await person('outrunner'), forged);
    expect(await logIn('outrunner', forged, { counter: 0xffff_ffff })).toMatchObject(granted);
    expect(await logIn('outrun', owners)).toMatchObject(granted);
    expect(await logIn('outrun', owners, { counter: 1 })).toMatchObject(refused);
  });
});

describe('a login', () => {
  it('takes the counter that a device had before the public key was part of its name', async () => {
    const { key } = await withKey('before');
    const former = `fido:${createHash('sha256').update(key.id.toString('base64url')).digest('hex').slice(0, 32)}`;
    await node.ports.store.claim(former, 7, 1000);
    expect(await logIn('before', key, { counter: 7 })).toMatchObject(refused);
    expect(await logIn('before', key, { counter: 8 })).toMatchObject(granted);
  });

  it.each<[string, Twist]>([
    ['another relying party and page', { rpId: 'evil.test', origin: 'https://evil.test' }],
    ['another key for the same id', { key: otherKey }],
    ['a counter that stays', { counter: 0 }],
  ])('refuses %s, whichever device is named', async (title, twist) => {
    const uid = `login-${title.replaceAll(' ', '-')}`;
    const { key } = await withKey(uid);
    expect(await logIn(uid, key)).toMatchObject(granted);
    const { session, asked } = await challenge(uid);
    const { userHandle: _, ...response } = JSON.parse(key.sign(asked.challenge, twist));
    const whole = JSON.stringify({ id: key.id.toString('base64url'), response });
    expect(await answer(uid, session, whole)).toMatchObject(refused);
    expect(await logIn(uid, key)).toMatchObject(granted);
  });

  it('refuses an answer of which one bit is another, wherever', async () => {
    const { key } = await withKey('bits');
    const { session, asked } = await challenge('bits');
    const signed = JSON.parse(key.sign(asked.challenge));
    for (const part of ['authenticatorData', 'clientDataJSON', 'signature']) {
      for (const at of [0, 12, 33, 36]) {
        const bytes = Buffer.from(signed[part], 'base64');
        bytes[at] = (bytes[at] ?? 0) ^ 1;
        const bent = JSON.stringify({ ...signed, [part]: bytes.toString('base64') });
        expect(await answer('bits', session, bent)).toMatchObject(refused);
      }
      // The day has a quota of right passwords with wrong answers.
      await manager.Otp.Block_Reset({ dn: `uid=bits,${people}` });
    }
    const { session: next, asked: fresh } = await challenge('bits');
    expect(await answer('bits', next, key.sign(fresh.challenge))).toMatchObject(granted);
  });
});
