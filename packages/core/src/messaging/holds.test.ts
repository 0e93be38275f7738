/** Two nodes never try one message at the same time, also where the store or the gateway is slow: the order of events is forced. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DeliveryError, type Sms } from '../ports/sending/sender.ts';
import { type Fixture, openFixture } from '../testing/bed/fixture.ts';
import { BusyStore } from './testing/busy-store.ts';
import { KeptSender } from './testing/kept-sender.ts';

/** No timer of this test lets a try end. */
const messages = { deadline_s: 300, give_up_after_s: 3600 };
const seconds = 1000;
/** Number of messages of one channel that are tried at a time. */
const places = 16;
const year = 365 * 86_400 * seconds;
const never = () => new Promise<void>(() => {});

interface Stand {
  readonly node: Fixture;
  readonly sms: KeptSender<Sms>;
  readonly store: BusyStore;
}

let one: Stand;
let other: Stand;

beforeEach(async () => {
  one = await stand(openFixture);
  other = await stand((options) => one.node.another(options));
});
afterEach(() => one.node.close());

/** @param ahead milliseconds that its clock is ahead */
async function stand(open: typeof openFixture, ahead = 0): Promise<Stand> {
  const [sms, store] = [new KeptSender<Sms>(), new BusyStore()];
  const node = await open({
    config: { messages },
    ports: (usual) => ({
      ...{ senders: { sms }, store: store.around(usual.store) },
      clock: {
        now: () => usual.clock.now() + ahead,
        sleep: (milliseconds) => usual.clock.sleep(milliseconds),
        every: (milliseconds, task) => usual.clock.every(milliseconds, task),
      },
    }),
  });
  return { node, sms, store };
}

const send = (index: number, { node } = one) =>
  node.call('Send_SMS', { to: `+4915123456${index + 10}`, message: 'Hello' });

async function pass(milliseconds: number): Promise<void> {
  one.node.clock.advance(milliseconds);
  await Promise.all([one.store.atRest(), other.store.atRest()]);
}

async function left(): Promise<number> {
  let count = 0;
  for await (const some of one.node.ports.store.family('outbox')) count += some.length;
  return count;
}

describe('a message that a node holds', () => {
  it('is not tried by the node when the store answered so late that another node may', async () => {
    one.sms.before = () => {
      throw new DeliveryError('the gateway says 503', { isFinal: false });
    };
    await send(0);
    await one.sms.until(() => one.sms.tries === 1);
    await one.store.atRest();
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const asked = new Promise<void>((resolve) => {
      one.store.beforeAnswer = () => {
        resolve();
        return answered;
      };
    });
    one.node.clock.advance(2 * seconds);
    await asked;
    one.node.clock.advance((messages.deadline_s + 20) * seconds);
    await other.store.atRest();
    expect(other.sms.taken).toHaveLength(1);
    expect(await left()).toBe(0);
    answer();
    await one.store.atRest();
    await pass(15 * seconds);
    expect(one.sms.tries).toBe(1);
    await other.node.close();
  });

  it('is not put back by a failed try after another node has delivered it', async () => {
    let goOn = () => {};
    one.sms.before = async () => {
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
      throw new DeliveryError('the gateway says 503', { isFinal: false });
    };
    await send(0);
    await one.sms.until(() => one.sms.tries === 1);
    // As where a machine was put to sleep: longer than its try may take.
    one.node.clock.advance((messages.deadline_s + 20) * seconds);
    await other.sms.message(1);
    await other.store.atRest();
    expect(await left()).toBe(0);
    goOn();
    await pass(15 * seconds);
    expect(await left()).toBe(0);
    await pass(15 * seconds);
    expect([one.sms.tries, other.sms.tries]).toEqual([1, 1]);
    await other.node.close();
  });

  it('is held again when its first try begins late', async () => {
    let goOn = () => {};
    const gate = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    one.sms.before = () => (one.sms.tries > places ? never() : gate);
    for (let index = 0; index <= places; index += 1) await send(index);
    await one.sms.until(() => one.sms.tries === places);
    // The other node gets to know of all of them, and that they are held.
    await pass((messages.deadline_s + 15) * seconds);
    goOn();
    await one.sms.until(() => one.sms.tries === places + 1);
    await pass(0);
    expect(await left()).toBe(1);
    await pass(10 * seconds);
    expect(other.sms.tries).toBe(0);
    await pass(messages.deadline_s * seconds);
    expect(other.sms.tries).toBe(0);
    // The node that holds it is as good as gone.
    await pass(20 * seconds);
    expect(other.sms.tries).toBe(1);
    await other.node.close();
  });

  it('is held no longer when the clock of its node is a year ahead', async () => {
    const ahead = await stand((options) => one.node.another(options), year);
    ahead.sms.before = never;
    await send(0, ahead);
    await ahead.sms.until(() => ahead.sms.tries === 1);
    // The nodes whose clocks are right see the hold, and look at it again and again.
    for (let time = 0; time < messages.deadline_s + 15; time += 15) await pass(15 * seconds);
    expect([one.sms.tries, other.sms.tries]).toEqual([0, 0]);
    await pass(20 * seconds);
    expect(one.sms.tries + other.sms.tries).toBe(1);
    expect(await left()).toBe(0);
    await other.node.close();
    await ahead.node.close();
  });
});
