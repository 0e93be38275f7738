/** The part of the ledger contract that is about ephemeral values, locks and tokens. */
import { describe, expect, it } from 'vitest';
import { isUnlocked, lockRecord } from '../../foundation/locks/lock.ts';
import { type BucketRule, bucketRecord, readBucket, taken } from '../../foundation/locks/token-bucket.ts';
import type { EphemeralChanges, Ledger, LockRelease } from '../../ports/store/ledger.ts';
import type { LedgerBed } from './ledger-contract.ts';

const timed = (value: string, seconds = 60) => ({ value: Buffer.from(value), seconds });
const text = (value: Uint8Array | undefined): string | undefined => value && Buffer.from(value).toString();

/** True: the lease was free. */
const takeLease = (ledger: Ledger, key: string): Promise<boolean> =>
  ledger.admit({
    ...{ durable: [], ephemeral: [key] },
    decide: (_, ephemeral) =>
      ephemeral.value(key) ? { result: false } : { result: true, values: new Map([[key, timed('held')]]) },
  });

export function describeAdmitting(bed: LedgerBed): void {
  describe('a step that waits for no disk', () => {
    it('looks at what lasts, and changes what does not', async () => {
      const { ledger, fixture } = bed;
      await ledger.put('enter:state', Buffer.from('lasts'), 60);
      await ledger.claim('enter:claim', 4, 60);
      await fixture.ephemeral.put('enter:state', Buffer.from('passes'), 60);
      await fixture.ephemeral.put('enter:over', Buffer.from('over'), 60);
      const seen = await ledger.admit({
        durable: ['enter:state', 'enter:claim'],
        ephemeral: ['enter:state', 'enter:over', 'enter:new'],
        decide: (lasting, ephemeral) => ({
          result: [
            text(lasting.value('enter:state')),
            lasting.claimed('enter:claim'),
            text(ephemeral.value('enter:state')),
          ],
          values: new Map([
            ['enter:over', null],
            ['enter:new', timed('new', 2)],
          ]),
        }),
      });
      expect(seen).toEqual(['lasts', 4, 'passes']);
      expect(text(await fixture.ephemeral.get('enter:new'))).toBe('new');
      expect(await fixture.ephemeral.get('enter:over')).toBeUndefined();
      expect(await ledger.get('enter:new')).toBeUndefined();
      await fixture.pass(2.2);
      expect(await fixture.ephemeral.get('enter:new')).toBeUndefined();
    });

    it('sees what was settled before, whoever did it', async () => {
      const other = await bed.fixture.another();
      for (let n = 0; n < 50; n += 1) {
        const [here, there] = n % 2 === 0 ? [bed.ledger, other] : [other, bed.ledger];
        const values = new Map([['enter:seen', timed(String(n))]]);
        await here.commit({ durable: ['enter:seen'], decide: () => ({ result: n, values }) });
        const look = { durable: ['enter:seen'], ephemeral: [] };
        const seen = await there.admit({
          ...look,
          decide: (lasting) => ({ result: text(lasting.value('enter:seen')) }),
        });
        expect(seen).toBe(String(n));
      }
    });

    it('gives a lease to one of many', async () => {
      const ledgers = [bed.ledger, await bed.fixture.another()];
      const taken = await Promise.all(
        Array.from({ length: 40 }, (_, n) => takeLease(ledgers[n % 2] ?? bed.ledger, 'enter:lease')),
      );
      expect(taken.filter((isMine) => isMine)).toHaveLength(1);
    });
  });

  it('gives a lock to one of many, also when others change what is shared', async () => {
    const ledgers = [bed.ledger, await bed.fixture.another()];
    const take = (ledger: Ledger, owner: string): Promise<boolean> =>
      ledger.admit({
        ...{ durable: [], ephemeral: ['lock:many'] },
        decide: (_, state) => {
          const isFree = isUnlocked(state.value('lock:many'), state);
          const lock = lockRecord(owner, { now: state.now, holder: ledger.holder });
          return { result: isFree, values: isFree ? [['lock:many', lock]] : [] };
        },
      });
    const count = (ledger: Ledger): Promise<number> =>
      ledger.admit({
        ...{ durable: [], ephemeral: ['lock:count'] },
        decide: (_, state): EphemeralChanges<number> => {
          const after = Number(text(state.value('lock:count')) ?? 0) + 1;
          return { result: after, values: [['lock:count', timed(String(after))]] };
        },
      });
    const all = Array.from({ length: 40 }, (_, n) => {
      const one = ledgers[n % 2] ?? bed.ledger;
      return n % 3 === 0 ? count(one) : take(one, String(n));
    });
    const found = await Promise.all(all);
    expect(found.filter((one) => one === true)).toHaveLength(1);
    expect(found.filter((one) => typeof one === 'number').sort((a, b) => a - b)).toEqual(
      Array.from({ length: 14 }, (_, n) => n + 1),
    );
  });

  const value = new Map([['enter:other', timed('x')]]);
  const bad: Readonly<Record<string, () => EphemeralChanges<number>>> = {
    'what decides throws': () => {
      throw new Error('no step');
    },
    'a value that was not named is changed': () => ({
      result: 0,
      values: new Map([['enter:bad', timed('x')], ...value]),
    }),
  };
  it.each(Object.keys(bad))('nothing is done where %s, and others are not harmed', async (name) => {
    const { ledger, fixture } = bed;
    const decide = bad[name] ?? (() => ({ result: 0 }));
    const keys = ['enter:beside', 'enter:bad'];
    await fixture.ephemeral.remove('enter:beside');
    const ended = await Promise.allSettled([
      ledger.admit({ durable: [], ephemeral: keys, decide }),
      takeLease(ledger, 'enter:beside'),
    ]);
    expect(ended.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(text(await fixture.ephemeral.get('enter:beside'))).toBe('held');
    for (const key of ['enter:bad', 'enter:other']) expect(await fixture.ephemeral.get(key)).toBeUndefined();
  });

  describe('a release', () => {
    const lock = 'release:lock';
    const rule: BucketRule = { key: 'release:bucket', most: 3, every: 1000 };
    const tokens = (change: 'return' | 'keep' | 'spend'): LockRelease => ({
      kind: 'tokens',
      key: rule.key,
      rule,
      change,
    });

    /** Takes the lock and a token. */
    const take = (ledger: Ledger, owner: string): Promise<boolean> =>
      ledger.admit({
        ...{ durable: [], ephemeral: [rule.key, lock] },
        decide: (_, state) => {
          const bucket = taken(readBucket(state.value(rule.key), rule, state), rule, ledger.holder);
          if (!bucket || !isUnlocked(state.value(lock), state)) return { result: false };
          const record = lockRecord(owner, { now: state.now, holder: ledger.holder });
          return {
            result: true,
            values: [
              [rule.key, bucketRecord(bucket)],
              [lock, record],
            ],
          };
        },
      });
    const release = (ledger: Ledger, of: readonly LockRelease[]): Promise<number> =>
      ledger.commit({
        ...{ durable: ['release:number'], ephemeral: [rule.key, lock] },
        decide: () => ({ result: 7, values: [['release:number', timed('7')]], release: of }),
      });
    const unlock = (owner: string): LockRelease => ({ kind: 'unlock', key: lock, owner });
    const look = (ledger: Ledger) =>
      ledger.admit({
        ...{ durable: ['release:number'], ephemeral: [rule.key, lock] },
        decide: (durable, state) => {
          const { owed, underWay } = readBucket(state.value(rule.key), rule, state);
          const isFree = isUnlocked(state.value(lock), state);
          return { result: { owed, underWay, isFree, number: text(durable.value('release:number')) } };
        },
      });

    it('is there for every later admission, on each node, and the values with it', async () => {
      const { ledger, fixture } = bed;
      const other = await fixture.another();
      for (let round = 0; round < 20; round += 1) {
        const here = round % 2 === 0 ? ledger : other;
        expect(await take(here, `round ${round}`)).toBe(true);
        expect(await release(here, [tokens('return'), unlock(`round ${round}`)])).toBe(7);
        expect(await look(round % 3 === 0 ? ledger : other)).toEqual({
          ...{ owed: 0, underWay: {}, isFree: true, number: '7' },
        });
      }
    });

    it('keeps a token that was taken, and spends one that was not', async () => {
      const { ledger, fixture } = bed;
      await fixture.pass(4);
      await take(ledger, 'first');
      await release(ledger, [tokens('keep'), unlock('first')]);
      expect(await look(ledger)).toMatchObject({ underWay: {}, isFree: true });
      const { owed } = await look(ledger);
      expect(owed).toBeGreaterThan(0);
      await release(ledger, [tokens('spend')]);
      expect((await look(ledger)).owed).toBeGreaterThan(owed);
    });

    it('leaves the lock of another owner', async () => {
      const { ledger, fixture } = bed;
      await fixture.pass(4);
      await take(ledger, 'mine');
      await release(ledger, [tokens('return'), unlock('another')]);
      expect(await look(ledger)).toMatchObject({ isFree: false, underWay: {} });
      await release(ledger, [unlock('mine')]);
      expect((await look(ledger)).isFree).toBe(true);
    });

    it('is not applied when the step fails', async () => {
      const { ledger, fixture } = bed;
      await fixture.pass(4);
      await take(ledger, 'kept');
      const failed = ledger.commit({
        ...{ durable: ['release:number'], ephemeral: [rule.key, lock] },
        decide: () => ({ result: 0, values: [['release:other', timed('x')]], release: [unlock('kept')] }),
      });
      await expect(failed).rejects.toThrow('release:other is none of the keys that the step names');
      expect((await look(ledger)).isFree).toBe(false);
      await release(ledger, [tokens('return'), unlock('kept')]);
    });
  });

  it('knows that its own process has not ended', () => {
    expect(bed.ledger.hasEnded(bed.ledger.holder)).toBe(false);
  });
}
