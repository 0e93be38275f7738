import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Ports } from '../ports/ports.ts';
import { DeliveryError, type Mail, type Sms } from '../ports/sending/sender.ts';
import { type Fixture, openFixture } from '../testing/bed/fixture.ts';
import { BusyStore } from './testing/busy-store.ts';
import { KeptSender } from './testing/kept-sender.ts';

let node: Fixture;
let sms: KeptSender<Sms>;
let mail: KeptSender<Mail>;
let store: BusyStore;
let begun: number;
const messages = { deadline_s: 1, give_up_after_s: 3600 };

beforeEach(async () => {
  sms = new KeptSender();
  mail = new KeptSender();
  store = new BusyStore();
  node = await openFixture({ config: { messages }, ports: sendingBy({ sms, mail }) });
  begun = node.clock.now();
});
afterEach(() => node.close());

const sendingBy = (senders: Ports['senders']) => (usual: Ports) => ({
  ...{ senders, store: store.around(usual.store) },
});
const to = '+491512345678';
const sendSms = (on: Fixture = node, params: object = {}) =>
  on.call('Send_SMS', { to, message: 'Hello', ...params });
const sendMail = (params: object = {}) =>
  node.call('Send_Mail', { to: 'bob@example.org', subject: 'Hi', body: 'Hello', ...params });
const left = async (on: Fixture = node) => {
  let count = 0;
  for await (const some of on.ports.store.family('outbox')) count += some.length;
  return count;
};
const fails =
  (isFinal = false) =>
  () => {
    throw new DeliveryError('the gateway says 503', { isFinal });
  };

const hours = 3_600_000;

/**
 * Time goes on, a second at a time, until something is so. It stops while a node is at work: a hold of seconds would end
 * before what it is for is written down, and another node would begin the same.
 */
async function passing(isSo: () => boolean) {
  const last = node.clock.now() + 3 * hours;
  await store.atRest();
  while (!isSo()) {
    if (node.clock.now() > last) throw new Error('Three hours have passed, and it is not so');
    node.clock.advance(1000);
    await store.atRest();
  }
}

describe('the outbox', () => {
  it('delivers a message, and records its recipient', async () => {
    expect(await sendSms()).toMatchObject({ result: 1 });
    expect(await sms.message(1)).toMatchObject({ to, text: 'Hello', isFlash: false });
    await expect.poll(() => node.countEvents(`SMS to ${to}: sent`)).toBe(1);
    expect(await left()).toBe(0);
  });

  it('does not wait for the time of a clock that was ahead', async () => {
    const year = 365 * 24 * hours;
    node.clock.advance(year);
    sms.before = fails();
    await sendSms();
    await store.atRest();
    expect(await left()).toBe(1);
    node.clock.advance(-year);
    sms.before = () => {};
    await passing(() => sms.taken.length > 0);
    expect(node.clock.now()).toBeLessThan(begun + hours);
  });

  it('has a message on disk before it answers', async () => {
    sms.before = () => new Promise(() => {});
    await sendSms();
    expect(await left()).toBe(1);
  });

  it('tries again with growing pauses, under one id, until the gateway accepts', async () => {
    const [ids, times]: [string[], number[]] = [[], []];
    sms.before = (_, { id }) => {
      ids.push(id);
      times.push(node.clock.now());
      if (ids.length < 5) fails()();
    };
    await sendSms();
    await passing(() => sms.taken.length === 1);
    const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(pauses).toHaveLength(4);
    for (const [index, pause] of pauses.entries()) {
      expect(pause).toBeGreaterThanOrEqual(1000 * 2 ** index);
      // What is due is looked for once a second.
      expect(pause).toBeLessThan(2000 * 2 ** index + 1000);
    }
    await expect.poll(() => node.countEvents('sent after 5 tries')).toBe(1);
    expect(new Set(ids).size).toBe(1);
  });

  it('gives up when a gateway refuses for good', async () => {
    sms.before = fails(true);
    await sendSms();
    await expect.poll(() => node.countEvents(`SMS to ${to}: given up: the gateway says 503`)).toBe(1);
    expect(await left()).toBe(0);
    expect(sms.tries).toBe(1);
  });

  it('gives up when the time of a message is over', async () => {
    sms.before = fails();
    await sendSms();
    await passing(() => node.countEvents(`SMS to ${to}: given up after`) === 1);
    expect(await left()).toBe(0);
    expect(node.clock.now()).toBeLessThan(Date.UTC(2026, 10, 20, 15));
  });

  it('does not send a message whose time was over before its first try', async () => {
    sms.before = fails();
    const first = await node.another({ config: { messages }, ports: sendingBy({ sms }) });
    await sendSms(first);
    await sms.until(() => sms.tries > 0);
    await first.close();
    sms.before = () => {};
    node.clock.advance(2 * hours);
    await passing(() => node.countEvents(`SMS to ${to}: given up`) === 1);
    expect(sms.taken).toEqual([]);
    expect(await left()).toBe(0);
  });

  it('aborts a gateway that hangs and ignores its signal', async () => {
    sms.before = () => new Promise(() => {});
    await sendSms();
    await expect
      .poll(
        () => node.log.lines.find(({ message }) => message.includes('could not be sent yet'))?.fields.why,
        { timeout: 20_000 },
      )
      .toBe('the gateway did not answer in time');
  });

  it('sends mails while the gateway of SMS hangs and many SMS wait', async () => {
    sms.before = () => new Promise(() => {});
    await Promise.all(
      Array.from({ length: 15 }, (_, index) => sendSms(node, { to: `+4915123456${index + 10}` })),
    );
    await Promise.all(
      Array.from({ length: 15 }, (_, index) => sendSms(node, { to: `+4915123457${index + 10}` })),
    );
    await sendMail();
    expect(await mail.message(1)).toMatchObject({ to: 'bob@example.org', subject: 'Hi', text: 'Hello' });
    expect(node.core.outbox.state('mail')).toMatchObject({ isUp: true });
  });

  it('delivers messages of a service that has ended', async () => {
    sms.before = fails();
    const first = await node.another({ config: { messages }, ports: sendingBy({ sms }) });
    await sendSms(first);
    await sms.until(() => sms.tries > 0);
    await first.close();
    sms.before = () => {};
    const taking = new KeptSender<Sms>();
    const next = await node.another({ config: { messages }, ports: sendingBy({ sms: taking }) });
    const taken = () => taking.taken.length + sms.taken.length;
    await passing(() => taken() > 0);
    expect(await left()).toBe(0);
    await next.close();
    expect(taken()).toBe(1);
  });

  it('sends a message once when two nodes know it', async () => {
    const other = await node.another({ config: { messages }, ports: () => ({ senders: { sms } }) });
    for (let index = 0; index < 40; index += 1)
      await sendSms(index % 2 ? node : other, { to: `+4915123456${index + 10}` });
    node.clock.advance(15_000);
    await sms.until(() => sms.taken.length >= 40);
    await expect.poll(() => left()).toBe(0);
    expect(sms.taken).toHaveLength(40);
    expect(new Set(sms.taken.map(({ id }) => id)).size).toBe(40);
    await other.close();
  });

  it('keeps attachments and certificates of a sealed message', async () => {
    const attachments = [{ name: 'note.txt', data: Buffer.from('secret words').toString('base64') }];
    mail.before = () => new Promise(() => {});
    await sendMail({ attachments });
    for await (const some of node.ports.store.family('outbox'))
      for (const { value } of some)
        expect(Buffer.from(value).toString('latin1')).not.toMatch(/Hello|secret|bob@/);
    await node.service.close();
  });
});

