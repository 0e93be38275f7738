/**
 * Whoever closes the connection before a password is hashed has given the place up, and nothing was judged. Whoever closes it while
 * it is hashed has failed all the same: hanging up is no way to guess without being counted.
 */
import { connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Dn } from '@watchword/core';
import { type Fixture, openFixture } from '@watchword/core/testing/bed';
import { type Listener, serve } from '@watchword/node/http';
import { createWebServiceHandler } from '@watchword/server-ws';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

/** Of `dear`, with 64 MiB and 16 passes: while it is checked, the others wait. */
const dearHash =
  '{ARGON2}$argon2id$v=19$m=65536,t=16,p=1$bm9ib2R5IGhhcyB0aGlz$MqEVWxSEiRbrVAqu1rpT4i7YyLzD4XGG8WMjTbMbBTY';

let fixture: Fixture;
let listener: Listener;
beforeAll(async () => {
  fixture = await openFixture();
  listener = await serve(createWebServiceHandler(fixture.service), { host: '127.0.0.1', port: 0 });
  for (const { dn } of [fixture.users.alice, fixture.users.bob])
    await fixture.call('Activate_LDAP_Object', { dn });
  const { bob } = fixture.users;
  await fixture.ports.directory.service.modify(Dn.parse(bob.dn), [
    { operation: 'replace', attribute: 'userPassword', values: [dearHash] },
  ]);
});
afterAll(async () => {
  await listener.close();
  await fixture.close();
});
beforeEach(() => {
  fixture.log.lines.length = 0;
  fixture.directory.takeAsked();
});

/** All places where passwords are hashed are taken until this resolves. */
async function takePlaces(): Promise<void> {
  const bob = Dn.parse(fixture.users.bob.dn);
  await Promise.all(Array.from({ length: 3 }, () => fixture.ports.directory.authenticate(bob, 'dear')));
  fixture.directory.takeAsked();
}

function ask(): Socket {
  const body = JSON.stringify({ username: 'alice', ldapPassword: 'wrong', settings: 'LoginMode=LDAP' });
  const socket = connect(listener.port, '127.0.0.1');
  const headers = `Host: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
  socket.write(`POST /otp/json/otpNormalLogin/ HTTP/1.1\r\n${headers}\r\n\r\n${body}`);
  return socket;
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await nextTurn();
}

const isAsked = () => fixture.directory.asked.filter((asked) => asked === 'authenticate').length > 0;
const reasons = () => fixture.log.lines.map(({ fields }) => String(fields.reason ?? ''));
const failures = () => fixture.events().filter(({ text }) => text.includes('wrong password')).length;

it('gives the place up, and nothing is judged or counted', async () => {
  const before = fixture.events().length;
  const taken = takePlaces();
  await nextTurn();
  fixture.directory.takeAsked();
  const socket = ask();
  await until(isAsked);
  socket.destroy();
  await until(() => reasons().includes('unavailable'));
  expect(fixture.log.lines.find(({ fields }) => fields.reason === 'unavailable')).toMatchObject({
    level: 'info',
    fields: { detail: 'the client has disconnected' },
  });
  await taken;
  expect(fixture.events()).toHaveLength(before);
});

it('is a failure like any other once it is judged', async () => {
  const before = failures();
  const socket = ask();
  await until(isAsked);
  socket.destroy();
  await until(() => failures() > before);
  expect(failures()).toBe(before + 1);
});
