/** Members of a group, found by few searches at once. */
import { expect, it } from 'vitest';
import { readServiceConfig } from '../../../index.ts';
import type { Directory } from '../../../ports/directory/directory.ts';
import { openFixture } from '../../../testing/bed/fixture.ts';
import { findMembers, MemberSchema } from './members.ts';

/** Of a group with the number 513 at its end ([MS-DTYP] §2.4.2.2). */
const sid = Buffer.from('010500000000000515000000010000000200000003000000' + '01020000', 'hex');

it.each([
  [['groupOfNames'], [], []],
  [['posixGroup'], ['7'], []],
  [['top', 'Group'], [], ['513']],
])('reads of a group with the classes %j the numbers %j and the primary groups %j', (classes, ...found) => {
  const { schema } = readServiceConfig({ domains: { Default: { base: 'dc=example,dc=org' } } });
  const attributes = new Map(
    Object.entries({ cn: ['x'], memberuid: ['bob'], gidnumber: ['7'], objectsid: [sid] }),
  );
  const [numbers, primaries] = found;
  expect(new MemberSchema(schema).namesIn(attributes, classes)).toEqual({
    ...{ dns: [], uids: ['bob'], numbers, primaries },
  });
});

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
