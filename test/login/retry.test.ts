/**
 * A request of a trusted caller that is repeated to the letter is judged once (docs/concepts/once-only.md#repeated-request): over
 * every door, on two nodes.
 *
 * Seen to fail with the guard taken out: in doors/web/repetitions.ts, let `run` always run.
 */
import { type Fixture, type FixtureOptions, openEnrolment, openFixture } from '@watchword/core/testing/bed';
import { createWebServiceHandler } from '@watchword/server-ws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { doors } from './doors.ts';
import { addUser, codeNow, give, token, withoutLimits } from './people.ts';
import { granted, refused } from './rows/row.ts';

const password = 'dave5-Pa55word';
const config = { ...withoutLimits.config, trusted_callers: ['192.0.2.1'] };

let fixture: Fixture;
let second: Fixture;
const written: Buffer[] = [];
beforeAll(async () => {
  fixture = await openFixture({ config, ports: keepsWritten });
  second = await fixture.another({ config });
  await addUser(fixture, 'dave', password);
  await give(fixture, 'dave', token('TOTP'));
});
afterAll(async () => {
  await second.close();
  await fixture.close();
});

/** What is put into the store, beside where it goes. */
const keepsWritten: NonNullable<FixtureOptions['ports']> = ({ store }) => ({
  store: {
    ...store,
    put: (key, value, seconds) => {
      written.push(Buffer.from(key), Buffer.from(value));
      return store.put(key, value, seconds);
    },
  },
});

let last = 0;
/** A request with a code and a `retryId` of its own. */
function request(): Readonly<Record<string, string>> {
  last += 1;
  fixture.clock.advance(30_000);
  const code = { ldapPassword: password, otpPassword: codeNow(fixture) };
  return { username: 'dave', source: '203.0.113.7', ...code, retryId: `retry ${last}` };
}

const logins = () => fixture.countEvents('Login of');

describe.each(Object.entries(doors))('over %s', (_, open) => {
  const ask = (fields: Readonly<Record<string, string>>, node = fixture) =>
    open(node.service)('normalLogin', fields);

  it('a repeat gets the same answer, on the other node too, for half a minute', async () => {
    const [fields, before] = [request(), logins()];
    expect(await ask(fields)).toEqual(granted);
    expect([await ask(fields), await ask(fields, second)]).toEqual([granted, granted]);
    expect(logins() - before).toBe(1);
    fixture.clock.advance(30_000);
    expect(await ask(fields)).toEqual(refused);
  });

  it('of many at once one is judged', async () => {
    const [fields, before] = [request(), logins()];
    const asked = Array.from({ length: 10 }, (_, n) => ask(fields, n % 2 === 0 ? fixture : second));
    expect(await Promise.all(asked)).toEqual(asked.map(() => granted));
    expect(logins() - before).toBe(1);
  });

  it('a challenge is begun once, and a refusal counts once', async () => {
    const { otpPassword: _, ...fields } = request();
    const [first, again] = [await ask(fields), await ask(fields, second)];
    expect([first.code, again]).toEqual([2, first]);
    const [wrong, before] = [{ ...request(), ldapPassword: 'wrong' }, logins()];
    expect([await ask(wrong), await ask(wrong)]).toEqual([refused, refused]);
    expect(logins() - before).toBe(1);
  });

  it('what differs in any field is another request', async () => {
    const fields = request();
    expect(await ask(fields)).toEqual(granted);
    expect(await ask({ ...fields, ldapPassword: 'wrong' })).toEqual(refused);
    expect(await ask({ ...fields, source: '203.0.113.8' })).toEqual(refused);
    expect(await ask({ ...fields, retryId: 'another' })).toEqual(refused);
    const { retryId: _, ...without } = fields;
    expect(await ask(without)).toEqual(refused);
  });
});

it('of a caller that nobody knows it is ignored', async () => {
  const stranger = await fixture.another({ config: { ...config, trusted_callers: [] } });
  const ask = doors['REST, POST of JSON']?.(stranger.service);
  const fields = request();
  expect([await ask?.('normalLogin', fields), await ask?.('normalLogin', fields)]).toEqual([
    granted,
    refused,
  ]);
  await stranger.close();
});

it('of a caller that has shown a certificate it is not that of another behind the same address', async () => {
  const own = await openFixture({ config: { limits: { login_failure_delay_ms: 0 } } });
  await addUser(own, 'dave', password);
  await give(own, 'dave', token('TOTP'));
  const enrolment = await openEnrolment(own);
  const system = (name: string) => enrolment.sign(`/CN=${name}/description=CLIENT`);
  const [vpn, portal, handler] = [
    await system('VPN'),
    await system('Portal'),
    createWebServiceHandler(own.service),
  ];
  const body = JSON.stringify({
    ...{ username: 'dave', ldapPassword: password, otpPassword: codeNow(own), retryId: 'once' },
  });
  const codeOf = async ({ certificate: pem }: { readonly certificate: string }, address: string) => {
    const headers = { 'content-type': 'application/json' };
    const url = 'https://localhost:8443/otp/json/otpNormalLogin/';
    const peer = { address, port: 40_000, certificate: { pem, authorized: true } };
    const answer = await handler(new Request(url, { method: 'POST', headers, body }), peer);
    return ((await answer.json()) as { readonly code: number }).code;
  };
  expect(await codeOf(vpn, '192.0.2.1')).toBe(1);
  expect(await codeOf(portal, '192.0.2.1')).toBe(0);
  expect(await codeOf(vpn, '192.0.2.2')).toBe(1);
  await enrolment.close();
  await own.close();
});

it('nothing of a request or of its answer can be read in the store', async () => {
  await doors['in process']?.(fixture.service)('normalLogin', request());
  const retried = written.filter((_, at) => at % 2 === 1 && String(written[at - 1]).startsWith('retry:'));
  expect(retried.length).toBeGreaterThan(0);
  for (const secret of [password, 'dave', 'Authentication', 'retry 1'])
    expect(retried.filter((bytes) => bytes.includes(secret))).toEqual([]);
});
