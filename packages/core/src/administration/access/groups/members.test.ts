/** Members of a group, found by few searches at once. */
import { expect, it } from 'vitest';
import type { Directory } from '../../../ports/directory/directory.ts';
import { openFixture } from '../../../testing/bed/fixture.ts';
import { findMembers } from './members.ts';

it('asks for at most 64 searches at once when a group has thousands of login names', async () => {
  const fixture = await openFixture();
  const { config, domains, server } = fixture.core;
  let [running, most, all] = [0, 0, 0];
  const search: Directory['search'] = async (request) => {
    most = Math.max(most, ++running);
    all++;
    const found = await server.service.search(request);
    running--;
    return found;
  };
  const service: Directory = Object.assign(Object.create(server.service), { search });
  const uids = [...Array.from({ length: 5000 }, (_, at) => `u${at}`), 'bob'];
  const view = { config, domains, directory: { service } };
  const found = await findMembers({ dns: [], uids, numbers: [], primaries: [] }, view);
  expect(found.map((dn) => dn.format())).toEqual([fixture.users.bob.dn]);
  expect(all).toBe(Math.ceil(uids.length / 64));
  expect(most).toBe(64);
  await fixture.close();
});
