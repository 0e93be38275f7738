/**
 * Names without a user on the engines that a server has (docs/concepts/login.md#decoy): they fill neither memory nor disk,
 * and keep nobody out. They are a million with WATCHWORD_LONG, which takes a quarter of an hour and 700 MB; else fewer,
 * with as many fewer slots.
 */
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Authentication, Dn } from '@watchword/core';
import { KeptLog } from '@watchword/core/testing';
import { type Fixture, openFixture, rounds, scratchFolder } from '@watchword/core/testing/bed';
import {
  type Environment,
  maxEphemeralRecords,
  openEnvironment,
  openEphemeral,
  openEventLog,
  openLedger,
  openStore,
} from '@watchword/embedded';
import { createWebServiceHandler } from '@watchword/server-ws';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LeapingClock } from './clock.ts';
import { instead, withSlots } from './nodes.ts';

const names = rounds(2000, 1_000_000);
const allSlots = 2 ** 20;
const slots = rounds(128, allSlots);
const atATime = 64;
/** Each waits for some real milliseconds, as its place is judged once a second: see {@link LeapingClock}. */
const floodEvery = Math.max(20, names / 5000);
/** So many milliseconds apart, each of them has a failure back before its turn comes again. */
const places = 4000;
/** Of the log, in an hour: different refusals, and one for all the others. */
const maxRefusals = 1001;

/** What is held after so many names. */
interface Look {
  readonly names: number;
  /** Bytes. */
  readonly heap: number;
  readonly disk: number;
  readonly records: number;
  readonly ephemeral: number;
  readonly events: number;
}

let folder: string;
let durable: Environment;
let ephemeral: Environment;
let fixture: Fixture;
const clock = new LeapingClock();
const looks: Look[] = [];
/** How a user was answered who logs in meanwhile. */
const answers: { readonly code?: number }[] = [];

beforeAll(async () => {
  await openAll();
  const { dn } = fixture.users.alice;
  await fixture.call('Activate_LDAP_Object', { dn });
  await fixture.call('Set_User_Settings', { dn, settings: { 'Otp.LoginMode': 'LDAP' } });
  await flood(names / 2);
  looks.push(await look(names / 2));
  await flood(names, names / 2);
  looks.push(await look(names));
}, 7_200_000);
afterAll(async () => {
  await fixture.close();
  await ephemeral.close();
  await durable.close();
  await rm(folder, { recursive: true });
});

async function openAll(): Promise<void> {
  folder = await scratchFolder('names');
  durable = await openEnvironment(folder);
  ephemeral = await openEphemeral(folder, 'run');
  const events = await openEventLog(durable);
  fixture = await openFixture({
    config: { limits: { login_failure_delay_ms: 0 } },
    ports: ({ directory, keys }) => ({
      ...{ clock, events, log: new NoLog() },
      store: openLedger({ lasting: durable, ephemeral }, clock, events),
      ephemeral: openStore(ephemeral, clock, maxEphemeralRecords),
      // It is not the hashing of passwords that is looked at.
      directory: instead(directory, 'authenticate', authenticate),
      ...(slots < allSlots && { keys: withSlots(keys, slots) }),
    }),
  });
}

/** Keeps nothing: a server's log is written and gone. */
class NoLog extends KeptLog {
  override info(): void {}
  override warn(): void {}
}

const authenticate = async (_: Dn, password: string): Promise<Authentication> =>
  password === 'right' ? { granted: true, mustChange: false } : { granted: false, refusal: 'wrong_password' };

/** One name after the other from some thousand places, and some of them from one that has no failure left. */
async function flood(until: number, from = 0): Promise<void> {
  const ask = asking();
  let next = from;
  const goOn = async () => {
    for (let n = next++; n < until; n = next++) {
      clock.advance(1);
      const place = n % places;
      await ask(`100.64.${place >> 8}.${place & 255}`, { username: `nobody${n}`, ldapPassword: 'wrong' });
      if (n % floodEvery === 0) await ask('203.0.113.9', { username: `flood${n}`, ldapPassword: 'wrong' });
      if (n % 100 === 0)
        answers.push(await ask('198.51.100.1', { username: 'alice', ldapPassword: 'right' }));
    }
  };
  await Promise.all(Array.from({ length: atATime }, goOn));
}

function asking() {
  const handler = createWebServiceHandler(fixture.service);
  const url = 'https://localhost:8443/otp/json/otpNormalLogin/';
  const headers = { 'content-type': 'application/json' };
  return async (address: string, fields: object): Promise<{ code?: number }> => {
    const request = new Request(url, { method: 'POST', headers, body: JSON.stringify(fields) });
    return (await handler(request, { address, port: 40_000 })).json();
  };
}

async function look(after: number): Promise<Look> {
  // What the fixture keeps is not the service's.
  fixture.directory.takeAsked();
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  const countOf = (environment: Environment, table: string) =>
    environment.table(table, { encoding: 'binary' }).getCount();
  return {
    names: after,
    heap: process.memoryUsage().heapUsed,
    disk: (await stat(join(folder, 'data.mdb'))).size,
    records: countOf(durable, 'store'),
    ephemeral: countOf(ephemeral, 'store'),
    events: countOf(durable, 'events'),
  };
}

it('keep nobody out who is known where it comes from', () => {
  expect(answers).toHaveLength(names / 100);
  expect(answers.filter(({ code }) => code !== 1)).toEqual([]);
});

it('take the slots that there are, and no more', () => {
  // Beside them: what is kept of the user who logs in, and of the installation.
  for (const { records } of looks) expect(records).toBeLessThanOrEqual(slots + 8);
});

it('fill no disk: a slot takes some hundred bytes', () => {
  for (const { disk, events } of looks) expect(disk).toBeLessThan(slots * 600 + events * 2000 + 2 ** 20);
});

it('are told in a thousand events an hour', () => {
  const hours = Math.ceil(names / 3_600_000);
  const granted = names / 100;
  for (const { events } of looks) expect(events).toBeLessThanOrEqual(hours * maxRefusals + granted + 100);
});

it('leave as many places behind as have failed in the last minute', () => {
  for (const { ephemeral: left } of looks) expect(left).toBeLessThanOrEqual(places + 2 * atATime);
});

// Fewer names are lost in what the runtime itself needs.
if (slots === allSlots)
  it('leave nothing in memory', () => {
    const [half = 0, all = 0] = looks.map(({ heap }) => heap);
    expect(all - half).toBeLessThan((names / 2) * 32);
  });
