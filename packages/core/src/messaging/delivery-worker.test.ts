/** One node's tries of messages: who may try when, and what comes of it. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemRandom } from '../../../node/src/machine/index.ts';
import type { AuditEvent } from '../ports/event-log/event-log.ts';
import { KeyRing } from '../ports/keys.ts';
import { DeliveryError, type Sms } from '../ports/sending/sender.ts';
import type { Ledger } from '../ports/store/ledger.ts';
import { type Ground, openGround } from '../testing/bed/limits-ground.ts';
import { KeptLog } from '../testing/kept-log.ts';
import { DeliveryWorker } from './delivery-worker.ts';
import { type StoredMessage, sealMessage, storedMessageKey, unsealMessage } from './stored-message.ts';
import { KeptSender } from './testing/kept-sender.ts';

const keys = new KeyRing([Buffer.alloc(32, 7)], systemRandom);
const id = 'aB3dE5fG7hJ9kL1m';
const deadline = 300_000;
/** Milliseconds of a hold: a try, and what the store may take around it. */
const holding = deadline + 20_000;
/** The first pause is a second, the shortest that there is. */
const random = { ...systemRandom, bytes: (length: number) => Buffer.alloc(length) };

let ground: Ground;
let sms: KeptSender<Sms>;
let log: KeptLog;
let counted: string[];
let events: AuditEvent[];
let gone: string[];
/** Step that an answer of the store waits for. */
let beforeAnswer: () => void;
beforeEach(async () => {
  [sms, log, counted, events, gone, beforeAnswer] = [new KeptSender(), new KeptLog(), [], [], [], () => {}];
  ground = await openGround({ watch: watched });
});
afterEach(() => ground.close());

const watched = (store: Ledger): Ledger => ({
  ...store,
  hasEnded: (holder) => gone.includes(holder),
  update: async (key, change) => {
    const result = await store.update(key, change);
    beforeAnswer();
    return result;
  },
  commit: (step) =>
    store.commit({
      ...step,
      decide: (found) => {
        const changes = step.decide(found);
        events.push(...(changes.events ?? []));
        return changes;
      },
    }),
});

const newWorker = (deadlineSeconds = deadline / 1000, store = ground.store) =>
  new DeliveryWorker({
    ...{ store, keys, log, clock: ground.clock, random, host: 'node1', senders: { sms } },
    config: { messages: { ...budgets, deadline_s: deadlineSeconds } },
    meter: { count: (...[, labels]) => counted.push(Object.values(labels ?? {}).join(' ')) },
  });
const budgets = { give_up_after_s: 3600 } as ConstructorParameters<
  typeof DeliveryWorker
>[0]['config']['messages'];
const now = () => ground.clock.now();

async function put(more: Partial<StoredMessage> = {}): Promise<void> {
  const stored: StoredMessage = {
    ...{ id, message: { way: 'sms', content: { to: '+4915112345', text: 'Hello', isFlash: false } } },
    sending: { application: 'Otp', transaction: { id: 'ABCD1234', client: '-' } },
    ...{ ends: now() + 3_600_000, due: now(), tries: 0, ...more },
  };
  const after = sealMessage(stored, now(), keys);
  await ground.store.update(storedMessageKey(id), () => ({ result: undefined, after }));
}
async function kept(): Promise<StoredMessage | undefined> {
  const value = await ground.store.get(storedMessageKey(id));
  return value && unsealMessage(id, value, keys);
}
const fails = (isFinal: boolean) => () => {
  throw new DeliveryError('the gateway says 503', { isFinal });
};
const held = (until: number) => ({ by: 'other process', outbox: 'other outbox', until });

