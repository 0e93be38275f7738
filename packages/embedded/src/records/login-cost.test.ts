/** The cost of a login: durable and ephemeral transactions, and requests to the directory. */
import { createSecretKey } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { totp } from '../../../core/src/foundation/oath/totp.ts';
import { webRequest } from '../../../core/src/testing/bed/children/echo.ts';
import { type Fixture, openFixture } from '../../../core/src/testing/bed/fixture.ts';
import { scratchFolder } from '../../../core/src/testing/bed/scratch.ts';
import {
  type Environment,
  maxEphemeralRecords,
  openEnvironment,
  openEventLog,
  openLedger,
  openStore,
} from '../index.ts';

const secret = Buffer.from('12345678901234567890');
const source = { secret: createSecretKey(secret), digits: 6, period: 30 };

let folder: string;
let durable: Environment;
let ephemeral: Environment;
let fixture: Fixture;
beforeEach(async () => {
  folder = await scratchFolder('login-cost');
  durable = await openEnvironment(join(folder, 'durable'));
  ephemeral = await openEnvironment(join(folder, 'ephemeral'), { isEphemeral: true });
  const events = await openEventLog(durable);
  fixture = await openFixture({
    ports: ({ clock }) => ({
      store: openLedger({ lasting: durable, ephemeral }, clock, events),
      ephemeral: openStore(ephemeral, clock, maxEphemeralRecords),
      events,
    }),
  });
  const { dn } = fixture.users.alice;
  await fixture.call('Activate_LDAP_Object', { dn });
  await fixture.call('Otp.TOTP_Register', { dn, key: secret.toString('base64') });
});
afterEach(async () => {
  await fixture.close();
  await ephemeral.close();
  await durable.close();
  await rm(folder, { recursive: true });
});

/** Advances to the next code; the node's own record of every 30 s is written. */
async function nextStep(): Promise<void> {
  fixture.clock.advance(30_000);
  await fixture.ports.ephemeral.remove('nothing');
}

/** Logs in with a password and a new code from this address. */
async function logIn(address: string): Promise<string> {
  const { clock, service, users } = fixture;
  const { username, password: ldapPassword } = users.alice;
  const body = JSON.stringify({ username, ldapPassword, otpPassword: totp(source, clock.now()) });
  const request = webRequest('/otp/json/otpNormalLogin/', { body });
  return String((await service.web.answer({ ...request, address })).body);
}

/** Counts the transactions and directory requests of a successful login. */
async function costOf(address: string) {
  await nextStep();
  const before = { onDisk: durable.transactions, inMemory: ephemeral.transactions };
  fixture.directory.takeAsked();
  expect(await logIn(address)).toContain('"code":1');
  // The release is committed after the answer.
  await nextTurn();
  const asked = fixture.directory.takeAsked().filter((request) => request !== 'capabilities');
  const onDisk = durable.transactions - before.onDisk;
  return { onDisk, inMemory: ephemeral.transactions - before.inMemory, asked };
}

/** The user, its groups, the password. */
const asked = ['service.search', 'service.search', 'authenticate'];

it('takes and releases a token and the lock in one step each, and commits once, at an unknown source', async () => {
  expect(await costOf('192.0.2.1')).toEqual({ onDisk: 1, inMemory: 2, asked });
});

it('takes and releases the lock, and commits once, at a known source', async () => {
  await nextStep();
  await logIn('192.0.2.1');
  expect(await costOf('192.0.2.1')).toEqual({ onDisk: 1, inMemory: 2, asked });
});

it('leaves no ephemeral record of locks and sources after a login', async () => {
  for (const address of ['192.0.2.1', '2001:db8::1']) {
    await nextStep();
    await logIn(address);
    await nextTurn();
  }
  const keys = [...ephemeral.table('store', { encoding: 'binary' }).getKeys()].map(String);
  expect(keys).toEqual([expect.stringMatching(/^nodes:/)]); // the record of this node
});

it('commits ephemeral changes of one turn in one transaction', async () => {
  const before = ephemeral.transactions;
  const store = openStore(ephemeral, fixture.clock, maxEphemeralRecords);
  const counts = await Promise.all(
    Array.from({ length: 16 }, () => store.count('x', { by: 1, seconds: 60 })),
  );
  expect(counts).toEqual(Array.from({ length: 16 }, (_, counted) => counted + 1));
  expect(ephemeral.transactions - before).toBe(1);
});
