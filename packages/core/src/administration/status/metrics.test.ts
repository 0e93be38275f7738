/** What is measured, as somebody sees it who may look at `/metrics`. */
import { createSecretKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPrometheus } from '../../../../node/src/prometheus/index.ts';
import { withHealth } from '../../doors/health/health.ts';
import { totp } from '../../foundation/oath/totp.ts';
import { metrics } from '../../ports/meter.ts';
import { DeliveryError } from '../../ports/sending/sender.ts';
import { fixedHandler } from '../../testing/bed/fixed-handler.ts';
import { type Fixture, openFixture } from '../../testing/bed/fixture.ts';

const secret = Buffer.from('12345678901234567890');
const source = { secret: createSecretKey(secret), digits: 6, period: 30 };
const watcher = '192.0.2.9';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture({
    config: { metrics_clients: ['192.0.2.8/31'], limits: { login_failure_delay_ms: 0 } },
    ports: () => ({ meter: openPrometheus() }),
  });
  const { dn } = fixture.users.alice;
  await fixture.call('Activate_LDAP_Object', { dn });
  await fixture.call('Otp.TOTP_Register', { dn, key: secret.toString('base64') });
});
afterAll(() => fixture.close());

it('tells of messages: those that were sent, tried again and given up, and those that wait', async () => {
  let answer: () => Promise<void> = async () => undefined;
  const sms = { send: () => answer(), close: async () => undefined };
  const config = { metrics_clients: [watcher] };
  const node = await fixture.another({
    config,
    ports: () => ({ meter: openPrometheus(), senders: { sms } }),
  });
  const send = () => node.call('Send_SMS', { to: '+491512345678', message: 'Hello' });
  const page = async () => (await look(watcher, node)).text();
  const logged = (line: string) => expect.poll(page, { timeout: 15_000 }).toContain(`${line}\n`);
  await send();
  await logged('watchword_messages_total{way="sms",outcome="sent"} 1');
  answer = () => Promise.reject(new DeliveryError('no', { isFinal: true }));
  await send();
  await logged('watchword_messages_total{way="sms",outcome="given_up"} 1');
  answer = () => Promise.reject(new DeliveryError('not now'));
  await send();
  await logged('watchword_messages_total{way="sms",outcome="retried"} 1');
  await logged('watchword_messages_waiting{way="sms"} 1');
  expect(await page()).not.toContain('way="mail"');
  await node.close();
});

const look = (address: string, { service } = fixture, method = 'GET') =>
  withHealth(service, fixedHandler('other', 404))(new Request('https://localhost/metrics', { method }), {
    address,
    port: 1,
  });
const lines = async () => (await (await look(watcher)).text()).split('\n');
/** The value of the line that begins so. */
const valueOf = async (start: string) =>
  Number(
    (await lines())
      .find((line) => line.startsWith(start))
      ?.split(' ')
      .at(-1) ?? 0,
  );

it('tells of logins by what they were answered, and of each of their stages', async () => {
  const { normalLogin, challenge } = fixture.service.web.otp;
  const { username, password: ldapPassword } = fixture.users.alice;
  const otpPassword = totp(source, fixture.clock.now());
  expect(await normalLogin({ username, ldapPassword, otpPassword })).toMatchObject({ code: 1 });
  expect(await normalLogin({ username, ldapPassword })).toMatchObject({ code: 2 });
  expect(await challenge({ username, session: 'A'.repeat(16), otpPassword })).toMatchObject({ code: 0 });
  for (let n = 0; n < 6; n += 1) await normalLogin({ username: 'bob', ldapPassword: `wrong ${n}` });
  await normalLogin({ username: '', ldapPassword });
  const outcomes = [
    'granted',
    'challenge',
    'refused',
    'too_many_attempts',
    'no_session',
    'invalid',
    'failed',
  ];
  const of = (outcome: string) => `watchword_logins_total{application="Otp",outcome="${outcome}"}`;
  const counts = outcomes.map(async (outcome) => [outcome, await valueOf(of(outcome))]);
  expect(Object.fromEntries(await Promise.all(counts))).toEqual({
    ...{ granted: 1, challenge: 1, refused: 5, too_many_attempts: 1, no_session: 1, invalid: 1, failed: 0 },
  });
  const stage = (name: string) => `watchword_login_duration_seconds_count{application="Otp",stage="${name}"}`;
  expect([await valueOf(stage('find')), await valueOf(stage('commit'))]).toEqual([8, 7]);
  expect([await valueOf(stage('admit')), await valueOf(stage('prove'))]).toEqual([8, 7]);
  expect(await valueOf('watchword_limits_total{kind="lockout"}')).toBe(1);
  expect(await valueOf('watchword_codes_total{application="Otp",outcome="claimed"}')).toBe(1);
});

