/** Groups that are remembered for a second are in memory for no longer than users come and go. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { collectGarbage } from '../../../../node/src/machine/memory.ts';
import type { Dn } from '../../foundation/text/dn.ts';
import type { Entry } from '../../ports/directory/directory.ts';
import { openFixture } from '../../testing/bed/fixture.ts';
import { TestClock } from '../../testing/test-clock.ts';
import { Memberships } from './memberships.ts';

it('drops cached groups of a user who does not log in again', async () => {
  const fixture = await openFixture();
  const { server, domains, config } = fixture.core;
  const clock = new TestClock();
  const found: WeakRef<Entry>[] = [];
  /** Each user is in a group of its own, and no group in another. */
  const search = async ({ filter }: { readonly filter: object }) => {
    if (!JSON.stringify(filter).includes('uid=')) return [];
    const group = { dn: `cn=group${found.length},ou=groups,${fixture.base}`, attributes: new Map() };
    found.push(new WeakRef(group));
    return [group];
  };
  const watched = { service: Object.create(server.service, { search: { value: search } }) };
  const memberships = new Memberships({
    ...{ schema: config.schema, domains, clock },
    server: { ...watched, capabilities: async (dn: Dn) => server.capabilities(dn) },
  });
  const logIn = async (name: string) => {
    const user = { dn: `uid=${name},ou=people,${fixture.base}`, attributes: new Map() };
    memberships.believe(user);
    return (await memberships.of(user)).length;
  };
  for (let n = 0; n < 50; n += 1) expect(await logIn(`user${n}`)).toBe(1);
  clock.advance(2_000);
  await logIn('other');
  await nextTurn();
  collectGarbage();
  const kept = found.map((entry) => entry.deref()?.dn).filter((dn) => dn !== undefined);
  expect([found.length, kept]).toEqual([51, [`cn=group50,ou=groups,${fixture.base}`]]);
  await fixture.close();
});
