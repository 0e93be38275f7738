/** Steps of one node against a simulated database. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AuditEvent } from '@watchword/core/ports';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Database } from '../connection/database.ts';
import { Fault } from '../connection/faults.ts';
import type { SentStep } from './batches.ts';
import type { Change, Decision } from './changes.ts';
import { KeyQueues } from './key-queues.ts';
import type { Name } from './names.ts';
import { makeStep, type StepContext, type StepRequest } from './optimistic-step.ts';
import { ReadCache } from './read-cache.ts';

const timeout = 1000;

/** A database that answers the question for the outcome of a step, or fails. */
class KnowingDatabase extends Database {
  knows: 'made' | 'not made' | Fault = 'not made';
  readonly asked: (readonly unknown[])[] = [];

  constructor() {
    const nowhere = { hosts: [], database: 'none', user: 'nobody', password: '', tls: false } as const;
    super({ ...nowhere, connections: 1, timeout_ms: timeout });
  }

  override async query<R extends object>(_: unknown, values: readonly unknown[]): Promise<readonly R[]> {
    this.asked.push(values);
    if (this.knows instanceof Fault) throw this.knows;
    return [{ made: this.knows === 'made' } as unknown as R];
  }
}

let database: KnowingDatabase;
let cache: ReadCache;
/** Sent steps in order, and whether each is durable. */
let sent: (readonly [step: SentStep, lasts: boolean])[];
let written: number;
let context: StepContext;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  database = new KnowingDatabase();
  cache = new ReadCache();
  [sent, written] = [[], 0];
  context = {
    ...{ database, cache, queues: new KeyQueues() },
    batchesOf: (lasts) => ({ send: (step) => void sent.push([step, lasts]) }),
    written: () => {
      written += 1;
    },
  };
});
afterEach(() => {
  vi.useRealTimers();
});

/** The end of a step, after it has ended. */
interface Made<T> {
  end?: { readonly result: T } | { readonly error: unknown };
}

function make<T>(request: StepRequest<T>): Made<T> {
  const made: Made<T> = {};
  makeStep(request, context).then(
    (result) => {
      made.end = { result };
    },
    (error: unknown) => {
      made.end = { error };
    },
  );
  return made;
}

const name = (key: string, more: Partial<Name> = {}): Name => ({ key, lasting: true, ...more });
const ephemeral = { lasting: false };
const readOnly = { isReadOnly: true } as const;
const put = (text: string): Change => ({ mode: 'set', value: Buffer.from(text), seconds: 60 });
const event = { text: 'told' } as AuditEvent;
const counting = (names: readonly Name[] = [name('a')]): StepRequest<number> => {
  let times = 0;
  return {
    names,
    decide: () => {
      times += 1;
      return { result: times, changes: [[0, put(String(times))]] };
    },
  };
};
const lastStep = () => sent.at(-1)?.[0] as SentStep;
const refusal = (reason: string) => ({ error: { reason } });
const transient = () => new Fault('not_done', { isTransient: true, cause: 'busy' });

