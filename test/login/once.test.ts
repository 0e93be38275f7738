/**
 * An OTP works once: a hundred logins at the same moment with the same value, over all doors and on two nodes, and
 * one of them succeeds. 200 rounds for each kind of code by `npm run test:long`; a guard that is out shows in the first round, so
 * that ten by day are enough to find out who took it out.
 *
 * Each of these was seen to fail with its guards taken out: in ports/store/ledger.ts, let
 * `isFree` always be true, and in authenticators/entry-state.ts, let `writeState` answer `ours` also where nothing was written. The
 * second guard alone holds where two nodes have a store each; the first one alone where an entry was set back
 * (login/login.test.ts).
 */
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Fixture, openFixture, rounds } from '@watchword/core/testing/bed';
import { openEnvironment, openEventLog, openLedger } from '@watchword/embedded';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Door, doors } from './doors.ts';
import { addUser, codeAt, codeNow, give, token, withoutLimits } from './people.ts';

const [many, some] = [rounds(10, 200), rounds(10, 40)];
const logins = 100;

let fixture: Fixture;
let second: Fixture;
let ways: readonly Door[];
beforeAll(async () => {
  fixture = await openFixture(withoutLimits);
  for (const username of ['totp', 'hotp', 'list', 'emergency']) await addUser(fixture, username);
  second = await fixture.another(withoutLimits);
  ways = Object.values(doors).flatMap((openDoor) =>
    [fixture, second].map(({ service }) => openDoor(service)),
  );
});
afterAll(async () => {
  await second.close();
  await fixture.close();
});

/** The codes of the answers to a hundred logins at once, in turn over all doors of both nodes. */
async function rush(otpPassword: string, username: string, type = 'TOKEN'): Promise<unknown[]> {
  // Without the password, whose hash would take most of the time: it is the codes that are judged here.
  const fields = { username, otpPassword, settings: `LoginMode=OTP,OTPType=${type}` };
  const answers = Array.from({ length: logins }, (_, n) => ways[n % ways.length]?.('normalLogin', fields));
  return (await Promise.all(answers)).map((answer) => answer?.code);
}

const oneSuccess = [1, ...Array.from({ length: logins - 1 }, () => 0)];
const sorted = (codes: unknown[]) => codes.map(Number).sort((a, b) => b - a);

// At the same time, so that they share the commits of the store: a user for each.
describe.concurrent(`of ${logins} logins with one value exactly one succeeds, ${many} times`, () => {
  it('TOTP', async ({ expect }) => {
    await give(fixture, 'totp', token('TOTP'));
    for (let round = 0; round < many; round += 1) {
      expect(sorted(await rush(codeNow(fixture), 'totp')), `round ${round}`).toEqual(oneSuccess);
      fixture.clock.advance(30_000);
    }
  });

  it('HOTP', async ({ expect }) => {
    await give(fixture, 'hotp', token('HOTP'));
    for (let round = 0; round < many; round += 1)
      expect(sorted(await rush(codeAt(round), 'hotp')), `round ${round}`).toEqual(oneSuccess);
  });

  it('a printed list', async ({ expect }) => {
    for (let round = 0; round < many; round += 1) {
      // A list has at most 100 codes: a new one for each half of the rounds.
      const key = Buffer.alloc(20, round < 100 ? 1 : 2);
      if (round % 100 === 0) await give(fixture, 'list', list(key));
      const codes = await rush(codeAt(round % 100, key), 'list', 'LIST');
      expect(sorted(codes), `round ${round}`).toEqual(oneSuccess);
    }
  });

  it('an emergency password', async ({ expect }) => {
    for (let round = 0; round < many; round += 1) {
      await give(fixture, 'emergency', emergency(`help ${round}`, fixture.clock.now()));
      expect(sorted(await rush(`help ${round}`, 'emergency')), `round ${round}`).toEqual(oneSuccess);
    }
  });
});

describe('two nodes with a store each, on one directory', () => {
  const used = async (otpPassword: string, username: string, type = 'TOKEN') => {
    const fields = { username, otpPassword, settings: `LoginMode=OTP,OTPType=${type}` };
    const nodes = [fixture, apart].flatMap((node) => Array.from({ length: 5 }, () => node));
    const answers = await Promise.all(nodes.map(({ service }) => service.web.otp.normalLogin(fields)));
    return answers.filter(({ code }) => code === 1).length;
  };
  let folder: string;
  let apart: Fixture;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'watchword-store-'));
    const environment = await openEnvironment(folder);
    const ephemeral = await openEnvironment(join(folder, 'ephemeral'), { isEphemeral: true });
    const events = await openEventLog(environment);
    const store = openLedger({ lasting: environment, ephemeral }, fixture.clock, events);
    apart = await fixture.another({ ...withoutLimits, ports: () => ({ store }) });
    return async () => {
      await apart.close();
      await ephemeral.close();
      await environment.close();
      await rm(folder, { recursive: true });
    };
  });

  it('take a HOTP code, a code of a list and an emergency password once', async () => {
    const [hotpKey, listKey] = [Buffer.alloc(20, 3), Buffer.alloc(20, 4)];
    await give(fixture, 'hotp', { ...token('HOTP'), TokenKey: hotpKey });
    await give(fixture, 'list', list(listKey));
    for (let round = 0; round < some; round += 1) {
      await give(fixture, 'emergency', emergency(`apart ${round}`, fixture.clock.now()));
      const counts = await Promise.all([
        used(codeAt(round, hotpKey), 'hotp'),
        used(codeAt(round, listKey), 'list', 'LIST'),
        used(`apart ${round}`, 'emergency'),
      ]);
      expect(counts, `round ${round}`).toEqual([1, 1, 1]);
    }
  });
});

/** As authenticators/lists.ts stores it: digits, size, and a bit for each code that was used. */
const list = (key: Uint8Array) => ({ ListKey: key, ListState: Uint8Array.of(6, 100, ...new Uint8Array(13)) });

/** Makes the stored data of an emergency password that is good for one use. */
function emergency(otp: string, now: number) {
  const terms = Buffer.alloc(10);
  terms.writeUInt32BE(now / 1000, 0);
  terms.writeUInt32BE(now / 1000 + 3600, 4);
  terms.writeUInt16BE(1, 8);
  return { EmergOTP: Buffer.concat([createHash('md5').update(otp).digest(), terms]) };
}
