import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { KeptLog } from '../../../core/src/testing/kept-log.ts';
import { TestClock } from '../../../core/src/testing/test-clock.ts';
import { systemClock, systemRandom } from '../../../node/src/machine/index.ts';
import { hash, usualCost } from '../password-schemes/index.ts';
import { enforcedPolicy } from './password-policy.ts';
import { Passwords } from './passwords.ts';

/** The policy has its own test, password-policy.test.ts. */
const policy = enforcedPolicy({ minLength: 1, refusesCommon: false });
const passwords = new Passwords({ clock: systemClock, random: systemRandom }, { policy });
const argon2Hash = (text: string) => hash(text, randomBytes(16), usualCost);
const user = 'uid=alice,dc=example,dc=com';
const verify = (stored: readonly string[], password: string) => passwords.verify({ user, stored }, password);

/** Hashes of `secret` made by slappasswd(8), openssl passwd(1) and glibc's crypt(3). */
const known = [
  '{SSHA}r4d/ta8tsTK6qNdEF4CreqIr8WCzOe2d',
  '{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=',
  '{SMD5}NJfM0bPJAD+ygfZZ3UnXbt3DPIA=',
  '{MD5}Xr4ilOzQ4PCOq3aQ0qbuaQ==',
  '{SSHA256}gtqsbTZ4qQ19MINzPTMdmN2u3gNZzNsGZv1ZM9Mb7pXKIZuneTtrnA==',
  '{SSHA512}gVf67OJHu2m0FUcneu5XOBVRqd3fSb4sw31DNDQIOiK7GNz7RJ5CphlkFzJsuUKjQOokGfDyjUNadbpX+mmbFBHChNDV+/0F',
  '{SHA512}vSsar3708Jvp9Szi2NWZZ02Bqp1qRCFpbcTZPdBhnWgs5WtNZKnvCXdhztmeD2cmW192CF5bDufKRpayrW/isg==',
  '{SSHA384}dUbXw+rXVabS63mni+ludNq2jFTn5ieJx54cHE4qhjRPPV1Yz5Gp2A+jf2r9njC2P8eeoQzDipg=',
  '{ARGON2}$argon2i$v=19$m=4096,t=3,p=1$Nt0q+dRoFViiBW//UhNqDw$fv+UXyKtaAgzjUaDAp7YhXQnn1t0pjBwIJo5TspVZ7s',
  '{CRYPT}$5$FIGX0/BCqsbsGRZV$D/Ob/8ebRTxozEUvlpTEpgS79CIPa/DUwIeC8v5ZnR3',
  '{CRYPT}$6$Re91YwmJJ4s1kZ6S$dqVyD1un6AiDMegzMMNVLLHtd0vJrBsSYoWfmZCuyTFJ1gfkAMYdVHbPstBtE63tX8ybVBxADC7uP77I2IFBJ1',
  '{CRYPT}$2y$06$jJfpIhr.1TKt9MCYIekZa.HGLwft3YHI/Fx3FP4XSXe//Pj4Akz1a',
  '{PBKDF2-SHA512}10000$/oQ4xZi382mk7kvCd3ZdkA$2wqjpuyV2l0U/a1QwoQPOtlQL.UcJGNACj1O24balruqQb/NgPW6OCvvrrJP8.SzA3/5iYvLnwWPzeX8IK/bEQ',
  '{CRYPT}$2b$06$NggLhBFLiEvY7CfnjwA8Re.I08M6UiIDHbl3brRGzJV5CzLyvIRo2',
];