describe('step', () => {
  it.each<[string, readonly Name[], Omit<Decision<string>, 'result'>, { lasts: boolean; hasId: boolean }]>([
    ['commits a durable change', [name('a')], { changes: [[0, put('1')]] }, { lasts: true, hasId: true }],
    [
      'commits an ephemeral change',
      [name('a'), name('b', ephemeral)],
      { changes: [[1, put('1')]] },
      { lasts: false, hasId: true },
    ],
    ['reads a durable value', [name('a')], {}, { lasts: false, hasId: false }],
    ['adds an event', [], { events: [event] }, { lasts: true, hasId: true }],
    [
      'adds an event with an ephemeral change',
      [name('b', ephemeral)],
      { events: [event], changes: [[0, 'remove']] },
      { lasts: true, hasId: true },
    ],
  ])('%s', async (_, names, decision, { lasts, hasId }) => {
    const made = make({ names, decide: () => ({ result: 'done', ...decision }) });
    const [[step, lasting] = []] = sent;
    expect(sent).toHaveLength(1);
    expect([lasting, step?.id !== null]).toEqual([lasts, hasId]);
    if (hasId) expect(step?.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/);
    expect(step?.events).toEqual(decision.events ?? []);
    expect(made.end).toBeUndefined();
    step?.answered(undefined);
    await nextTurn();
    expect([made.end, written]).toEqual([{ result: 'done' }, hasId ? 1 : 0]);
  });

  it('is not sent when it has no names and no events', async () => {
    const made = make({ names: [], decide: () => ({ result: 'done' }) });
    await nextTurn();
    expect(made.end).toEqual({ result: 'done' });
    expect(sent).toEqual([]);
  });

  it('expects the cached values, or any when it is unconditional', async () => {
    cache.set('+a', Buffer.from('known'));
    make({ names: [name('a'), name('b')], decide: (found) => ({ result: String(found(0)) }) });
    expect(lastStep().expected).toEqual([Buffer.from('known'), undefined]);
    lastStep().answered(undefined);
    await nextTurn();
    make({
      names: [name('a')],
      isUnconditional: true,
      decide: () => ({ result: 0, changes: [[0, put('1')]] }),
    });
    expect(lastStep().expected).toBeUndefined();
  });

  it('caches its changes when it is made', async () => {
    for (const key of ['+a', '+b', '+c']) cache.set(key, Buffer.from('known'));
    const changes = [
      [0, put('new')],
      [1, 'remove'],
    ] as const;
    make({ names: [name('a'), name('b'), name('c')], decide: () => ({ result: 0, changes }) });
    expect(lastStep().changes).toEqual([put('new'), 'remove', undefined]);
    lastStep().answered(undefined);
    await nextTurn();
    expect(['+a', '+b', '+c'].map((key) => cache.get(key)?.toString())).toEqual(['new', undefined, 'known']);
  });

  it('is decided again by the current values when one differs', async () => {
    const made = make({
      names: [name('a')],
      decide: (found) => ({ result: found(0)?.toString(), changes: [[0, put('1')]] }),
    });
    lastStep().answered([Buffer.from('there')]);
    await nextTurn();
    expect(made.end).toBeUndefined();
    expect(lastStep().expected).toEqual([Buffer.from('there')]);
    lastStep().answered(undefined);
    await nextTurn();
    expect([made.end, sent.length, written]).toEqual([{ result: 'there' }, 2, 1]);
  });

  it('fails with the error of its decision, and lets the next step begin', async () => {
    const error = new Error('no');
    const fail = () => {
      throw error;
    };
    const made = make({ names: [name('a')], decide: fail });
    await nextTurn();
    expect(made.end).toEqual({ error });
    make(counting());
    expect(sent).toHaveLength(1);
  });
});

describe('steps of one key', () => {
  it('run one after the other, and together when they only read it', async () => {
    const [first, second] = [make(counting()), make(counting())];
    expect(sent).toHaveLength(1);
    lastStep().answered(undefined);
    await nextTurn();
    expect([first.end, second.end, sent.length]).toEqual([{ result: 1 }, undefined, 2]);
    lastStep().answered(undefined);
    await nextTurn();
    expect(second.end).toEqual({ result: 1 });
    for (const own of ['b', 'c']) make(counting([name(own), name('a', readOnly)]));
    expect(sent).toHaveLength(4);
  });
});

describe('step that the database has not made', () => {
  it.each<[string, () => unknown, unknown]>([
    ['can never be made', () => new Fault('never', { cause: 'wrong' }), refusal('internal')],
    ['cannot be made now', () => new Fault('not_done', { cause: 'full' }), refusal('unavailable')],
    ['failed with another error', () => 'a fault of ours', { error: 'a fault of ours' }],
  ])('fails when it %s, and lets the next step begin', async (_, fault, end) => {
    const made = make(counting());
    lastStep().failed(fault());
    await nextTurn();
    expect([made, database.asked]).toMatchObject([{ end }, []]);
    expect(vi.getTimerCount()).toBe(0);
    make(counting());
    expect(sent).toHaveLength(2);
  });

  it('is tried again after a pause when the fault is transient', async () => {
    const made = make(counting());
    lastStep().failed(transient());
    await nextTurn();
    expect(sent).toHaveLength(1);
    vi.advanceTimersByTime(50);
    await nextTurn();
    expect(sent).toHaveLength(2);
    lastStep().answered(undefined);
    await nextTurn();
    expect(made.end).toEqual({ result: 2 });
  });
});

