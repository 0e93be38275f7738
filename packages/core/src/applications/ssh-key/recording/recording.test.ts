/** Recordings as the store keeps them: the bounds of all of them, and their end. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { entryIdentifier } from '../../../directory/entry/identifier.ts';
import { Dn } from '../../../foundation/text/dn.ts';
import type { Store } from '../../../ports/store/store.ts';
import { type Fixture, openFixture } from '../../../testing/bed/fixture.ts';
import { type RecordingsView, removeRecording } from './administration.ts';
import { nextPart, partFamily } from './recording.ts';

const [megabyte, day] = [1_048_576, 86_400_000];
const sessions = { one: '1'.repeat(32), other: '2'.repeat(32), third: '3'.repeat(32) };

let node: Fixture;
let dn: Dn;
let entry: string;
let view: RecordingsView;
const bounds = { session_mb: 10, user_mb: 10, total_mb: 2, days: 3 };

beforeEach(async () => {
  node = await openFixture();
  const { server } = node.core;
  const { keys, store } = node.ports;
  view = { keys, store, server, directory: server.service };
  dn = Dn.parse(node.users.alice.dn);
  entry = await entryIdentifier(dn, view);
});
afterEach(() => node.close());

async function record(id: string, bytes = megabyte, ssh_recordings = bounds, of = entry): Promise<string> {
  const { keys, store } = node.ports;
  const name = { domain: 'Default', username: 'alice' };
  const session = { id, entry: of, name, where: 'web1', begun: node.clock.now() };
  const part = await nextPart(session, Buffer.alloc(bytes), { keys, store, config: { ssh_recordings } });
  return store.commit({
    durable: part.keys,
    decide: (found) => {
      const { end, values } = part.write(found, node.clock.now());
      return { result: end, values };
    },
  });
}

async function parts(): Promise<number> {
  let count = 0;
  for await (const page of node.ports.store.family(partFamily)) count += page.length;
  return count;
}

/** The store, where something happens before a recording is taken out of it. */
const storeWhere = (before: () => Promise<unknown>): RecordingsView['store'] => {
  const { store } = node.ports;
  const take: Store['take'] = async (key) => {
    await before();
    return store.take(key);
  };
  return { ...store, take };
};

describe('the bound of all recordings', () => {
  it('counts what was recorded while the clock was a year ahead', async () => {
    node.clock.advance(365 * day);
    expect(await record(sessions.one, 2 * megabyte)).toBe('kept');
    node.clock.advance(-365 * day);
    expect(await record(sessions.other)).toBe('full');
  });

  it('counts parts for as long as they live after fewer days are configured', async () => {
    const longer = { ...bounds, days: 90 };
    expect(await record(sessions.one, 1.5 * megabyte, longer)).toBe('kept');
    expect(await record(sessions.other, megabyte / 4)).toBe('kept');
    node.clock.advance(89 * day);
    expect(await record(sessions.other)).toBe('full');
    node.clock.advance(2 * day);
    expect(await record(sessions.third, 2 * megabyte)).toBe('kept');
  });

  it('gets back what the parts of a removed recording count for, without those that have ended', async () => {
    await record(sessions.one);
    node.clock.advance(2 * day);
    await record(sessions.one, megabyte / 4);
    await record(sessions.other, 0.75 * megabyte);
    node.clock.advance(2 * day);
    await record(sessions.one);
    await removeRecording(dn, sessions.one, view);
    expect(await record(sessions.third, 1.25 * megabyte)).toBe('kept');
    expect(await record(sessions.third, 1)).toBe('full');
  });
});

describe('the bound of the recordings of one user', () => {
  const share = { ...bounds, user_mb: 1 };

  it('leaves room for the sessions of others', async () => {
    expect(await record(sessions.one, megabyte, share)).toBe('kept');
    expect(await record(sessions.other, 1, share)).toBe('full');
    expect(await record(sessions.third, megabyte, share, 'another')).toBe('kept');
  });

  it('gets back what a removed recording counts for', async () => {
    await record(sessions.one, megabyte, share);
    await removeRecording(dn, sessions.one, view);
    expect(await record(sessions.other, megabyte, share)).toBe('kept');
  });
});

describe('removing a recording', () => {
  it('leaves no part that comes right before', async () => {
    await record(sessions.one);
    const store = storeWhere(() => record(sessions.one));
    await removeRecording(dn, sessions.one, { ...view, store });
    expect(await parts()).toBe(0);
    expect(await record(sessions.other, 2 * megabyte)).toBe('kept');
  });
});