/** Hashes of `secret` that never match, with their schemes in the log. */
const neverMatching: readonly (readonly [scheme: string, stored: string])[] = [
  ['{CRYPT}', '{CRYPT}sefjKaLm7zybE'],
  ['{CRYPT}_', '{CRYPT}_J9..TGMboRJOi3rGIf6'],
  ['{CRYPT}$1$', '{CRYPT}$1$uqhL9M/z$RKl634r/BXgWWwAtRxJkZ1'],
  ['{CRYPT}$7$', '{CRYPT}$7$BU..../....7gsLHfLTOa9IPkjAtigQA0$uAVnX8bRNl5keHb86YTOu0fvStRMdZmcdhHGYXTnd5A'],
  ['{CRYPT}$y$', '{crypt}$y$j9T$4/DMUN4QY9xzB3QJO74He/$PxcWdVpmy4QfYC7IXnjnHBVtwCFhebYHAOyb0z4iGw/'],
  ['{CRYPT}$gy$', '{CRYPT}$gy$j9T$abcdefgh$.b78FaZG0c0KT.dtN8lx7dKwhgXOGF5JK6NJaZvT6F8'],
  ['{CRYPT}$5$', '{CRYPT}$5$rounds=999999999$salt$5B8vYYiY.CVt1RlTTf8KbXBH3hsxY/GNooZaBBGWEc5'],
  ['{CRYPT}$2y$', '{CRYPT}$2y$17$jJfpIhr.1TKt9MCYIekZa.HGLwft3YHI/Fx3FP4XSXe//Pj4Akz1a'],
  ['{CRYPT}$2y$', '{CRYPT}$2y$99$x'],
  [
    '{ARGON2}',
    '{ARGON2}$argon2id$v=19$m=4194304,t=1,p=1$bm9ib2R5IGhhcyB0aGlz$MqEVWxSEiRbrVAqu1rpT4i7YyLzD4XGG8WMjTbMbBTY',
  ],
  [
    '{ARGON2}',
    '{ARGON2}$argon2id$v=19$m=4096,t=1025,p=1$bm9ib2R5IGhhcyB0aGlz$MqEVWxSEiRbrVAqu1rpT4i7YyLzD4XGG8WMjTbMbBTY',
  ],
  ['{ARGON2}', '{ARGON2}secret'],
  ['{PBKDF2-SHA512}', '{PBKDF2-SHA512}999999999$c2FsdA$c2VjcmV0'],
  ['{SSHA}', '{SSHA}AAAA'],
  ['{SASL}', '{SASL}alice@EXAMPLE.COM'],
];

describe('password in another Unicode form (RFC 8265, OpaqueString)', () => {
  const [composed, apart] = ['gr\u00fcn \u2460 Lo\u0308we', 'gru\u0308n\u00a0\u2460\u3000L\u00f6we'];

  it('matches', async () => {
    for (const [set, typed] of [
      [composed, apart],
      [apart, composed],
    ] as const) {
      const stored = [await passwords.hash(set)];
      expect([await verify(stored, typed), await verify(stored, set)]).toEqual([true, true]);
    }
  });

  it.each([
    ['in another case', 'GR\u00dcN \u2460 L\u00f6we'],
    ['with another character that is only compatible', 'gr\u00fcn 1 L\u00f6we'],
    ['without the space', 'gr\u00fcn\u2460 L\u00f6we'],
  ])('does not match the password %s', async (_, typed) => {
    expect(await verify([await passwords.hash(composed)], typed)).toBe(false);
  });

  it('matches a hash of the password as typed', async () => {
    const digest = createHash('sha1').update(apart).digest('base64');
    const before = `{ARGON2}${await argon2Hash(apart)}`;
    for (const stored of [[`{SHA}${digest}`], [before]])
      expect([await verify(stored, apart), await verify(stored, composed)]).toEqual([true, false]);
  });
});

