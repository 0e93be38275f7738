import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Fixture, openFixture } from '../../testing/bed/fixture.ts';

const people = 'ou=people,dc=example,dc=org';
const digests = ['ab'.repeat(32), 'cd'.repeat(32)] as const;

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture({
    config: {
      clients: { vpn: {} },
      api_keys: {
        7: { sha256: digests[0], services: ['otp'], clients: ['192.0.2.0/24'], client: 'vpn' },
        12: { sha256: digests[1] },
      },
      roles: {
        desk: { members: [`uid=alice,${people}`], methods: ['*'], subtrees: [people] },
      },
    },
  });
});
afterAll(() => fixture.close());

it('tells what each key opens and where it stands, and neither a key nor its digest', async () => {
  const { result } = await fixture.call('List_API_Keys');
  expect(result).toEqual([
    { id: '7', at: 'api_keys.7', services: ['otp'], clients: ['192.0.2.0/24'], client: 'vpn' },
    { id: '12', at: 'api_keys.12', services: null, clients: [], client: null },
  ]);
  for (const digest of digests) expect(JSON.stringify(result)).not.toContain(digest);
});

it('is for super administrators, whatever a role grants', async () => {
  const { error } = await fixture.call('List_API_Keys', {}, { as: fixture.users.alice });
  expect(error?.data).toMatch('only super administrators may see the API keys');
});