describe('Send_Mail, Send_SMS and Send_Push', () => {
  it.each([
    [{ to: 'bob@example.org\r\nBcc: eve@example.org' }, 'Parameter to is not a mail address'],
    [{ to: 'bob@example.org, eve@example.org' }, 'Parameter to is not a mail address'],
    [{ from: 'Bob <bob@example.org>' }, 'Parameter from is not a mail address'],
    [{ subject: 'Hi\r\nBcc: eve@example.org' }, 'Parameter subject is not one line'],
    [{ certificate: 'none' }, 'Parameter certificate is not a certificate in PEM'],
    [
      { attachments: [{ name: '../a', data: '' }] },
      'Parameter attachments has a name that is none of a file',
    ],
    [{ attachments: [{ name: 'a', data: '%' }] }, 'Parameter attachments not Base64'],
  ])('refuse a mail with %j', async (params, data) => {
    expect((await sendMail(params)).error).toMatchObject({
      code: -32602,
      data: expect.stringContaining(data),
    });
    expect(mail.tries).toBe(0);
  });

  it.each([
    [{ to: '12' }, 'Parameter to is not a phone number'],
    [{ to: '+49151234;+49151' }, 'Parameter to is not a phone number'],
    [{ message: '' }, 'Parameter message is not a text of 1 to 1600 characters'],
    [{ message: 'x'.repeat(1601) }, 'Parameter message is not a text of 1 to 1600 characters'],
    [{ from: 'A name that is long' }, 'Parameter from is neither a phone number'],
  ])('refuse an SMS with %j', async (params, data) => {
    expect((await sendSms(node, params)).error).toMatchObject({
      code: -32602,
      data: expect.stringContaining(data),
    });
  });

  it('refuse a message without a gateway', async () => {
    const params = { application: 'token', to: 'ios:abc', options: { title: 'Login' } };
    expect((await node.call('Send_Push', params)).error).toMatchObject({ reason: 'unavailable' });
    const bad = { ...params, to: 'a device without a platform' };
    expect((await node.call('Send_Push', bad)).error).toMatchObject({
      data: "Invalid device for push notification (bad format 'a device without a platfo...')",
    });
  });

  it('stop at the budget of a day, and continue on the next', async () => {
    const few = await node.another({
      config: { messages: { sms: { user_a_day: 2 } } },
      ports: () => ({ senders: { sms } }),
    });
    for (const _ of [1, 2]) expect(await sendSms(few)).toMatchObject({ result: 1 });
    expect((await sendSms(few)).error).toMatchObject({
      reason: 'too_large',
      data: 'The budget of the user is used up for today',
    });
    node.clock.advance(86_400_000);
    expect(await sendSms(few)).toMatchObject({ result: 1 });
    await few.close();
  });

  it('send to numbers with an allowed prefix, and add the country code', async () => {
    const german = { sms: { prefixes: ['+49'], country: '49' } };
    const own = await node.another({ config: { messages: german }, ports: () => ({ senders: { sms } }) });
    await sendSms(own, { to: '0151 2345678' });
    expect(await sms.message(1)).toMatchObject({ to: '+491512345678' });
    expect((await sendSms(own, { to: '+8835100123456' })).error).toMatchObject({ code: -32602 });
    await own.close();
  });

  it('leave nothing of the text in a log', async () => {
    await sendSms(node, { message: 'The word is swordfish' });
    await sms.message(1);
    await expect.poll(() => left()).toBe(0);
    expect(JSON.stringify([node.events(), node.log.lines])).not.toContain('swordfish');
  });
});