describe('step whose answer is lost', () => {
  const lost = () => new Fault('unknown', { isServerLost: true, cause: 'cut' });

  it('succeeds when the database says that it was made', async () => {
    database.knows = 'made';
    const made = make(counting());
    const { id } = lastStep();
    lastStep().failed(lost());
    await nextTurn();
    expect([made.end, written, database.asked]).toEqual([{ result: 1 }, 1, [[id, true]]]);
    expect([sent.length, cache.get('+a')?.toString()]).toEqual([1, '1']);
  });

  it('is tried again when it was not made', async () => {
    const made = make(counting([name('a', ephemeral)]));
    const { id } = lastStep();
    lastStep().failed(lost());
    await nextTurn();
    expect([made.end, database.asked, sent.length]).toEqual([undefined, [[id, false]], 1]);
    vi.advanceTimersByTime(50);
    await nextTurn();
    expect(sent).toHaveLength(2);
  });

  it('is tried again without a question when it changes nothing', async () => {
    make({ names: [name('a')], decide: () => ({ result: 0 }) });
    lastStep().failed(lost());
    await nextTurn();
    vi.advanceTimersByTime(50);
    await nextTurn();
    expect([sent.length, database.asked]).toEqual([2, []]);
  });

  it('fails when the database does not answer the question', async () => {
    database.knows = new Fault('not_done', { cause: 'gone' });
    const made = make(counting());
    lastStep().failed(lost());
    await nextTurn();
    expect(made).toMatchObject({ end: refusal('unavailable') });
    make(counting());
    expect(sent).toHaveLength(2);
  });
});

describe('step after its deadline', () => {
  it('fails at its deadline', async () => {
    const made = make(counting());
    expect(lastStep().isOver).toBe(false);
    vi.advanceTimersByTime(timeout - 1);
    await nextTurn();
    expect(made.end).toBeUndefined();
    vi.advanceTimersByTime(1);
    await nextTurn();
    expect(made).toMatchObject({ end: refusal('unavailable') });
    expect(lastStep().isOver).toBe(true);
  });

  it('is not sent later, and lets the next step begin', async () => {
    make(counting());
    vi.advanceTimersByTime(500);
    await nextTurn();
    const late = make(counting());
    vi.advanceTimersByTime(timeout - 1);
    await nextTurn();
    const next = make(counting());
    vi.advanceTimersByTime(1);
    await nextTurn();
    expect(late).toMatchObject({ end: refusal('unavailable') });
    lastStep().answered(undefined);
    await nextTurn();
    expect(sent).toHaveLength(2);
    lastStep().answered(undefined);
    await nextTurn();
    expect(next.end).toEqual({ result: 1 });
  });

  it.each<[string, (step: SentStep) => void]>([
    ['a value differs', (step) => step.answered([Buffer.from('there')])],
    ['the fault is transient', (step) => step.failed(transient())],
  ])('is not tried again when %s, and lets the next step begin at once', async (_, answer) => {
    make(counting());
    vi.advanceTimersByTime(timeout);
    await nextTurn();
    make(counting());
    answer(lastStep());
    await nextTurn();
    expect(sent).toHaveLength(2);
  });
});

describe('time of a request', () => {
  const left = () => database.deadline().left;
  it('is used up by the waits of its steps, each counted once', () =>
    database.patience.apart(async () => {
      make(counting());
      vi.advanceTimersByTime(400);
      await nextTurn();
      lastStep().answered(undefined);
      await nextTurn();
      expect(left()).toBe(timeout - 400);
      vi.advanceTimersByTime(2 * timeout);
      await nextTurn();
      expect(left()).toBe(timeout - 400);
      make(counting());
      vi.advanceTimersByTime(timeout - 400);
      await nextTurn();
      expect(left()).toBe(0);
    }));
});