it('tells how many wait for the judgement of others, and which codes came too late', async () => {
  const { username, password: ldapPassword } = fixture.users.alice;
  fixture.clock.advance(30_000);
  const fields = { username, ldapPassword, otpPassword: totp(source, fixture.clock.now()) };
  const rush = Array.from({ length: 5 }, () => fixture.service.web.otp.normalLogin(fields));
  let most = 0;
  while (most === 0) most = await valueOf('watchword_logins_waiting');
  expect(most).toBeLessThan(5);
  expect((await Promise.all(rush)).filter(({ code }) => code === 1)).toHaveLength(1);
  expect(await valueOf('watchword_logins_waiting')).toBe(0);
});

it('tells of calls to the Manager by method and outcome; of methods that nobody has it does not', async () => {
  const { dn } = fixture.users.alice;
  await fixture.call('Get_User_Attrs', { dn });
  await fixture.call('Get_User_Attrs', { dn: 'uid=nobody,dc=nowhere' });
  await fixture.call('Nope_Nope', {});
  const of = (outcome: string) =>
    `watchword_manager_calls_total{method="Get_User_Attrs",outcome="${outcome}"}`;
  expect([await valueOf(of('done')), await valueOf(of('refused'))]).toEqual([1, 1]);
  expect(await valueOf('watchword_manager_call_duration_seconds_count{method="Get_User_Attrs"}')).toBe(2);
  expect((await lines()).join('\n')).not.toContain('Nope');
});

it('tells what is up, and the room on the disk', async () => {
  expect(await valueOf('watchword_server_up{server="ldap"}')).toBe(1);
  expect(await valueOf('watchword_store_free_bytes')).toBeGreaterThan(0);
});

it('tells how old the newest event of each is', async () => {
  const { username } = fixture.users.alice;
  await fixture.service.web.otp.normalLogin({ username, ldapPassword: 'wrong' });
  fixture.clock.advance(90_000);
  expect(await valueOf('watchword_event_age_seconds{application="Otp"}')).toBe(90);
  expect(await valueOf('watchword_event_age_seconds{application="Manager"}')).toBeGreaterThanOrEqual(90);
  await fixture.call('Set_User_Attrs', { dn: fixture.users.alice.dn, attrs: { description: 'x' } });
  expect(await valueOf('watchword_event_age_seconds{application="Manager"}')).toBe(0);
});

it('is there for those who may look, and for nobody else', async () => {
  const seen = await look(watcher);
  expect([seen.status, seen.headers.get('content-type')]).toEqual([
    200,
    expect.stringContaining('text/plain'),
  ]);
  expect(seen.headers.get('cache-control')).toBe('no-store');
  for (const address of ['192.0.2.10', '::1', '']) expect((await look(address)).status).toBe(404);
  expect((await look(watcher, fixture, 'POST')).status).toBe(405);
});

it('is not set where nothing is measured: such a service does not start', async () => {
  const meter = undefined;
  await expect(
    fixture.another({ config: { metrics_clients: ['::1'] }, ports: () => ({ meter }) }),
  ).rejects.toThrow('metrics_clients is set, but no meter with a page is among the ports');
});

it('the dashboard asks for numbers that there are', () => {
  const file = new URL('../../../../../deploy/grafana/watchword.json', import.meta.url);
  const text = readFileSync(file, 'utf8');
  const named = new Set(
    text.match(/watchword_[a-z_]+/g)?.map((name) => name.replace(/_(bucket|sum|count)$/, '')),
  );
  expect([...named].sort()).toEqual(
    Object.values(metrics)
      .map(({ name }) => name)
      .sort(),
  );
});