describe('a try', () => {
  it('records and removes a message that the gateway accepts', async () => {
    await put({
      sending: { application: 'Otp', dn: 'uid=alice,o=a', transaction: { id: 'ABCD1234', client: '-' } },
    });
    const one = newWorker();
    expect([one.isUp('sms'), await one.process(id, 'sms'), one.isUp('sms')]).toEqual([true, undefined, true]);
    expect([sms.taken.length, await kept(), counted]).toEqual([1, undefined, ['sms sent']]);
    expect(events).toMatchObject([{ dn: 'uid=alice,o=a', text: 'SMS to +4915112345: sent' }]);
    expect(log.lines.map(({ fields }) => fields)).toMatchObject([{ outcome: 'done', user: 'uid=alice,o=a' }]);
  });

  it('logs a failed try with its number, and schedules the next', async () => {
    await put();
    sms.before = fails(false);
    const one = newWorker();
    const due = await one.process(id, 'sms');
    expect(await kept()).toMatchObject({ tries: 1, due });
    expect([(await kept())?.held, one.isUp('sms'), counted]).toEqual([undefined, false, ['sms retried']]);
    expect(log.lines).toMatchObject([{ level: 'warn', fields: { tries: 1, why: 'the gateway says 503' } }]);
    expect([await one.process(id, 'sms'), sms.tries]).toEqual([due, 1]);
    ground.clock.advance((due ?? 0) - now());
    sms.before = () => {};
    expect([await one.process(id, 'sms'), one.isUp('sms')]).toEqual([undefined, true]);
    expect(events.map(({ text, dn }) => [text, dn])).toEqual([
      ['SMS to +4915112345: sent after 2 tries', undefined],
    ]);
  });

  it('ends with a final refusal, and keeps the gateway up', async () => {
    await put();
    sms.before = fails(true);
    const one = newWorker();
    expect([await one.process(id, 'sms'), one.isUp('sms'), await kept()]).toEqual([
      undefined,
      true,
      undefined,
    ]);
    expect(events).toMatchObject([{ text: 'SMS to +4915112345: given up: the gateway says 503', count: 1 }]);
    expect([counted, log.lines.length]).toEqual([['sms given_up'], 1]);
  });

  it('logs an exception of the gateway, and schedules the next try', async () => {
    await put();
    sms.before = () => {
      throw new Error('broken');
    };
    const one = newWorker();
    expect(await one.process(id, 'sms')).toBeGreaterThan(now());
    expect([one.isUp('sms'), (await kept())?.tries]).toEqual([false, 1]);
    expect(log.lines.map(({ message }) => message)).toContain('a gateway failed');
  });

  it('leaves no timer', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    for (let n = 0; n < 20; n += 1) {
      await put();
      await newWorker().process(id, 'sms');
    }
    expect(timers() - before).toBeLessThan(10);
  });

  it('aborts when the gateway hangs', async () => {
    await put();
    sms.before = () => new Promise(() => {});
    expect(await newWorker(0.01).process(id, 'sms')).toBeGreaterThan(now());
    expect(log.lines).toMatchObject([{ fields: { why: 'the gateway did not answer in time' } }]);
  });

  it('makes no try for a message that has expired, or expires before the next try', async () => {
    for (const more of [{ ends: now() }, { ends: now(), due: now() + 500, held: held(now() + 500) }]) {
      await put(more);
      expect([await newWorker().process(id, 'sms'), sms.tries, await kept()]).toEqual([
        undefined,
        0,
        undefined,
      ]);
    }
    expect(events).toMatchObject([{ text: expect.stringContaining('it has expired') }, {}]);
    await put({ ends: now() + 1000 });
    sms.before = fails(false);
    expect([await newWorker().process(id, 'sms'), sms.tries, await kept()]).toEqual([
      undefined,
      1,
      undefined,
    ]);
  });
});

describe('a message', () => {
  it('skips a message that is missing or cannot be read', async () => {
    expect([await newWorker().process(id, 'sms'), log.lines]).toEqual([undefined, []]);
    const after = { value: Buffer.from('sealed by nobody'), seconds: 60 };
    await ground.store.update(storedMessageKey(id), () => ({ result: undefined, after }));
    expect([await newWorker().process(id, 'sms'), sms.tries]).toEqual([undefined, 0]);
    expect(log.lines).toMatchObject([{ level: 'error', fields: { id } }]);
  });

  it('repeats in 15 seconds when the store fails', async () => {
    await put();
    beforeAnswer = () => {
      throw new Error('down');
    };
    expect([await newWorker().process(id, 'sms'), sms.tries]).toEqual([now() + 15_000, 0]);
    expect(log.lines).toMatchObject([{ level: 'error', fields: { id } }]);
  });

  it('neither tries nor leases after the node has stopped', async () => {
    await put();
    const one = newWorker();
    sms.before = () => new Promise(() => {});
    const trying = one.process(id, 'sms');
    await sms.until(() => sms.tries === 1);
    one.stop();
    expect([await trying, (await kept())?.held]).toEqual([undefined, undefined]);
    ground.clock.advance(4000);
    expect([await one.process(id, 'sms'), sms.tries]).toEqual([undefined, 1]);
  });
});

it('tries a message at once when only a clock ahead can have set its due time', async () => {
  await put({ due: now() + 3_600_001 });
  expect([await newWorker().process(id, 'sms'), sms.tries]).toEqual([undefined, 1]);
  await put({ due: now() + 3_500_000 });
  expect([await newWorker().process(id, 'sms'), sms.tries]).toEqual([now() + 3_500_000, 1]);
});

