/**
 * Two nodes with a store each on one OpenLDAP, with `stores: separate`: nothing is accepted twice, of whatever kind.
 *
 * Seen to fail with the guards taken out, in authenticators/code-claim.ts: keep the state of HOTP tokens only on the entry before
 * the claim (TOTP is accepted twice); in authenticators/entry-state.ts, let `isBehind` look at the secret alone (TOTP and HOTP are); in
 * authenticators/lists.ts, cross out a code of the list that is crossed out already; in authenticators/last-code.ts, do not look how far the token has come.
 */
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Fixture, rounds } from '@watchword/core/testing/bed';
import { openEnvironment, openEventLog, openLedger } from '@watchword/embedded';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { directories, type Ground } from './directories.ts';
import { addUser, codeAt, dnOf, done, give, token, withoutLimits } from './people.ts';

const separate = { ...withoutLimits.config, stores: 'separate' } as const;
const many = rounds(8, 40);
const names = ['totp', 'hotp', 'list', 'emergency'] as const;

let ground: Ground;
let apart: Fixture;
let dispose: () => Promise<void>;
beforeAll(async () => {
  ground = await directories.OpenLDAP(separate);
  const folder = await mkdtemp(join(tmpdir(), 'watchword-store-'));
  const environment = await openEnvironment(folder);
  const ephemeral = await openEnvironment(join(folder, 'ephemeral'), { isEphemeral: true });
  const events = await openEventLog(environment);
  const store = openLedger({ lasting: environment, ephemeral }, ground.clock, events);
  apart = await ground.another({ config: separate, ports: () => ({ store }) });
  dispose = async () => {
    await apart.close();
    await ground.close();
    await ephemeral.close();
    await environment.close();
    await rm(folder, { recursive: true });
  };
  for (const username of names) {
    await addUser(ground, username);
    const settings = { 'Otp.LoginMode': 'OTP', 'Otp.OTPType': username === 'list' ? 'LIST' : 'TOKEN' };
    await done(ground, 'Set_User_Settings', { dn: dnOf(ground, username), settings });
  }
});
afterAll(() => dispose());

const keys = { totp: Buffer.alloc(20, 5), hotp: Buffer.alloc(20, 3), list: Buffer.alloc(20, 4) };

/** How many of five logins at each node with one code are granted, all at the same moment. */
async function granted(username: string, otpPassword: string): Promise<number> {
  const nodes = [ground, apart].flatMap((node) => Array.from({ length: 5 }, () => node));
  const answers = await Promise.all(
    nodes.map(({ service }) => service.web.otp.normalLogin({ username, otpPassword })),
  );
  return answers.filter(({ code }) => code === 1).length;
}

it(`each code is good once, ${many} times`, async () => {
  await give(ground, 'totp', { ...token('TOTP'), TokenKey: keys.totp });
  await give(ground, 'hotp', { ...token('HOTP'), TokenKey: keys.hotp });
  await give(ground, 'list', { ListKey: keys.list, ListState: Uint8Array.of(6, 100, ...new Uint8Array(13)) });
  for (let round = 0; round < many; round += 1) {
    await give(ground, 'emergency', emergency(`apart ${round}`));
    const step = Math.floor(ground.clock.now() / 30_000);
    const counts = await Promise.all([
      granted('totp', codeAt(step, keys.totp)),
      granted('hotp', codeAt(round, keys.hotp)),
      granted('list', codeAt(round, keys.list)),
      granted('emergency', `apart ${round}`),
    ]);
    expect(counts, `round ${round}`).toEqual([1, 1, 1, 1]);
    ground.clock.advance(30_000);
  }
});

it('one after the other they take it no more, nor one before it', async () => {
  const key = Buffer.alloc(20, 6);
  await give(ground, 'totp', { ...token('TOTP'), TokenKey: key });
  const step = Math.floor(ground.clock.now() / 30_000);
  const at = async (node: Fixture, otpPassword: string) =>
    (await node.service.web.otp.normalLogin({ username: 'totp', otpPassword })).code;
  expect(await at(ground, codeAt(step, key))).toBe(1);
  expect(await at(apart, codeAt(step, key))).toBe(0);
  expect(await at(apart, codeAt(step - 1, key))).toBe(0);
  expect(await at(apart, codeAt(step + 1, key))).toBe(1);
  expect(await at(ground, codeAt(step + 1, key))).toBe(0);
});

it('the last code that is good again at one of them ends with a code that was used at the other', async () => {
  const key = Buffer.alloc(20, 7);
  await give(ground, 'totp', { ...token('TOTP'), TokenKey: key });
  const settings = { 'Otp.LastOTPTime': '300' };
  await done(ground, 'Set_User_Settings', { dn: dnOf(ground, 'totp'), settings });
  const step = Math.floor(ground.clock.now() / 30_000);
  const at = async (node: Fixture, otpPassword: string) =>
    (await node.service.web.otp.normalLogin({ username: 'totp', otpPassword, source: '198.51.100.7' })).code;
  expect(await at(ground, codeAt(step, key))).toBe(1);
  expect(await at(ground, codeAt(step, key))).toBe(1);
  expect(await at(apart, codeAt(step + 1, key))).toBe(1);
  expect(await at(ground, codeAt(step, key))).toBe(0);
});

/** Makes the stored data of an emergency password that is good for one use. */
function emergency(otp: string) {
  const terms = Buffer.alloc(10);
  const seconds = Math.floor(ground.clock.now() / 1000);
  terms.writeUInt32BE(seconds, 0);
  terms.writeUInt32BE(seconds + 3600, 4);
  terms.writeUInt16BE(1, 8);
  return { EmergOTP: Buffer.concat([createHash('md5').update(otp).digest(), terms]) };
}
