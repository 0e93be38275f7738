import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, expect, it } from 'vitest';
import type { SmallChange } from './changes.ts';
import { Gathering } from './gathering.ts';

const change: SmallChange = { make: () => {}, written: () => {}, refused: () => {} };

let written: [count: number, beside: number][];
let gathering: Gathering;
let now: number;

beforeEach(() => {
  written = [];
  now = 0;
  gathering = new Gathering(
    (changes, beside) => written.push([changes.length, beside]),
    () => now,
  );
});

function add(count: number, underWay: number): void {
  for (let n = 0; n < count; n += 1) gathering.add(change, underWay);
}

async function turns(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) await nextTurn();
}

/** A transaction that so many shared is under way. */
async function shared(count: number): Promise<void> {
  add(count, 0);
  await turns(1);
  expect(written).toEqual([[count, 0]]);
  written = [];
}

it('writes together what comes in a turn of the event loop', async () => {
  add(2, 0);
  add(1, 0);
  expect(written).toEqual([]);
  expect(gathering.hasSome).toBe(true);
  await turns(1);
  expect(written).toEqual([[3, 0]]);
  expect(gathering.hasSome).toBe(false);
});

it('writes at once what waits, when a transaction of one has ended', async () => {
  await shared(1);
  add(1, 1);
  await turns(20);
  expect(written).toEqual([]);
  gathering.ended(1);
  expect(written).toEqual([[1, 1]]);
});

it('takes along what comes in the next turns, one less than changes shared the last transaction', async () => {
  await shared(4);
  add(1, 1);
  gathering.ended(1);
  add(1, 0);
  await turns(2);
  add(1, 0);
  expect(written).toEqual([]);
  await turns(1);
  expect(written).toEqual([[3, 1]]);
  // And after that one: two turns.
  add(1, 1);
  gathering.ended(1);
  await turns(1);
  expect(written).toHaveLength(1);
  await turns(1);
  expect(written).toHaveLength(2);
});

it('waits for no more than 16 turns, whoever comes', async () => {
  await shared(1000);
  add(1, 1);
  gathering.ended(1);
  for (let n = 0; n < 15; n += 1) {
    await turns(1);
    add(100, 0);
    gathering.ended(1);
  }
  expect(written).toEqual([]);
  await turns(1);
  expect(written).toEqual([[1501, 1]]);
});

it('waits for no long turn after one that was long', async () => {
  await shared(1000);
  add(1, 1);
  gathering.ended(1);
  now = 9;
  await turns(2);
  expect(written).toEqual([]);
  now = 10;
  await turns(1);
  expect(written).toEqual([[1, 1]]);
});

it('waits for nobody once nothing is asked for', async () => {
  await shared(5);
  gathering.ended(1);
  await turns(20);
  expect(written).toEqual([]);
  add(1, 0);
  await turns(1);
  expect(written).toEqual([[1, 0]]);
});

it('writes once what is to be written at once, as at the end', async () => {
  await shared(5);
  add(2, 1);
  gathering.ended(1);
  gathering.write();
  expect(written).toEqual([[2, 0]]);
  await turns(20);
  expect(written).toHaveLength(1);
});
