/**
 * A directory of several servers, of which some are down: logins go on through the others. A server is distinguished from another by the
 * connections that it gets.
 *
 * The guard: a server that does not answer in time gets nothing new, and the next one is preferred.
 */
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { openLdapDirectory } from '../../../ldap/src/index.ts';
import { systemClock } from '../../../node/src/machine/index.ts';
import { startRelay } from '../testing/bed/engines/broken-servers.ts';
import { type Slapd, startSlapd } from '../testing/bed/engines/slapd.ts';
import { type Fixture, openFixture } from '../testing/bed/fixture.ts';
import { freePorts, listenOnLoopback } from '../testing/bed/scratch.ts';
import { KeptLog } from '../testing/kept-log.ts';

let slapd: Slapd;
beforeAll(async () => {
  slapd = await startSlapd({ users: 20 });
  return () => slapd.stop();
});

/** A service on these servers. @param timeout milliseconds that a request may take, and connecting to all of them */
async function openOn(urls: readonly string[], timeout: number): Promise<Fixture> {
  const directory = openLdapDirectory(
    { urls, ca: slapd.ca, bind_dn: slapd.rootDn, bind_password: slapd.rootPassword, timeout_ms: timeout },
    { clock: systemClock, log: new KeptLog() },
  );
  const fixture = await openFixture({
    config: {
      domains: { Default: { base: slapd.base } },
      settings: { 'Otp.LoginMode': 'LDAP' },
      limits: { login_failure_delay_ms: 0 },
    },
    ports: () => ({ directory }),
  });
  onTestFinished(() => fixture.close());
  return fixture;
}

/** @returns the word for how it was answered */
async function logIn({ service }: Fixture, n: number): Promise<string> {
  const answer = await service.web.otp.normalLogin({
    username: `user${n}`,
    ldapPassword: `password${n % 10}`,
  });
  return answer.code === 0 ? answer.error : 'granted';
}

const combined = (fixture: Fixture, count: number): Promise<string[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => logIn(fixture, n)));

const granted = (count: number): string[] => Array.from({ length: count }, () => 'granted');

it('one refuses, one is silent: logins go on through the third, and the silent one is asked once', async () => {
  const [refused = 0] = await freePorts(1);
  let asked = 0;
  const silent = await listenOnLoopback(() => {
    asked += 1;
  });
  onTestFinished(() => silent.stop());
  const servers = [`ldaps://localhost:${refused}`, `ldaps://localhost:${silent.port}`, slapd.ldapsUrl];
  const fixture = await openOn(servers, 9_000);
  expect(await logIn(fixture, 0)).toBe('granted');
  expect(asked).toBe(1);
  for (let n = 0; n < 5; n += 1) expect(await logIn(fixture, n)).toBe('granted');
  expect(await combined(fixture, 20)).toEqual(granted(20));
  expect(asked).toBe(1);
});

it('the one in use falls silent: those under way fail at their deadline, all others go through the next', async () => {
  const relay = await startRelay(slapd.ldapsPort);
  onTestFinished(() => relay.stop());
  const fixture = await openOn([`ldaps://localhost:${relay.port}`, slapd.ldapsUrl], 4_000);
  expect(await combined(fixture, 20)).toEqual(granted(20));
  relay.swallowAnswers();
  expect(await logIn(fixture, 0)).toBe('ServerError');
  // Each connection that there was would fail one more.
  for (let n = 0; n < 8; n += 1) expect(await logIn(fixture, n)).toBe('granted');
  expect(await combined(fixture, 20)).toEqual(granted(20));
});