describe('a hold', () => {
  it('lasts for a try and the time of the store around it', async () => {
    const { by, until } = newWorker().hold(now());
    expect([by, until]).toEqual([ground.store.holder, now() + holding]);
  });

  it('begins with the message, and is written again when it is too short for the first try', async () => {
    for (const [passed, isNew] of [
      [10_000, false],
      [10_001, true],
    ] as const) {
      const one = newWorker();
      const first = one.hold(now());
      await put({ held: first });
      ground.clock.advance(passed);
      let during: StoredMessage | undefined;
      sms.before = async () => {
        during = await kept();
      };
      expect(await one.process(id, 'sms')).toBeUndefined();
      expect(during).toMatchObject(isNew ? { tries: 1, held: one.hold(now()) } : { tries: 0, held: first });
    }
  });

  it('takes over from a process that has ended', async () => {
    gone = ['other process'];
    await put({ held: held(now() + 2 * holding) });
    let during: StoredMessage | undefined;
    sms.before = async () => {
      during = await kept();
    };
    const one = newWorker();
    await one.process(id, 'sms');
    expect(during).toMatchObject({ tries: 1, held: one.hold(now()) });
  });

  it('writes the lease before a later try, or when there is none', async () => {
    for (const more of [{ tries: 1, held: true }, { tries: 0 }]) {
      const one = newWorker();
      await put({ tries: more.tries, ...(more.held && { held: one.hold(now()) }) });
      let during: StoredMessage | undefined;
      sms.before = async () => {
        during = await kept();
      };
      await one.process(id, 'sms');
      expect(during).toMatchObject({ tries: more.tries + 1, held: one.hold(now()) });
    }
  });

  it('prevents tries of other nodes until its end, or the end of its process', async () => {
    await put({ held: held(now() + 5000) });
    const one = newWorker();
    expect([await one.process(id, 'sms'), sms.tries]).toEqual([now() + 5000, 0]);
    gone = ['other process'];
    expect([await one.process(id, 'sms'), sms.tries]).toEqual([undefined, 1]);
    gone = [];
    await put({ held: held(now()) });
    expect([await one.process(id, 'sms'), sms.tries]).toEqual([undefined, 2]);
  });

  it('ends like a new hold when a clock ahead has set it', async () => {
    const far = now() + 99 * holding;
    await put({ held: held(far) });
    const one = newWorker();
    const end = now() + holding;
    expect(await one.process(id, 'sms')).toBe(end);
    ground.clock.advance(1000);
    expect(await one.process(id, 'sms')).toBe(end);
    await put({ held: held(far + 1) });
    expect(await one.process(id, 'sms'), 'another hold').toBe(end + 1000);
    ground.clock.advance(-5000);
    expect(await one.process(id, 'sms'), 'a clock that was set back').toBe(now() + holding);
    ground.clock.advance(holding);
    expect([await one.process(id, 'sms'), sms.tries]).toEqual([undefined, 1]);
    await put({ held: held(far + 1) });
    expect(await one.process(id, 'sms'), 'it was tried since').toBe(now() + holding);
    await put({ held: held(now() + holding) });
    expect(await one.process(id, 'sms'), 'not ahead').toBe(now() + holding);
  });

  it('permits no try when the store has written it too late', async () => {
    for (const [passed, tries] of [
      [10_000, 1],
      [10_001, 1],
    ] as const) {
      await put();
      beforeAnswer = () => {
        beforeAnswer = () => {};
        ground.clock.advance(passed);
      };
      const came = await newWorker().process(id, 'sms');
      expect([came, sms.tries]).toEqual([passed === 10_000 ? undefined : 0, tries]);
    }
  });

  it('leaves the message to another node that has taken it, and puts no delivered message back', async () => {
    const theirs = { tries: 2, held: held(now() + 7000) };
    await put();
    sms.before = async () => {
      await put(theirs);
      fails(false)();
    };
    expect(await newWorker().process(id, 'sms')).toBe(now() + 7000);
    expect(await kept()).toMatchObject(theirs);
    await put();
    sms.before = async () => {
      await ground.store.remove(storedMessageKey(id));
      fails(false)();
    };
    log.lines.length = 0;
    expect([await newWorker().process(id, 'sms'), await kept()]).toEqual([undefined, undefined]);
    expect(log.lines.map(({ level }) => level)).toEqual(['warn']);
  });
});
