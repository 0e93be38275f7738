import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, expect, it } from 'vitest';
import type { GroupedChange } from './changes.ts';
import { GroupCommit } from './group-commit.ts';

const change: GroupedChange = { apply: () => {}, committed: () => {}, failed: () => {} };

let committed: [count: number, concurrent: number][];
let groups: GroupCommit;
let now: number;

beforeEach(() => {
  committed = [];
  now = 0;
  groups = new GroupCommit(
    (changes, concurrent) => committed.push([changes.length, concurrent]),
    () => now,
  );
});

function add(count: number, underWay: number): void {
  for (let n = 0; n < count; n += 1) groups.add(change, underWay);
}

async function turns(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) await nextTurn();
}

/** Begins a transaction with this many changes. */
async function begin(count: number): Promise<void> {
  add(count, 0);
  await turns(1);
  expect(committed).toEqual([[count, 0]]);
  committed = [];
}

it('commits changes of one turn of the event loop together', async () => {
  add(2, 0);
  add(1, 0);
  expect(committed).toEqual([]);
  expect(groups.hasChanges).toBe(true);
  await turns(1);
  expect(committed).toEqual([[3, 0]]);
  expect(groups.hasChanges).toBe(false);
});

it('commits waiting changes at once when a transaction of a single change has ended', async () => {
  await begin(1);
  add(1, 1);
  await turns(20);
  expect(committed).toEqual([]);
  groups.transactionEnded(1);
  expect(committed).toEqual([[1, 1]]);
});

it('waits one turn less than the last transaction had changes', async () => {
  await begin(4);
  add(1, 1);
  groups.transactionEnded(1);
  add(1, 0);
  await turns(2);
  add(1, 0);
  expect(committed).toEqual([]);
  await turns(1);
  expect(committed).toEqual([[3, 1]]);
  // And after that one: two turns.
  add(1, 1);
  groups.transactionEnded(1);
  await turns(1);
  expect(committed).toHaveLength(1);
  await turns(1);
  expect(committed).toHaveLength(2);
});

it('waits 16 turns at most while changes keep coming', async () => {
  await begin(1000);
  add(1, 1);
  groups.transactionEnded(1);
  for (let n = 0; n < 15; n += 1) {
    await turns(1);
    add(100, 0);
    groups.transactionEnded(1);
  }
  expect(committed).toEqual([]);
  await turns(1);
  expect(committed).toEqual([[1501, 1]]);
});

it('stops waiting when 10 ms have passed', async () => {
  await begin(1000);
  add(1, 1);
  groups.transactionEnded(1);
  now = 9;
  await turns(2);
  expect(committed).toEqual([]);
  now = 10;
  await turns(1);
  expect(committed).toEqual([[1, 1]]);
});

it('commits in the next turn when no change waited at the end of the last transaction', async () => {
  await begin(5);
  groups.transactionEnded(1);
  await turns(20);
  expect(committed).toEqual([]);
  add(1, 0);
  await turns(1);
  expect(committed).toEqual([[1, 0]]);
});

it('commits once when it is flushed during a wait', async () => {
  await begin(5);
  add(2, 1);
  groups.transactionEnded(1);
  groups.flush();
  expect(committed).toEqual([[2, 0]]);
  await turns(20);
  expect(committed).toHaveLength(1);
});
