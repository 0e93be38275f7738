/**
 * Three nodes with nothing but PostgreSQL and two replicated slapds behind nginx. Users log in with one code at several places at
 * once, while a node, PostgreSQL or a slapd is killed: each code is let in once, nothing goes back, and what was answered
 * is on record.
 */
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { rounds } from '@watchword/core/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addUsers, Clients, recordedLogins } from './clients.ts';
import { type Cluster, openCluster, type Part } from './cluster.ts';
import { faultsOf } from './history.ts';

const users = ['alice', 'bob', 'carol', 'dave'];

let cluster: Cluster;
let clients: Clients;
beforeAll(async () => {
  cluster = await openCluster();
  await addUsers(cluster, users);
  clients = new Clients(cluster);
});
afterAll(async () => {
  clients.close();
  await cluster.close();
});

/** Judges what clients saw of some work by what is on record. */
async function faultsIn(work: () => Promise<void>): Promise<readonly string[]> {
  const before = await recordedLogins(cluster, users);
  await work();
  const after = await recordedLogins(cluster, users);
  const recorded = new Map(users.map((user) => [user, (after.get(user) ?? 0) - (before.get(user) ?? 0)]));
  return faultsOf({ attempts: clients.seen(), recorded });
}

/** Until a code is let in: a part that was killed takes its time to be found out. */
async function isServed(user: string): Promise<void> {
  while ((await clients.login(user)) !== 'granted') await sleep(200);
}

it('let each code in once, wherever it is shown', async () => {
  const faults = await faultsIn(async () => {
    for (let round = 0; round < 5; round += 1) {
      const answers = await Promise.all(users.map((user) => clients.rush(user, 3)));
      expect(answers.map((each) => each.filter((answer) => answer === 'granted').length)).toEqual([
        1, 1, 1, 1,
      ]);
    }
  });
  expect(faults).toEqual([]);
});

describe('while something is killed', () => {
  const parts: readonly (readonly [string, () => readonly Part[]])[] = [
    ['a node', () => cluster.nodes],
    ['PostgreSQL', () => [cluster.postgres]],
    ['a slapd', () => cluster.slapds],
  ];

  it.each(parts)(
    '%s: each code is let in once, nothing goes back, and what was answered is on record',
    async (_, partsOf) => {
      const faults = await faultsIn(async () => {
        for (let round = 0; round < rounds(2, 100); round += 1) {
          const part = partsOf()[round % partsOf().length];
          const rushing = users.map((user) => clients.rush(user, 3));
          await sleep(randomInt(150));
          await part?.kill();
          rushing.push(clients.rush('alice', 2));
          await sleep(randomInt(300));
          await part?.resume();
          await Promise.all(rushing);
          await Promise.all(users.map((user) => isServed(user)));
        }
      });
      expect(faults).toEqual([]);
    },
  );
});
