import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Fixture, openFixture } from '../../../testing/bed/fixture.ts';

const people = 'ou=people,dc=example,dc=org';
const digests = ['ab'.repeat(32), 'cd'.repeat(32), 'ef'.repeat(32)] as const;

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture({
    config: {
      clients: { vpn: {} },
      api_keys: {
        7: {
          ...{ sha256: digests[0], services: ['otp'], clients: ['192.0.2.0/24'], client: 'vpn' },
          ...{ owner: '<b>Network</b> team', expires: '2026-11-20 13:00:00' },
          previous: { sha256: digests[2], until: '2026-11-20 12:30:00' },
        },
        12: { sha256: digests[1] },
      },
      roles: {
        desk: { members: [`uid=alice,${people}`], methods: ['*'], subtrees: [people] },
      },
    },
  });
});
afterAll(() => fixture.close());

it('lists owner, rights, end, state and last use of each key, and neither a key nor its digest', async () => {
  const { result } = await fixture.call('List_API_Keys');
  const unused = { layer: 'file', renewed_until: null, last_used: null };
  expect(result).toEqual([
    {
      ...{ id: '7', at: 'api_keys.7', owner: '<b>Network</b> team', services: ['otp'] },
      ...{ clients: ['192.0.2.0/24'], client: 'vpn', expires: '2026-11-20 13:00:00', state: 'renewed' },
      ...{ ...unused, renewed_until: '2026-11-20 12:30:00' },
    },
    {
      ...{ id: '12', at: 'api_keys.12', owner: null, services: null, clients: [], client: null },
      ...{ expires: null, state: 'valid', ...unused },
    },
  ]);
  for (const digest of digests) expect(JSON.stringify(result)).not.toContain(digest);
});

it('lists the state of a key by the time', async () => {
  const statesAfter = async (minutes: number) => {
    fixture.clock.advance(minutes * 60_000);
    const { result } = await fixture.call('List_API_Keys');
    return (result as { state: string }[]).map(({ state }) => state);
  };
  expect(await statesAfter(30)).toEqual(['valid', 'valid']);
  expect(await statesAfter(30)).toEqual(['expired', 'valid']);
});

it('refuses all but super administrators, whatever a role grants', async () => {
  const { error } = await fixture.call('List_API_Keys', {}, { as: fixture.users.alice });
  expect(error?.data).toMatch('only super administrators may see the API keys');
});
