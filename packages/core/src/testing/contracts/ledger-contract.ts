/** The contract of ledgers beyond stores, as a vitest suite without an engine; keys of its own separate the tests. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditEvent, EventLog } from '../../ports/event-log/event-log.ts';
import { type CommitChanges, isFree, type Ledger } from '../../ports/store/ledger.ts';
import type { Store } from '../../ports/store/store.ts';
import { describeAdmitting } from './ledger-admitting.ts';
import { playMany } from './ledger-history.ts';

export interface LedgerFixture {
  readonly ledger: Ledger;
  /** The ephemeral store. */
  readonly ephemeral: Store;
  readonly events: EventLog;
  /** Lets time pass for the ledger. */
  pass(seconds: number): Promise<void>;
  /** Opens the same ledger again, as after a crash of the process, or from another one. */
  another(): Promise<Ledger>;
  dispose(): Promise<void>;
}

/** Declares the suite `name`. `open` is called once; its `dispose` once, after the last test. */
export function ledgerContract(name: string, open: () => Promise<LedgerFixture>): void {
  describe(`ledger contract: ${name}`, () => {
    let fixture: LedgerFixture;
    let ledger: Ledger;
    beforeAll(async () => {
      fixture = await open();
      ({ ledger } = fixture);
    });
    afterAll(() => fixture?.dispose());
    const bed: LedgerBed = {
      get ledger() {
        return ledger;
      },
      get fixture() {
        return fixture;
      },
    };
    describeSteps(bed);
    describeErrors(bed);
    describeAdmitting(bed);
    it('lets one of many in, grants a number to one, and tells of each what it was, here and there', async () => {
      const ledgers = [ledger, await fixture.another()];
      expect(await playMany(ledgers, fixture)).toEqual([]);
    });
  });
}

export interface LedgerBed {
  readonly ledger: Ledger;
  readonly fixture: LedgerFixture;
}

const bytes = (text: string): Uint8Array => Buffer.from(text);
const text = (value: Uint8Array | undefined): string | undefined => value && Buffer.from(value).toString();
const timed = (value: string, seconds = 60) => ({ value: bytes(value), seconds });
const eventOf = (application: string, words: string): AuditEvent => ({
  ...{ time: 1, client: '-', application, session: 'AAAAAAAA', text: words },
});
const eventTexts = async ({ events }: LedgerFixture, application: string): Promise<readonly string[]> =>
  (await events.list({ application, max: 10_000 })).map((event) => event.text).reverse();

function describeSteps(bed: LedgerBed): void {
  it('shows what is there, and makes of it what is decided: values, claims and events', async () => {
    const { ledger } = bed;
    await ledger.put('step:old', bytes('old'), 60);
    await ledger.put('step:over', bytes('over'), 60);
    await ledger.claim('step:claim', 4, 60);
    const keys = ['step:old', 'step:over', 'step:new', 'step:claim', 'step:first'];
    const seen = await ledger.commit({
      durable: keys,
      decide: (before) => ({
        result: {
          values: keys.slice(0, 3).map((key) => text(before.value(key))),
          claims: keys.slice(3).map((key) => before.claimed(key)),
        },
        values: new Map([
          ['step:over', null],
          ['step:new', timed('new')],
        ]),
        claims: [
          { key: 'step:claim', value: 7, seconds: 60 },
          { key: 'step:first', value: 0, seconds: 60 },
        ],
        events: [eventOf('Steps', 'first'), eventOf('Steps', 'second')],
      }),
    });
    expect(seen).toEqual({ values: ['old', 'over', undefined], claims: [4, undefined] });
    expect(text(await ledger.get('step:old'))).toBe('old');
    expect(await ledger.get('step:over')).toBeUndefined();
    expect(text(await ledger.get('step:new'))).toBe('new');
    expect([await ledger.claimed('step:claim'), await ledger.claimed('step:first')]).toEqual([7, 0]);
    expect(await eventTexts(bed.fixture, 'Steps')).toEqual(['first', 'second']);
  });

  it('lets numbers only rise, and counts the time of each anew', async () => {
    const { ledger, fixture } = bed;
    const raise = (value: number) =>
      ledger.commit({
        durable: ['rise:a'],
        decide: (before) => ({
          result: isFree(before, { key: 'rise:a', value }),
          claims: [{ key: 'rise:a', value, seconds: 2 }],
        }),
      });
    expect([await raise(5), await raise(3), await raise(5), await raise(6)]).toEqual([
      true,
      false,
      false,
      true,
    ]);
    await fixture.pass(1);
    await raise(4);
    expect(await ledger.claimed('rise:a')).toBe(6);
    await fixture.pass(1.2);
    expect(await ledger.claimed('rise:a')).toBeUndefined();
  });

  it('forgets a value when its time is over, and does not show it', async () => {
    const { ledger, fixture } = bed;
    await ledger.commit({
      durable: ['end:a'],
      decide: () => ({ result: 0, values: [['end:a', timed('x', 2)]] }),
    });
    await fixture.pass(1);
    const look = () =>
      ledger.commit({ durable: ['end:a'], decide: (before) => ({ result: text(before.value('end:a')) }) });
    expect(await look()).toBe('x');
    await fixture.pass(1.2);
    expect(await look()).toBeUndefined();
  });

  it('may decide that nothing is done', async () => {
    expect(await bed.ledger.commit({ durable: [], decide: () => ({ result: 'nothing' }) })).toBe('nothing');
  });

  it('counts equal refusals, as the event log does', async () => {
    const refusal = { ...eventOf('Refusals', 'refused'), count: 1 };
    for (let n = 0; n < 3; n += 1)
      await bed.ledger.commit({ durable: [], decide: () => ({ result: 0, events: [refusal] }) });
    const listed = await bed.fixture.events.list({ application: 'Refusals', max: 10 });
    expect(listed.map(({ count }) => count)).toEqual([3]);
  });
}

function describeErrors(bed: LedgerBed): void {
  const bad: Readonly<Record<string, () => CommitChanges<number>>> = {
    'what decides throws': () => {
      throw new Error('no step');
    },
    'a value that was not named is changed': () => ({
      ...{ result: 0, values: new Map([['bad:other', timed('x')]]) },
      events: [eventOf('Bad', 'told')],
    }),
    'a number that was not named is claimed': () => ({
      ...{ result: 0, claims: [{ key: 'bad:other', value: 1, seconds: 60 }] },
      events: [eventOf('Bad', 'told')],
    }),
  };

  it.each(Object.keys(bad))(
    'nothing is done where %s, and others at the same moment are not harmed',
    async (name) => {
      const { ledger } = bed;
      const decide = bad[name] ?? (() => ({ result: 0 }));
      const beside = (key: string) =>
        ledger.commit({ durable: [key], decide: () => ({ result: key, values: [[key, timed('y')]] }) });
      const ended = await Promise.allSettled([
        beside('bad:before'),
        ledger.commit({ durable: ['bad:key'], decide }),
        beside('bad:after'),
      ]);
      expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect(text(await ledger.get('bad:before'))).toBe('y');
      expect(text(await ledger.get('bad:after'))).toBe('y');
      expect(await ledger.get('bad:other')).toBeUndefined();
      expect(await eventTexts(bed.fixture, 'Bad')).toEqual([]);
    },
  );

  it('shows only what was named', async () => {
    const look = bed.ledger.commit({
      durable: ['named'],
      decide: (before) => ({ result: before.value('other') }),
    });
    await expect(look).rejects.toThrow('other is none of the keys that the step names');
  });
}
