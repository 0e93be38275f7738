/**
 * A domain whose directory is gone and says nothing: logins of another domain do not wait for it. Shown by the order in which
 * logins end, not by how long they take.
 *
 * The guard: each directory has pools of its own (packages/ldap/src/connection/pool.ts), and a login asks none but that of its domain
 * (directory/mounted.ts).
 */
import { expect, it, onTestFinished } from 'vitest';
import { openLdapDirectory } from '../../../ldap/src/index.ts';
import { systemClock } from '../../../node/src/machine/index.ts';
import { openPrometheus } from '../../../node/src/prometheus/index.ts';
import { mountDirectories } from '../directory/mounted.ts';
import { Dn } from '../foundation/text/dn.ts';
import type { DirectoryServer } from '../ports/directory/directory.ts';
import { startSilentServer } from '../testing/bed/engines/broken-servers.ts';
import { type Fixture, openFixture } from '../testing/bed/fixture.ts';
import {
  entry,
  openScriptedDirectory,
  operations,
  reply,
  type Script,
} from '../testing/bed/scripted-directory.ts';
import { KeptLog } from '../testing/kept-log.ts';

const home = 'dc=example,dc=org';
const branch = 'DC=example,DC=test';
const many = 50;
/** In milliseconds: longer than a test takes. The server ends what hangs, and no deadline does. */
const never = 100_000;

/** Two domains, and the caller of both, who logs users of many places in. */
async function openDomains(server: DirectoryServer): Promise<Fixture> {
  const fixture = await openFixture({
    config: {
      domains: { Default: { base: home }, Branch: { base: branch } },
      ...{ trusted_callers: ['127.0.0.1'], metrics_clients: ['127.0.0.1'] },
      settings: { 'Otp.LoginMode': 'LDAP' },
      limits: { login_failure_delay_ms: 0 },
    },
    ports: ({ directory }) => ({
      meter: openPrometheus(),
      directory: mountDirectories({ base: Dn.parse(home), server: directory }, [
        { base: Dn.parse(branch), server },
      ]),
    }),
  });
  onTestFinished(() => fixture.close());
  for (const { dn } of Object.values(fixture.users)) await fixture.call('Activate_LDAP_Object', { dn });
  return fixture;
}

/** Logins of the branch, and how many of them have ended. */
function hangingLogins({ service }: Fixture) {
  let ended = 0;
  const answers = Array.from({ length: many }, async (_, n) => {
    const answer = await service.web.otp.normalLogin({
      username: `user${n}`,
      domain: 'Branch',
      ldapPassword: 'x',
    });
    ended += 1;
    return answer;
  });
  return { answers: Promise.all(answers), ended: () => ended };
}

/** Logins of the other domain: one after another, and all at a time. */
async function othersAreLetIn({ service, users }: Fixture): Promise<void> {
  const logIn = ({ username, password: ldapPassword }: (typeof users)['alice']) =>
    service.web.otp.normalLogin({ username, ldapPassword });
  for (let n = 0; n < 10; n += 1) expect(await logIn(users.alice)).toMatchObject({ code: 1 });
  const combined = Array.from({ length: 20 }, (_, n) => logIn(n % 2 === 0 ? users.alice : users.bob));
  for (const answer of await Promise.all(combined)) expect(answer).toMatchObject({ code: 1 });
}

const failed = Array.from({ length: many }, () => expect.objectContaining({ error: 'ServerError' }));

it('is searched in vain while others log in', async () => {
  const silent = await startSilentServer();
  onTestFinished(() => silent.stop());
  const server = openLdapDirectory(
    {
      urls: [`ldap://127.0.0.1:${silent.port}`],
      ...{ allow_plain: true, bind_dn: 'cn=service', bind_password: 'x', base: branch, timeout_ms: never },
    },
    { clock: systemClock, log: new KeptLog() },
  );
  const fixture = await openDomains(server);
  const hanging = hangingLogins(fixture);
  // Each of them has asked what that directory is like, which is the first thing.
  const asked = () => fixture.directory.asked.filter((question) => question === 'capabilities').length;
  await expect.poll(asked, { timeout: never }).toBeGreaterThanOrEqual(many);
  await othersAreLetIn(fixture);
  expect(hanging.ended()).toBe(0);
  await silent.stop();
  expect(await hanging.answers).toEqual(failed);
});

it('is asked for passwords in vain while others log in', async () => {
  const directory = await openScriptedDirectory(judgesNobody, { timeout_ms: never });
  onTestFinished(() => directory.endServer());
  const fixture = await openDomains(directory.server);
  const hanging = hangingLogins(fixture);
  const asked = () => fixture.directory.asked.filter((question) => question === 'authenticate').length;
  await expect.poll(asked, { timeout: never }).toBe(many);
  expect(await loginConnections(fixture)).toEqual({ open: 4, in_use: 4, waiting: many - 4 });
  await othersAreLetIn(fixture);
  expect(hanging.ended()).toBe(0);
  await directory.endServer();
  expect(await hanging.answers).toEqual(failed);
});

/** Those of the branch, as `/metrics` tells them. */
async function loginConnections({ service }: Fixture): Promise<Readonly<Record<string, number>>> {
  const { text = '' } = (await service.metrics('127.0.0.1')) ?? {};
  const result = text.matchAll(
    /^watchword_ldap_connections\{directory="DC=example,DC=test",pool="logins",state="(\w+)"\} (\d+)$/gm,
  );
  return Object.fromEntries(Array.from(result, ([, state = '', count]) => [state, Number(count)]));
}

/** Finds every user, and does not answer whether the password is right. */
const judgesNobody: Script = (request) => {
  const { bindRequest, bindResponse, searchRequest, searchDone } = operations;
  if (request.operation === bindRequest)
    return request.isBindOf('CN=service') ? [reply(request, bindResponse)] : [];
  if (request.operation !== searchRequest) return [];
  const name = /user\d+/.exec(request.bytes.toString('latin1'))?.[0];
  const done = reply(request, searchDone);
  if (name === undefined) return [entry(request, 'CN=none,DC=example,DC=test'), done];
  const attributes = [
    ['objectClass', 'top', 'person', 'organizationalPerson', 'user', 'inetOrgPerson'],
    ['uid', name],
    ['sAMAccountName', name],
    ['objectGUID', name.padEnd(16, '.')],
  ];
  return [entry(request, `CN=${name},DC=example,DC=test`, ...attributes), done];
};