describe('password', () => {
  it('is stored as argon2id in the form that slapd verifies, with its own salt', async () => {
    const [one, other] = await Promise.all([passwords.hash('secret'), passwords.hash('secret')]);
    expect(one).toMatch(/^\{ARGON2\}\$argon2id\$v=19\$m=7168,t=5,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    expect(one).not.toBe(other);
    expect(await verify([one], 'secret')).toBe(true);
    expect(await verify([one], 'Secret')).toBe(false);
  });

  it.each(known)('is verified by a stored hash: %s', async (stored) => {
    expect(await passwords.protect(stored)).toBe(stored);
    expect(await verify([stored], 'secret')).toBe(true);
    expect(await verify([stored], 'secret ')).toBe(false);
    expect(await verify([stored], '')).toBe(false);
  });

  it('matches when one of several values does', async () => {
    expect(await verify(['{SSHA}AAAA', await passwords.hash('secret')], 'secret')).toBe(true);
  });

  it.each([
    'secret',
    '{UNKNOWN}secret',
    '{CRYPT}*',
    '{CRYPT}!$6$Re91YwmJJ4s1kZ6S$dqVyD1un6AiDMegzMMNVLLHtd0vJrBsSYoWfmZCuyTFJ1gfkAMYdVHbPstBtE63tX8ybVBxADC7uP77I2IFBJ1',
    '{SSHA}',
    '',
  ])('never matches a value that is no hash: %s', async (stored) => {
    expect(await verify([stored], 'secret')).toBe(false);
  });

  it.each([
    ['{secret}', '{secret}'],
    ['{my}Pa55word', '{my}Pa55word'],
    ['{CLEARTEXT}secret', 'secret'],
  ])('is hashed when it only looks like a hash: %s', async (value, password) => {
    const stored = await passwords.protect(value);
    expect(stored).toMatch(/^\{ARGON2\}\$argon2id/);
    expect(await verify([stored], password)).toBe(true);
  });

  it('is refused when it is empty or too long', async () => {
    await expect(passwords.protect('')).rejects.toMatchObject({ reason: 'password_refused' });
    await expect(passwords.hash('x'.repeat(1025))).rejects.toMatchObject({ reason: 'password_refused' });
  });

  it('does not block the event loop while many are hashed', async () => {
    let turns = 0;
    const count = setInterval(() => {
      turns += 1;
    }, 1);
    await Promise.all(Array.from({ length: 8 }, () => passwords.hash('secret')));
    clearInterval(count);
    expect(turns).toBeGreaterThan(10);
  });

  it.each(neverMatching)(
    'is refused as a hash by %s, kept by an import, never matches, and is logged: %s',
    async (scheme, stored) => {
      const [clock, log] = [new TestClock(), new KeptLog()];
      const own = new Passwords({ clock, random: systemRandom, log }, { policy });
      const logged = () => log.lines.map(({ message, fields }) => [message, fields]);
      const refused = expect.stringContaining(`no password matches a hash ${scheme} like this`);
      await expect(own.protect(stored)).rejects.toMatchObject({
        ...{ reason: 'password_refused', detail: refused },
      });
      const moved = await own.protectMoved(new Map([['userPassword', [stored]]]));
      expect(moved.get('userPassword')).toEqual([stored]);
      expect(own.neverMatching(new Map([['userPassword', [stored, known[0] ?? '']]]))).toBe(1);
      for (const password of ['secret', '', 'x']) {
        expect(await own.verify({ user, stored: [stored] }, password)).toBe(false);
      }
      const sentence = expect.stringMatching(
        /^a stored password never matches: .*; an administrator sets a new password for this user$/,
      );
      // Logged once a minute.
      expect(logged()).toEqual([[sentence, { user, scheme, times: 1 }]]);
      // Not logged when another value matches.
      clock.advance(60_000);
      expect(await own.verify({ user, stored: [stored, known[0] ?? ''] }, 'secret')).toBe(true);
      expect(logged().length).toBe(1);
      await own.verify({ user, stored: [stored] }, 'secret');
      expect(logged().slice(1)).toEqual([[sentence, { user, scheme, times: 2 }]]);
    },
  );

  it('costs an argon2 hash for any user and any stored hash', async () => {
    // CPU time does not depend on the load of the machine.
    // Many hashes, beside which garbage collection is negligible.
    const work = async (stored: readonly string[]) => {
      const start = process.cpuUsage();
      for (let n = 0; n < 12; n += 1) await verify(stored, 'wrong');
      return process.cpuUsage(start).user;
    };
    const slow = await work([await passwords.hash('secret')]);
    expect(await work([])).toBeGreaterThan(slow / 4);
    expect(await work([known[0] ?? ''])).toBeGreaterThan(slow / 4);
    for (const [, stored] of neverMatching) {
      const spent = await work([stored]);
      expect([stored, spent > slow / 4, spent < slow * 4]).toEqual([stored, true, true]);
    }
  });
});
