/**
 * A dry run of every method of the table: nothing is another thing afterwards, and what it tells is what the call then does, about
 * a user who has something of everything.
 */
import { X509Certificate } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundled } from '../../../applications/index.ts';
import { KeptSender } from '../../../messaging/testing/kept-sender.ts';
import type { Mail, Push, Sms } from '../../../ports/sending/sender.ts';
import { Names } from '../../../table/dialect.ts';
import { openEnrolment } from '../../../testing/bed/enrolment.ts';
import { type Fixture, openFixture } from '../../../testing/bed/fixture.ts';
import { MethodTable } from '../methods.ts';
import { reportedChanges } from './testing/reported-changes.ts';
import { changesBetween, lookAround, type Snapshot } from './testing/snapshot.ts';

const base = 'dc=example,dc=org';
const people = `ou=people,${base}`;
const methods = new MethodTable(bundled, new Names()).all;
const writing = methods.filter(({ method }) => method.permission === 'write');

/** Methods that judge a guess, which counts: a dry run does not judge it. */
const unjudged = [
  ...['Otp.HOTP_Resync_Sequence', 'Otp.TOTP_Resync', 'SelfDesk.Change_Password', 'Otp.Yubicloud_Register'],
  ...['Otp.OCRA_Resync_Sequence', 'Otp.OCRA_Resync_Time'],
];

/** Nobody else is to be without them afterwards. */
const moving = [
  ...['Activate_LDAP_Object', 'Deactivate_LDAP_Object', 'Move_LDAP_Object', 'Rename_LDAP_Object'],
  'Remove_LDAP_Object',
];

const senders = { mail: new KeptSender<Mail>(), sms: new KeptSender<Sms>(), push: new KeptSender<Push>() };
const tries = () => Object.values(senders).reduce((sum, sender) => sum + sender.tries, 0);
const yubico = { verify: async () => 'good' as const, close: () => {} };
const party = { id: 'localhost', origins: ['https://localhost:4443'] };
const requested = new Map<string, unknown>();

let fixture: Fixture;
let last: Snapshot;
beforeAll(async () => {
  const settings = {
    ...{ 'Otp.PasswordReset': 'Yes', 'Otp.SelfRegister': 'Yes', 'SshKey.SelfRegister': 'Yes' },
  } as const;
  fixture = await openFixture({
    config: { settings, clients: { mail: {} }, relying_party: party },
    ports: () => ({ senders, yubico }),
  });
  await prepare('alice');
  await prepareCertificates();
  last = await lookAround(fixture);
});
afterAll(() => fixture.close());

/** Calls as the super administrator, over the Manager's own door. */
async function call(method: string, params: unknown, isDryRun = false): Promise<unknown> {
  const body = { jsonrpc: '2.0', id: 1, method, params };
  const answer = (await fixture.answer({ body, isDryRun })).body;
  if (!answer || !('jsonrpc' in answer)) throw new Error('no answer');
  return 'error' in answer ? { reason: answer.error.reason } : answer.result;
}

async function prepare(uid: string): Promise<void> {
  const dn = `uid=${uid},${people}`;
  const own = { cn: uid, sn: uid, mail: `${uid}@example.org`, mobile: '+491512345678' };
  const attrs = { objectclass: ['inetOrgPerson', 'webadmAccount'], ...own, userpassword: 'Secret-1' };
  const key = Buffer.alloc(20, uid).toString('base64');
  const item = { type: 'OTP Token', reference: `${uid}-1` };
  for (const [method, params] of [
    ['Create_LDAP_Object', { dn, attrs }],
    ['Activate_LDAP_Object', { dn }],
    ['Otp.HOTP_Register', { dn, key }],
    ['Otp.OCRA_Register', { dn, key: Buffer.alloc(32, uid).toString('base64'), id: 2 }],
    ['Otp.TOTP_Register', { dn, key, id: 3 }],
    ['Otp.Emerg_Register', { dn }],
    ['Otp.AppKey_Register', { dn }],
    ['SshKey.Key_Register', { dn, type: 'ECC' }],
    ['Import_Inventory_Item', { ...item, description: uid, data: {} }],
    ['Link_Inventory_Item', { ...item, dn }],
    ['Set_Role', { name: uid, members: [dn], methods: ['*'], subtrees: [people] }],
  ] as const)
    await call(method, params);
}

