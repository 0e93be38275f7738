/** What is believed of the settings of groups, and for how long: nothing that is older than a write, and no failure. */
import { expect, it } from 'vitest';
import { ServiceError } from '../../foundation/errors/errors.ts';
import { Dn } from '../../foundation/text/dn.ts';
import { readServiceConfig } from '../../index.ts';
import type { DirectoryServer, Entry } from '../../ports/directory/directory.ts';
import { openFixture } from '../../testing/bed/fixture.ts';
import { TestClock } from '../../testing/test-clock.ts';
import { GroupSettings } from './group-settings.ts';

const base = Dn.parse('dc=example,dc=org');
const { schema } = readServiceConfig({ domains: { Default: { base: base.toString() } } });
const some: readonly Entry[] = [{ dn: `cn=those,${base}`, attributes: new Map() }];

/** A directory that answers with what comes next. */
function asking(server: DirectoryServer, answers: (() => Promise<readonly Entry[]>)[]) {
  const search = async () => (await answers.shift()?.()) ?? [];
  const capabilities: DirectoryServer['capabilities'] = async (dn) => ({
    ...(await server.capabilities(dn)),
    vendor: 'openldap',
  });
  const directory = { ...server.service, search, modify: async () => undefined };
  const clock = new TestClock();
  const groups = new GroupSettings({ server: { capabilities, service: directory }, schema, clock });
  return { groups, clock, answers };
}

it('are searched again after a failure', async () => {
  const fixture = await openFixture();
  const down = () => Promise.reject(new ServiceError('unavailable'));
  const { groups } = asking(fixture.directory, [down, async () => some]);
  await expect(groups.maySome(base)).rejects.toThrow(ServiceError);
  expect(await groups.maySome(base)).toBe(true);
  await fixture.close();
});

it('are searched once for concurrent logins, and with a clock that was set back', async () => {
  const fixture = await openFixture();
  const { groups, clock, answers } = asking(fixture.directory, [async () => [], async () => some]);
  expect(await Promise.all([groups.maySome(base), groups.maySome(base)])).toEqual([false, false]);
  expect(answers).toHaveLength(1);
  clock.advance(-1);
  expect(await groups.maySome(base)).toBe(true);
  await fixture.close();
});

it('are searched again after a write', async () => {
  const fixture = await openFixture();
  let answer = (_: readonly Entry[]) => {};
  const slow = () => new Promise<readonly Entry[]>((resolve) => (answer = resolve));
  const { groups } = asking(fixture.directory, [slow, async () => some]);
  const before = groups.maySome(base);
  const seen = groups.seeing(fixture.directory).service;
  const dn = Dn.parse(fixture.users.alice.dn);
  await seen.modify(dn, [{ operation: 'replace', attribute: 'mail', values: ['a@example.org'] }]);
  expect(await groups.maySome(base)).toBe(true);
  answer([]);
  expect(await before).toBe(false);
  expect(await groups.maySome(base)).toBe(true);
  await fixture.close();
});

it('are always possible in the embedded directory, which needs no search', async () => {
  const fixture = await openFixture();
  expect(await fixture.core.groupSettings.maySome(base)).toBe(true);
  await fixture.close();
});
