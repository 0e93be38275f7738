import { scryptSync } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemRandom } from '../../../../node/src/machine/index.ts';
import { newSmsAccount } from '../../doors/operator/secrets/sms-account.ts';
import { writeScryptHash } from '../../foundation/text/secret/scrypt-hash.ts';
import { KeptSender } from '../../messaging/testing/kept-sender.ts';
import { DeliveryError, type Sms } from '../../ports/sending/sender.ts';
import { type Fixture, openFixture } from '../../testing/bed/fixture.ts';

const salt = Buffer.from('salt of a test.');
const hashOf = (password: string) =>
  writeScryptHash({
    ln: 14,
    r: 8,
    p: 1,
    salt,
    hash: scryptSync(password, salt, 32, { N: 2 ** 14, r: 8, p: 1 }),
  });

let node: Fixture;
let sms: KeptSender<Sms>;
beforeAll(async () => {
  node = await openFixture({
    config: {
      sms_accounts: { portal: { hash: hashOf('portal-Pa55') } },
      messages: { sms: { a_day: 500, user_a_day: 5 } },
    },
    ports: () => ({ senders: { sms: { send: (...all) => sms.send(...all), close: () => sms.close() } } }),
  });
});
afterAll(() => node.close());
beforeEach(() => {
  sms = new KeptSender();
  node.clock.advance(86_400_000);
});

const right = { username: 'portal', password: 'portal-Pa55', mobile: ['+491512345678'], text: 'Hello' };
const send = (more: object = {}) => node.service.web.sms.send({ ...right, ...more });
const sent = { code: 1, error: '', message: 'SMS send success' };
const authFailed = { code: 0, error: 'AuthFailed', message: 'Invalid username or password' };

describe('smsSend', () => {
  it('sends to each number once, with a type and a sender', async () => {
    const mobile = ['+49 151 2345678', '+491512345678', '+4915199999999'];
    expect(await send({ mobile, type: 'Flash', sender: 'Example' })).toEqual(sent);
    await sms.message(2);
    expect(sms.taken.map(({ to }) => to).sort()).toEqual(['+491512345678', '+4915199999999']);
    expect(sms.taken[0]).toMatchObject({ text: 'Hello', isFlash: true, sender: 'Example' });
  });

  it.each([
    [{ mobile: undefined }, 'BadRequest'],
    [{ text: undefined }, 'BadRequest'],
    [{ text: 'x'.repeat(1531) }, 'BadRequest'],
    [{ mobile: ['no number'] }, 'BadRequest'],
    [{ mobile: Array.from({ length: 101 }, (_, index) => `+49151234${index + 1000}`) }, 'BadRequest'],
    [{ type: 'Loud' }, 'BadRequest'],
    [{ sender: 'A name that is long' }, 'BadRequest'],
    [{ source: 'here' }, 'ServerError'],
  ])('refuses %j', async (more, error) => {
    const message = { BadRequest: 'Invalid SMS request', ServerError: 'Server Error' }[error];
    expect(await send(more)).toEqual({ code: 0, error, message });
    expect(sms.tries).toBe(0);
  });

  it('refuses a wrong account, and for ten seconds everybody at its place', async () => {
    expect(await send({ password: 'wrong' })).toEqual(authFailed);
    expect(await send()).toEqual(authFailed);
    node.clock.advance(10_001);
    expect(await send()).toEqual(sent);
    expect(node.clock.slept.filter((time) => time >= 900).length).toBeGreaterThanOrEqual(2);
  });

  it.each([
    [{ username: 'nobody' }],
    [{ username: '__proto__' }],
    [{ password: undefined }],
    [{ username: undefined }],
  ])('refuses %j', async (more) => {
    expect(await send(more)).toEqual(authFailed);
    expect(await send({ username: undefined, password: undefined })).toEqual(authFailed);
    node.clock.advance(10_001);
  });

  it('sends to all of the numbers or to none: the budget counts texts in parts', async () => {
    const long = 'x'.repeat(400);
    expect(await send({ text: long })).toEqual(sent);
    const both = { mobile: ['+4915199999999', '+491512345678'], text: long };
    expect(await send(both)).toMatchObject({ code: 0, error: 'BadRequest' });
    await sms.message(1);
    expect(sms.taken).toHaveLength(1);
    expect(await send({ mobile: ['+4915199999999'], text: long })).toEqual(sent);
  });

  it('says so while the gateway is down and messages wait for it', async () => {
    sms.before = () => {
      throw new DeliveryError('the gateway answered 503');
    };
    expect(await send()).toEqual(sent);
    await sms.until(() => sms.tries > 0);
    await expect
      .poll(() => send({ mobile: ['+4915111111111'] }))
      .toEqual({ code: 0, error: 'ServerError', message: 'Server Error' });
    sms.before = () => {};
    while (sms.taken.length === 0) {
      node.clock.advance(1000);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await expect.poll(() => send({ mobile: ['+4915122222222'] })).toEqual(sent);
  });

  it('puts account and number on record, and neither text nor password', async () => {
    const before = node.events().length;
    await send({ text: 'The word is swordfish', client: 'portal-1' });
    await sms.message(1);
    await expect
      .poll(() =>
        node
          .events()
          .slice(before)
          .map(({ text }) => text),
      )
      .toEqual(
        expect.arrayContaining([
          'SMS to +491512345678 at "portal-1": taken over from the account "portal", 1 parts each',
          'SMS to +491512345678: sent',
        ]),
      );
    expect(JSON.stringify([node.events(), node.log.lines])).not.toMatch(/swordfish|portal-Pa55/);
  });
});

describe('smsSign', () => {
  it('sends a text that is not tried any longer than it is of use', async () => {
    sms.before = () => {
      throw new DeliveryError('the gateway answered 503');
    };
    expect(await node.service.web.sms.sign({ ...right, timeout: 30 })).toEqual(sent);
    const logged = () => node.countEvents('SMS to +491512345678: given up');
    const before = logged();
    for (let second = 0; second < 40 && logged() === before; second += 1) {
      node.clock.advance(1000);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await expect.poll(logged).toBe(before + 1);
  });
});

describe('smsStatus', () => {
  it('tells how the service is', async () => {
    expect(await node.service.web.sms.status()).toMatchObject({
      status: true,
      message: expect.stringMatching(/^Server: /),
    });
  });
});

describe('a service without a gateway', () => {
  it('is a server error', async () => {
    const bare = await node.another({
      config: { sms_accounts: { portal: { hash: hashOf('portal-Pa55') } } },
    });
    expect(await bare.service.web.sms.send(right)).toEqual({
      code: 0,
      error: 'ServerError',
      message: 'Server Error',
    });
    await bare.close();
  });
});

describe('--make-sms-account', () => {
  it('makes a password and the hash that lets it in', async () => {
    const text = newSmsAccount(systemRandom);
    const [, password = ''] = /only now:\n\n(\S+)/.exec(text) ?? [];
    const [, hash = ''] = /hash: "(.*)"/.exec(text) ?? [];
    const own = await node.another({
      config: { sms_accounts: { portal: { hash } } },
      ports: () => ({ senders: { sms } }),
    });
    expect(await own.service.web.sms.send({ ...right, password })).toEqual(sent);
    expect(await own.service.web.sms.send({ ...right, password: `${password}x` })).toEqual(authFailed);
    await own.close();
  });
});
