import { describe, expect, it } from 'vitest';
import { systemClock, systemRandom } from '../system/index.ts';
import { Passwords } from './passwords.ts';

const passwords = new Passwords({ clock: systemClock, random: systemRandom });

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
  '{CRYPT}sefjKaLm7zybE',
  '{CRYPT}_J9..TGMboRJOi3rGIf6',
  '{CRYPT}$7$BU..../....7gsLHfLTOa9IPkjAtigQA0$uAVnX8bRNl5keHb86YTOu0fvStRMdZmcdhHGYXTnd5A',
  '{CRYPT}$y$j9T$4/DMUN4QY9xzB3QJO74He/$PxcWdVpmy4QfYC7IXnjnHBVtwCFhebYHAOyb0z4iGw/',
  '{CRYPT}$1$uqhL9M/z$RKl634r/BXgWWwAtRxJkZ1',
  '{CRYPT}$5$FIGX0/BCqsbsGRZV$D/Ob/8ebRTxozEUvlpTEpgS79CIPa/DUwIeC8v5ZnR3',
  '{CRYPT}$6$Re91YwmJJ4s1kZ6S$dqVyD1un6AiDMegzMMNVLLHtd0vJrBsSYoWfmZCuyTFJ1gfkAMYdVHbPstBtE63tX8ybVBxADC7uP77I2IFBJ1',
  '{CRYPT}$2y$06$jJfpIhr.1TKt9MCYIekZa.HGLwft3YHI/Fx3FP4XSXe//Pj4Akz1a',
  '{CRYPT}$2b$06$NggLhBFLiEvY7CfnjwA8Re.I08M6UiIDHbl3brRGzJV5CzLyvIRo2',
];

describe('passwords', () => {
  it('are stored as argon2id in the form that slapd verifies, each with its own salt', async () => {
    const [one, other] = await Promise.all([passwords.hash('secret'), passwords.hash('secret')]);
    expect(one).toMatch(/^\{ARGON2\}\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    expect(one).not.toBe(other);
    expect(await passwords.verify([one], 'secret')).toBe(true);
    expect(await passwords.verify([one], 'Secret')).toBe(false);
  });

  it.each(known)('that arrive hashed are kept and verified: %s', async (stored) => {
    expect(await passwords.protect(stored)).toBe(stored);
    expect(await passwords.verify([stored], 'secret')).toBe(true);
    expect(await passwords.verify([stored], 'secret ')).toBe(false);
    expect(await passwords.verify([stored], '')).toBe(false);
  });

  it('match if one of several values does', async () => {
    expect(await passwords.verify(['{SSHA}AAAA', await passwords.hash('secret')], 'secret')).toBe(true);
  });

  it.each([
    'secret',
    '{UNKNOWN}secret',
    '{CRYPT}*',
    '{CRYPT}$y$jFT$4/DMUN4QY9xzB3QJO74He/$PxcWdVpmy4QfYC7IXnjnHBVtwCFhebYHAOyb0z4iGw/',
    '{ARGON2}secret',
    '{CRYPT}$2y$99$x',
    '{ARGON2}$argon2id$v=19$m=4194304,t=1,p=1$bm9ib2R5IGhhcyB0aGlz$MqEVWxSEiRbrVAqu1rpT4i7YyLzD4XGG8WMjTbMbBTY',
    '{SSHA}',
    '',
  ])('never match what is no hash: %s', async (stored) => {
    expect(await passwords.verify([stored], 'secret')).toBe(false);
  });

  it.each([
    ['{secret}', '{secret}'],
    ['{my}Pa55word', '{my}Pa55word'],
    ['{CLEARTEXT}secret', 'secret'],
  ])('are hashed if they only look like hashes: %s', async (value, password) => {
    const stored = await passwords.protect(value);
    expect(stored).toMatch(/^\{ARGON2\}\$argon2id/);
    expect(await passwords.verify([stored], password)).toBe(true);
  });

  it('are refused if empty or too long', async () => {
    await expect(passwords.protect('')).rejects.toMatchObject({ reason: 'password_refused' });
    await expect(passwords.hash('x'.repeat(1025))).rejects.toMatchObject({ reason: 'password_refused' });
  });

  it('leave the event loop free while many are hashed', async () => {
    let turns = 0;
    const count = setInterval(() => {
      turns += 1;
    }, 1);
    await Promise.all(Array.from({ length: 8 }, () => passwords.hash('secret')));
    clearInterval(count);
    expect(turns).toBeGreaterThan(10);
  });

  it('cost an argon2 hash whether the user exists, has an old hash, or not', async () => {
    // CPU, not time: a busy machine takes longer, but computes no more.
    const work = async (stored: string[]) => {
      const start = process.cpuUsage();
      for (let n = 0; n < 5; n += 1) await passwords.verify(stored, 'wrong');
      return process.cpuUsage(start).user;
    };
    const slow = await work([await passwords.hash('secret')]);
    expect(await work([])).toBeGreaterThan(slow / 4);
    expect(await work([known[0] ?? ''])).toBeGreaterThan(slow / 4);
  });
});
