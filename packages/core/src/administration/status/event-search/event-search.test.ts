/** Search_Event_Logs and Export_Event_Logs: what is found by what, page by page, and by whom. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fixture, openFixture, type Person } from '../../../testing/bed/fixture.ts';

const people = 'ou=people,dc=example,dc=org';
const minute = 60_000;

let fixture: Fixture;
beforeAll(async () => {
  const role = { methods: ['*'], subtrees: [`uid=alice,${people}`], read: ['*'] };
  fixture = await openFixture({ config: { roles: { desk: { ...role, members: [`uid=bob,${people}`] } } } });
  const start = fixture.clock.now();
  const add = (n: number, application: string, uid: string, client: string, source?: string) =>
    fixture.ports.events.append({
      time: start + n * minute,
      ...{ client, application, session: 'ABCDEFGH', dn: `uid=${uid},${people}`, text: `Event ${n}` },
      ...(source !== undefined && { source }),
    });
  for (let n = 0; n < 600; n += 1)
    await add(n, n % 3 === 0 ? 'Otp' : 'Manager', 'alice', '198.51.100.7:40000');
  await add(600, 'Otp', 'bob', '198.51.100.8:40000', '203.0.113.5');
});
afterAll(() => fixture.close());

async function call<T>(method: string, params: object, as?: Person): Promise<T> {
  const { result, error } = await fixture.call(method, params, as && { as });
  if (error) throw new Error(String(error.data));
  return result as T;
}

interface Page {
  events: { text: string; dn: string }[];
  next: number | null;
}
const search = (params: object, as?: Person) => call<Page>('Search_Event_Logs', params, as);
const texts = async (params: object, as?: Person) =>
  (await search(params, as)).events.map(({ text }) => text);
const at = (n: number) =>
  new Date(fixture.clock.now() + n * minute).toISOString().slice(0, 19).replace('T', ' ');

describe('Search_Event_Logs', () => {
  it('gives all applications in one order, each event once, over all pages', async () => {
    const found: string[] = [];
    let before: number | null | undefined;
    for (let pages = 0; before !== null && pages < 20; pages += 1) {
      const page: Page = await search({ max: 90, ...(before && { before }) });
      found.push(...page.events.map(({ text }) => text).filter((text) => text.startsWith('Event')));
      before = page.next;
    }
    expect(found).toEqual(Array.from({ length: 601 }, (_, index) => `Event ${600 - index}`));
  });

  it('finds by application, entry, caller, end user, text and moments', async () => {
    expect(await texts({ application: 'otp', max: 3 })).toEqual(['Event 600', 'Event 597', 'Event 594']);
    expect(await texts({ application: 'Otp', dn: `UID=Bob, ${people}` })).toEqual(['Event 600']);
    expect(await texts({ client: '198.51.100.8' })).toEqual(['Event 600']);
    expect(await texts({ client: '203.0.113' })).toEqual(['Event 600']);
    expect(await texts({ text: 'event 59', application: 'Otp' })).toEqual([
      'Event 597',
      'Event 594',
      'Event 591',
    ]);
    expect(await texts({ start: at(100), stop: at(103) })).toEqual([
      'Event 103',
      'Event 102',
      'Event 101',
      'Event 100',
    ]);
    expect(await texts({ text: 'no such thing' })).toEqual([]);
  });

  it('looks no further back than the start', async () => {
    expect((await search({ application: 'Otp', start: at(599), max: 5 })).next).toBeNull();
  });

  it('shows a role what was about entries in its reach, and nothing else', async () => {
    const { bob } = fixture.users;
    expect(await texts({ dn: `uid=alice,${people}`, application: 'Otp', max: 1 }, bob)).toEqual([
      'Event 597',
    ]);
    await expect(search({}, bob)).rejects.toThrow('only super administrators');
    await expect(search({ dn: bob.dn }, bob)).rejects.toThrow('out of your reach');
  });

  it('refuses what is no moment and no application', async () => {
    await expect(search({ start: 'yesterday' })).rejects.toThrow('Parameter start is not a time');
    await expect(search({ application: 'Nope' })).rejects.toThrow();
  });
});

describe('Export_Event_Logs', () => {
  const written = (params: object, as?: Person) => call<string>('Export_Event_Logs', params, as);

  it('writes a JSON object on each line', async () => {
    const text = await written({ application: 'Otp', start: at(590) });
    const lines = text.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).text)).toEqual([
      'Event 600',
      'Event 597',
      'Event 594',
      'Event 591',
    ]);
  });

  it('writes CEF, and a line break of a text ends no line', async () => {
    await fixture.ports.events.append({
      ...{ time: fixture.clock.now() + 700 * minute, client: '-', application: 'Sso', session: 'ABCDEFGH' },
      text: 'two\nlines|=',
    });
    const text = await written({ application: 'Sso', format: 'CEF' });
    expect(text).toMatch(/^CEF:0\|Watchword\|.*msg=two\\nlines\|\\=\n$/);
  });

  it('is bounded by the maximum, and by the rights of who asks', async () => {
    expect((await written({ max: 7 })).trimEnd().split('\n')).toHaveLength(7);
    await expect(written({}, fixture.users.bob)).rejects.toThrow('only super administrators');
  });
});