async function prepareCertificates(): Promise<void> {
  const { openssl, sign, close } = await openEnrolment(fixture);
  const subject = '/CN=Default\\\\alice/UID=alice/DC=Default/description=USER';
  const { certificate } = await sign(subject);
  requested.set('Sign_certificate_Request', { request: (await openssl.request(subject)).request });
  requested.set('Revoke_Certificate', { serial: new X509Certificate(certificate).serialNumber });
  await close();
}

/** Instead of the example, which is about what is not there. */
const params = (ours: string, example: unknown): unknown =>
  requested.get(ours) ?? paramsOf[ours] ?? example ?? {};
const dn = `uid=alice,${people}`;
const paramsOf: Readonly<Record<string, unknown>> = {
  Move_LDAP_Object: { dn, container: `ou=groups,${base}` },
  Set_User_Attrs: { dn, attrs: { mail: 'other@example.org', sn: 'Other' } },
  Remove_User_Attrs: { dn, attrs: ['mail'] },
  Set_Client_Mode: { client: 'mail', mode: 3 },
  Remove_Role: { name: 'alice' },
  'Otp.TOTP_Resync': { dn, otp: '123456', id: 3 },
  'Otp.OCRA_Resync_Counter': { dn, counter: 1, id: 2 },
  'Otp.OCRA_Resync_Sequence': { dn, otp1: '123456', otp2: '123457', challenge: '12345678', id: 2 },
  'Otp.OCRA_Setpin': { dn, pin: '4711', id: 2 },
};

/** Looks when the message is gone from the outbox and on record. */
async function lookWhenSent(): Promise<Snapshot> {
  for (;;) {
    const now = await lookAround(fixture);
    if (![...now.values.keys()].some((key) => key.startsWith('outbox:'))) return now;
    await nextTurn();
  }
}

/** A dry run, and nothing is another thing than before. */
async function dryRun(ours: string, asked: unknown): Promise<unknown> {
  const tried = tries();
  const answer = await call(ours, asked, true);
  expect([await lookAround(fixture), tries()]).toEqual([last, tried]);
  return answer;
}

it('sees what changes', async () => {
  await fixture.ports.store.put('anything:at-all', new Uint8Array([1]), 1e6);
  const now = await lookAround(fixture);
  expect(changesBetween(last, now)).toEqual(['store anything']);
  last = now;
  expect(await call('Otp.User_Tokens', { dn })).toHaveLength(3);
});

describe('every method that reads', () => {
  const reading = methods.filter((one) => !writing.includes(one));
  it.each(reading)('$ours changes nothing', async ({ ours, method }) => {
    const answer = Object(await dryRun(ours, params(ours, method.example)));
    expect(Object.keys(answer)).toEqual('reason' in answer ? ['reason'] : ['dryRun', 'would']);
  });
});

describe('every method that writes', () => {
  it.each(writing)('$ours tells what it would do, and does not do it', async ({ ours, method }) => {
    const uid = moving.includes(ours) ? ours.toLowerCase().replaceAll('_', '-') : 'alice';
    if (uid !== 'alice') await prepare(uid);
    last = await lookAround(fixture);
    const asked = JSON.parse(JSON.stringify(params(ours, method.example)).replaceAll('alice', uid));
    const result = await dryRun(ours, asked);
    const answer = await call(ours, asked);
    const now = await lookWhenSent();
    if ('reason' in Object(result)) expect(result).toEqual(answer);
    else if (unjudged.includes(ours)) expect(result).toEqual({ dryRun: true, would: null });
    else expect(reportedChanges(result)).toEqual(changesBetween(last, now));
    last = now;
  });
});
