/** Members of a group, found by few searches at once. */
import { expect, it } from 'vitest';
import { Dn } from '../../../foundation/text/dn.ts';
import { type Filter, matchAll } from '../../../foundation/text/filter.ts';
import { readServiceConfig, ServiceError } from '../../../index.ts';
import type { Directory } from '../../../ports/directory/directory.ts';
import { openFixture } from '../../../testing/bed/fixture.ts';
import { findMembers, MemberSchema, searchAll } from './members.ts';

const base = 'dc=example,dc=org';
const config = readServiceConfig({ domains: { Default: { base } } });

/** Identifier of a group with the number 513 at its end ([MS-DTYP] §2.4.2.2). */
const sid = Buffer.from('010500000000000515000000010000000200000003000000' + '01020000', 'hex');

it.each([
  [['groupOfNames'], [], []],
  [['posixGroup'], ['7'], []],
  [['top', 'Group'], [], ['513']],
])('reads of a group with the classes %j the numbers %j and the primary groups %j', (classes, ...found) => {
  const attributes = new Map(
    Object.entries({
      cn: ['a name as long as a SID'],
      memberuid: ['bob'],
      gidnumber: ['7'],
      objectsid: [sid],
    }),
  );
  const [numbers, primaries] = found;
  expect(new MemberSchema(config.schema).namesIn(attributes, classes)).toEqual({
    ...{ dns: [], uids: ['bob'], numbers, primaries },
  });
});

/** The assertions of a filter, as `uid bob`. */
const askedBy = (filter: Filter): readonly string[] => {
  if ('filters' in filter) return filter.filters.flatMap(askedBy);
  return filter.kind === 'equality' ? [`${filter.attribute} ${String(filter.value)}`] : [];
};

it('finds whom groups in groups name as the directory writes it, and asks once for each name', async () => {
  const dnOf = (name: string) => `cn=${name},${base}`;
  const ofPosix = { objectclass: ['posixGroup'], memberuid: ['u'], gidnumber: ['7'] };
  const ofAd = { objectclass: ['group'], objectsid: [sid] };
  const outer = ['a', 'b', 'c', 'd', 'outer', 'alias'].map(dnOf);
  const groups = new Map<string, Readonly<Record<string, (string | Buffer)[]>>>([
    [dnOf('outer'), { objectclass: ['groupOfNames'], member: [...outer, '', '<SID=S-1-5>'] }],
    ...['a', 'b'].map((name) => [dnOf(name), ofPosix] as const),
    ...['c', 'd'].map((name) => [dnOf(name), ofAd] as const),
  ]);
  const asked: string[] = [];
  const service: Pick<Directory, 'read' | 'search'> = {
    read: async (dn) => ({
      dn: dn.format().replace('alias', 'real'),
      attributes: new Map(Object.entries(groups.get(dn.format()) ?? {})),
    }),
    search: async ({ filter }) => {
      const names = askedBy(filter).filter((one) => !one.startsWith('objectClass '));
      asked.push(...names);
      return names.map((name) => ({ dn: dnOf(name), attributes: new Map() }));
    },
  };
  const view = { config, domains: { bases: [Dn.parse(base)] }, directory: { service } };
  const names = { dns: [dnOf('outer')], uids: [], numbers: [], primaries: [] };
  const found = (await findMembers(names, view)).map((dn) => dn.format());
  const users = ['uid u', 'gidNumber 7', 'primaryGroupID 513'];
  expect(found.filter((dn) => !groups.has(dn))).toEqual([dnOf('real'), '', ...users.map(dnOf)]);
  expect(asked).toEqual(users);
});

it('finds nobody below a base that is missing, and fails as its search does', async () => {
  const failing = (reason: 'not_found' | 'unavailable') => {
    const search = () => Promise.reject(new ServiceError(reason));
    return searchAll({ base: Dn.parse(base), filter: matchAll }, { directory: { service: { search } } });
  };
  expect(await failing('not_found')).toEqual([]);
  await expect(failing('unavailable')).rejects.toMatchObject({ reason: 'unavailable' });
});

it('asks for at most 64 searches at once when a group has thousands of login names', async () => {
  const fixture = await openFixture();
  const { domains, server } = fixture.core;
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
