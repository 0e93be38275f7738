/**
 * Fifty requests of strangers a second at the embedded directory, each from an address of its own, and a user who has logged in
 * before. With real hashes: what a second is on a machine that is slow or busy with other things, a hash alone tells before each round.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Dn } from '@watchword/core';
import { openDirectory, openEnvironment } from '@watchword/embedded';
import { systemClock, systemRandom } from '@watchword/node';
import { afterAll, beforeAll, expect, it } from 'vitest';

/** In milliseconds: how long right logins may take, and what one hash takes at most on a machine of our own. */
const [most, usualHash] = [3000, 50];
const [strangersPerSecond, seconds, rounds] = [50, 4, 5];

const base = Dn.parse('dc=example,dc=org');
const alice = base.child([{ type: 'uid', value: 'alice' }]);
const password = 'alice-Pa55';

let folder: string;
let close: () => Promise<void>;
let directory: Awaited<ReturnType<typeof openDirectory>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchword-hashing-'));
  const environment = await openEnvironment(folder);
  directory = await openDirectory(environment, { base }, { clock: systemClock, random: systemRandom });
  const attributes = {
    objectclass: ['inetOrgPerson'],
    cn: ['alice'],
    sn: ['alice'],
    userpassword: [password],
  };
  await directory.service.add(alice, new Map(Object.entries(attributes)));
  close = async () => {
    await directory.close();
    await environment.close();
  };
});
afterAll(async () => {
  await close();
  await rm(folder, { recursive: true });
});

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

const logIn = () =>
  directory.authenticate(alice, password, { requester: { caller: 'key:1', isKnown: true } });

/** How long the user's right logins take at the 95th percentile. @param slowness seconds of this machine for a second of ours */
async function underFlood(slowness: number): Promise<number> {
  const logins: Promise<number>[] = [];
  const strangers: Promise<unknown>[] = [];
  const end = performance.now() + seconds * 1000 * slowness;
  for (let n = 0; performance.now() < end; n += 1) {
    const nobody = base.child([{ type: 'uid', value: `nobody${n}` }]);
    const requester = { caller: `address:${n}`, isKnown: false };
    strangers.push(
      directory.authenticate(nobody, 'x', { requester }).catch((error: unknown) => {
        expect(error).toMatchObject({ reason: 'unavailable', retryAfter: expect.any(Number) });
      }),
    );
    if (n % 10 === 0) logins.push(timed(logIn).catch(() => Number.POSITIVE_INFINITY));
    await sleep((1000 * slowness) / strangersPerSecond);
  }
  const took = (await Promise.all(logins)).sort((a, b) => a - b);
  await Promise.all(strangers);
  return (took[Math.floor(took.length * 0.95)] ?? Number.NaN) / slowness;
}

it('lets known users in within three seconds', async () => {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds && best >= most; round += 1) {
    const alone = Math.min(await timed(logIn), await timed(logIn), await timed(logIn));
    best = Math.min(best, await underFlood(Math.max(1, alone / usualHash)));
  }
  expect(best).toBeLessThan(most);
});
