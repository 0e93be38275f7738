/** What every ledger has to do with what is about the next seconds only: a part of the ledger contract. */
import { describe, expect, it } from 'vitest';
import type { Ledger, MomentaryChanges } from '../../ports/store/ledger.ts';
import type { LedgerBed } from './ledger-contract.ts';

const timed = (value: string, seconds = 60) => ({ value: Buffer.from(value), seconds });
const text = (value: Uint8Array | undefined): string | undefined => value && Buffer.from(value).toString();

/** True: the lease was free. */
const takeLease = (ledger: Ledger, key: string): Promise<boolean> =>
  ledger.enter({
    ...{ lasting: [], momentary: [key] },
    decide: ({ momentary }) =>
      momentary.value(key) ? { result: false } : { result: true, values: new Map([[key, timed('held')]]) },
  });

export function describeEntering(bed: LedgerBed): void {
  describe('a step that waits for no disk', () => {
    it('looks at what lasts, and changes what does not', async () => {
      const { ledger, fixture } = bed;
      await ledger.put('enter:state', Buffer.from('lasts'), 60);
      await ledger.claim('enter:claim', 4, 60);
      await fixture.momentary.put('enter:state', Buffer.from('passes'), 60);
      await fixture.momentary.put('enter:over', Buffer.from('over'), 60);
      const seen = await ledger.enter({
        lasting: ['enter:state', 'enter:claim'],
        momentary: ['enter:state', 'enter:over', 'enter:new'],
        decide: ({ lasting, momentary }) => ({
          result: [
            text(lasting.value('enter:state')),
            lasting.claimed('enter:claim'),
            text(momentary.value('enter:state')),
          ],
          values: new Map([
            ['enter:over', null],
            ['enter:new', timed('new', 2)],
          ]),
        }),
      });
      expect(seen).toEqual(['lasts', 4, 'passes']);
      expect(text(await fixture.momentary.get('enter:new'))).toBe('new');
      expect(await fixture.momentary.get('enter:over')).toBeUndefined();
      expect(await ledger.get('enter:new')).toBeUndefined();
      await fixture.pass(2.2);
      expect(await fixture.momentary.get('enter:new')).toBeUndefined();
    });

    it('sees what was settled before, whoever did it', async () => {
      const other = await bed.fixture.another();
      for (let n = 0; n < 50; n += 1) {
        const [here, there] = n % 2 === 0 ? [bed.ledger, other] : [other, bed.ledger];
        const values = new Map([['enter:seen', timed(String(n))]]);
        await here.settle(['enter:seen'], () => ({ result: n, values }));
        const look = { lasting: ['enter:seen'], momentary: [] };
        const seen = await there.enter({
          ...look,
          decide: ({ lasting }) => ({ result: text(lasting.value('enter:seen')) }),
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

  describe('what a process holds', () => {
    const keys = ['held:beside', 'held:lease'];
    const take = (ledger: Ledger, value: string): Promise<string | undefined> =>
      ledger.enter({
        ...{ lasting: [], momentary: keys, held: 1 },
        decide: ({ momentary: found }): MomentaryChanges<string | undefined> => {
          const there = text(found.value('held:lease'));
          const values = there === undefined ? [['held:lease', timed(value)] as const] : [];
          return { result: there, values };
        },
      });

    it('is there for all who say so, for as long as it may be', async () => {
      const { ledger, fixture } = bed;
      const other = await fixture.another();
      expect(await take(ledger, 'first')).toBeUndefined();
      expect([await take(other, 'second'), await take(ledger, 'third')]).toEqual(['first', 'first']);
      await fixture.pass(61);
      expect([await take(other, 'fourth'), await take(ledger, 'fifth')]).toEqual([undefined, 'fourth']);
    });

    it('is left with what others share, and is free once that is told', async () => {
      const { ledger, fixture } = bed;
      await fixture.pass(61);
      expect(await take(ledger, 'first')).toBeUndefined();
      const left = await ledger.settle([], () => ({ result: 7 }), {
        ...{ keys, held: 1 },
        change: (found, result) => ({
          result: result + (text(found.value('held:lease'))?.length ?? 0),
          values: new Map([
            ['held:beside', timed('beside')],
            ['held:lease', null],
          ]),
        }),
        made: () => undefined,
        isAwaited: () => true,
      });
      expect(left).toBe(12);
      expect(text(await fixture.momentary.get('held:beside'))).toBe('beside');
      expect(await take(ledger, 'second')).toBeUndefined();
    });

    it('is taken by one of many, also where others change what is shared', async () => {
      const { ledger, fixture } = bed;
      await fixture.pass(61);
      const ledgers = [ledger, await fixture.another()];
      const count = (one: Ledger): Promise<number> =>
        one.enter({
          ...{ lasting: [], momentary: ['held:count'] },
          decide: ({ momentary: found }): MomentaryChanges<number> => {
            const after = Number(text(found.value('held:count')) ?? 0) + 1;
            return { result: after, values: [['held:count', timed(String(after))]] };
          },
        });
      const all = Array.from({ length: 40 }, (_, n) => {
        const one = ledgers[n % 2] ?? ledger;
        return n % 3 === 0 ? count(one) : take(one, String(n));
      });
      const found = await Promise.all(all);
      expect(found.filter((one) => one === undefined)).toHaveLength(1);
      expect(found.filter((one) => typeof one === 'number').sort((a, b) => a - b)).toEqual(
        Array.from({ length: 14 }, (_, n) => n + 1),
      );
    });
  });

  const value = new Map([['enter:other', timed('x')]]);
  const bad: Readonly<Record<string, () => MomentaryChanges<number>>> = {
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
    await fixture.momentary.remove('enter:beside');
    const ended = await Promise.allSettled([
      ledger.enter({ lasting: [], momentary: keys, decide }),
      takeLease(ledger, 'enter:beside'),
    ]);
    expect(ended.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(text(await fixture.momentary.get('enter:beside'))).toBe('held');
    for (const key of ['enter:bad', 'enter:other']) expect(await fixture.momentary.get(key)).toBeUndefined();
  });

  describe('what a settlement leaves behind', () => {
    it('is there with it, by what it came to', async () => {
      const { ledger, fixture } = bed;
      await takeLease(ledger, 'left:lease');
      await fixture.momentary.put('left:place', Buffer.from('1'), 60);
      const made: number[] = [];
      const left = await ledger.settle(['left:number'], () => ({ result: 7 }), {
        keys: ['left:lease', 'left:place'],
        change: (found, result) => ({
          result: result + Number(text(found.value('left:place'))),
          values: new Map([
            ['left:lease', null],
            ['left:place', timed(String(result))],
          ]),
        }),
        made: (result) => made.push(result),
        isAwaited: () => true,
      });
      expect([left, made]).toEqual([8, [7]]);
      expect(await fixture.momentary.get('left:lease')).toBeUndefined();
      expect(text(await fixture.momentary.get('left:place'))).toBe('7');
      expect(await ledger.get('left:place')).toBeUndefined();
    });

    it('is there for whoever enters once the result is told, also where nothing hangs on it', async () => {
      const { ledger } = bed;
      for (let round = 0; round < 20; round += 1) {
        await takeLease(ledger, 'left:told');
        const told = await ledger.settle([], () => ({ result: round }), {
          keys: ['left:told'],
          change: (_, result) => ({ result: result + 1, values: new Map([['left:told', null]]) }),
          made: () => undefined,
          isAwaited: () => false,
        });
        expect([round, round + 1]).toContain(told);
        const found = await ledger.enter({
          ...{ lasting: [], momentary: ['left:told'] },
          decide: ({ momentary }) => ({ result: momentary.value('left:told') }),
        });
        expect(found).toBeUndefined();
      }
    });

    it('is not there where nothing was settled', async () => {
      const { ledger, fixture } = bed;
      await takeLease(ledger, 'left:kept');
      const settled = ledger.settle(
        ['left:number'],
        () => {
          throw new Error('no step');
        },
        {
          keys: ['left:kept'],
          change: () => ({ result: 0, values: new Map([['left:kept', null]]) }),
          made: () => {
            throw new Error('it was not made');
          },
          isAwaited: () => false,
        },
      );
      await expect(settled).rejects.toThrow('no step');
      expect(await fixture.momentary.get('left:kept')).toBeDefined();
    });
  });

  it('its own process is not gone', () => {
    expect(bed.ledger.isGone(bed.ledger.holder)).toBe(false);
  });
}
