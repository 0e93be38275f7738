/** List_Nodes: which processes share a store, in both dialects; and that a store that fails fails no server. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServiceError } from '../../foundation/errors/errors.ts';
import { version } from '../../foundation/version.ts';
import { type Fixture, openFixture } from '../../testing/bed/fixture.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture.close());

/** What a node put before is there when this is. */
async function logged({ ports }: Fixture): Promise<void> {
  await ports.ephemeral.put('told', Buffer.from(''), 1);
  await nextTurn();
}
async function nodes(at = fixture) {
  await logged(at);
  return (await at.call('List_Nodes')).result;
}
const later = async (milliseconds: number, others: readonly Fixture[] = []) => {
  fixture.clock.advance(milliseconds);
  for (const one of [fixture, ...others]) await logged(one);
};

describe('List_Nodes', () => {
  it('lists who shares the store: until it ends, or has not told anything for 90 seconds', async () => {
    const started = '2026-11-20 12:00:00';
    const own = {
      name: fixture.core.host,
      server: 'embedded',
      version,
      started,
      seen: started,
      certificates: [],
    };
    expect(await nodes()).toEqual([own]);

    const program = 'watchword-manager';
    const other = await fixture.another({ config: { dialect: 'deployed' }, ports: () => ({ program }) });
    await logged(other);
    await later(30_000, [other]);
    const seen = '2026-11-20 12:00:30';
    expect(await nodes()).toEqual([
      { ...own, seen },
      { ...own, server: program, seen },
    ]);
    expect(await nodes(other)).toEqual(await nodes());

    await other.close();
    expect(await nodes()).toEqual([{ ...own, seen }]);
  });

  it('lists the certificates of listeners, with subject and end', async () => {
    const end = Date.UTC(2026, 11, 24);
    const certificate = {
      listener: 'ws',
      subject: 'CN=login.example.org',
      digest: '00',
      begin: 0,
      end,
      isRenewed: false,
    };
    const node = await fixture.another({ ports: () => ({ listenerCertificates: () => [certificate] }) });
    await logged(node);
    const certificates = [{ listener: 'ws', subject: 'CN=login.example.org', end: '2026-12-24 00:00:00' }];
    expect(await nodes()).toContainEqual(expect.objectContaining({ certificates }));
    await node.close();
  });

  it('forgets one that died, after 90 seconds', async () => {
    const { clock, ports } = fixture;
    const died = { name: 'a', server: 'b', version, started: clock.now(), seen: clock.now() };
    await ports.ephemeral.put('nodes:DIED', Buffer.from(JSON.stringify(died)), 90);
    await later(89_000);
    expect(await nodes()).toHaveLength(2);
    await later(1000);
    expect(await nodes()).toHaveLength(1);
  });

  it('costs a server nothing where the store fails: one line in the log, until it has worked again', async () => {
    let fails = true;
    const node = await fixture.another({
      ports: ({ ephemeral }) => ({
        ephemeral: {
          ...ephemeral,
          put: async (...args) => {
            if (fails) throw new ServiceError('unavailable');
            return ephemeral.put(...args);
          },
        },
      }),
    });
    const lines = () => node.log.lines.filter(({ message }) => message.includes('was not told')).length;
    for (let beats = 0; beats < 3; beats += 1) {
      node.clock.advance(30_000);
      await nextTurn();
    }
    expect(lines()).toBe(1);
    expect((await node.call('Server_Status')).result).toMatchObject({ status: 1 });
    fails = false;
    node.clock.advance(30_000);
    expect(await nodes(node)).toHaveLength(2);
    fails = true;
    node.clock.advance(30_000);
    await nextTurn();
    expect(lines()).toBe(2);
    await node.close();
  });
});
