/** Groups of thousands: the cost of a change must not grow with the square of the members. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { Dn } from '../../core/src/foundation/text/dn.ts';
import { parseFilter } from '../../core/src/foundation/text/filter-text.ts';
import type { Change } from '../../core/src/ports/directory/directory.ts';
import { processorTime } from '../../core/src/testing/bed/measures/processor-time.ts';
import {
  attributes,
  base,
  named,
  openTestDirectory,
  person,
  type TestDirectory,
  unit,
} from './testing/test-directory.ts';

const members = Array.from({ length: 4000 }, (_, n) => named(`user ${n}`, unit('people')).toString());
const group = named('everybody');
const change = (operation: Change['operation'], values: readonly string[]): Change[] => [
  { operation, attribute: 'member', values },
];

let opened: TestDirectory;
beforeAll(async () => {
  opened = await openTestDirectory();
  await opened.directory.service.add(unit('people'), attributes({ objectclass: ['organizationalUnit'] }));
  await opened.directory.service.add(
    group,
    attributes({ objectclass: ['groupOfNames'], member: members.slice(0, 2000) }),
  );
});
afterAll(() => opened.dispose());

const memberCount = async () =>
  (await opened.directory.service.read(group, ['member']))?.attributes.get('member')?.length;

/** Comparing 2000 members with each other takes more than a minute. */
it('adds and removes two thousand members at a time', async () => {
  const { service } = opened.directory;
  const spent = await processorTime(async () => {
    await service.modify(group, change('add', members.slice(2000)));
    expect(await memberCount()).toBe(4000);
    await service.modify(group, change('delete', members.slice(1000, 3000)));
    expect(await memberCount()).toBe(2000);
  });
  expect(spent).toBeLessThan(10_000);
});

it('finds each member by name, and no removed one', async () => {
  const { service } = opened.directory;
  await service.add(named('user 0', unit('people')), person());
  await service.add(named('user 1000', unit('people')), person());
  const filter = parseFilter(`(memberOf=${group})`);
  const found = await service.search({ base, scope: 'sub', filter, attributes: ['memberOf'] });
  expect(found).toEqual([{ dn: members[0], attributes: new Map([['memberof', [group.toString()]]]) }]);
});

it('keeps one reference when a member is renamed to another reference', async () => {
  const { service } = opened.directory;
  await service.rename(named('user 0', unit('people')), { rdn: [{ type: 'cn', value: 'User 5' }] });
  const values = (await service.read(group, ['member']))?.attributes.get('member') ?? [];
  expect(values.map((value) => String(value).toLowerCase()).filter((it) => /cn=user [05],/.test(it))).toEqual(
    [members[5]],
  );
});

it('parses few names when a member is removed', async () => {
  const { service } = opened.directory;
  const leaver = named('leaver', unit('people'));
  await service.add(leaver, person());
  await service.modify(group, change('add', [leaver.toString()]));
  const count = await memberCount();
  const read = vi.spyOn(Dn, 'tryParse');
  await service.remove(leaver);
  expect(read.mock.calls.length).toBeLessThan(100);
  read.mockRestore();
  expect(await memberCount()).toBe((count ?? 0) - 1);
});
