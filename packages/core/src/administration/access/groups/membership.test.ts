/** Membership of one entry in named groups: which groups are asked, and what failures come to. */
import { describe, expect, it } from 'vitest';
import { Dn } from '../../../foundation/text/dn.ts';
import { readServiceConfig, ServiceError } from '../../../index.ts';
import type { Entry } from '../../../ports/directory/directory.ts';
import { MembershipLookup } from './membership.ts';

const base = Dn.parse('ou=groups,dc=example,dc=org');
const config = readServiceConfig({ domains: { Default: { base: base.format() } } });
const near = Dn.parse(`cn=near,${base}`);
const other = Dn.parse(`cn=other,${base}`);
const far = Dn.parse('cn=far,dc=elsewhere');

/** An inquiry where these groups list the entry, and it counts in `among`. A failure ends each search. */
function inquiring({ listing = [], among = [], failure }: Situation) {
  const asked: string[] = [];
  const search = async (request: { readonly base: Dn; readonly scope: string }) => {
    asked.push(`${request.scope} ${request.base}`);
    if (failure) throw new ServiceError(failure);
    const isFound = (group: Dn) =>
      request.scope === 'sub' ? group.isWithin(request.base) : group.equals(request.base);
    return listing.filter(isFound).map((group) => ({ dn: group.format(), attributes: new Map() }));
  };
  const memberLists = {
    bases: async () => [base],
    read: async (dn: Dn) => {
      asked.push(`read ${dn}`);
      return undefined;
    },
    among: async (_: unknown, groups: readonly Dn[]) => groups.filter((group) => among.includes(group)),
  };
  const view = { config, memberLists, directory: { service: { search } } };
  return { inquiry: new MembershipLookup(Dn.parse('uid=eve,dc=example,dc=org'), view), asked };
}

interface Situation {
  readonly listing?: readonly Dn[];
  readonly among?: readonly Dn[];
  readonly failure?: 'not_found' | 'too_large' | 'unavailable';
}

describe('mayBeListed', () => {
  it.each([
    [true, [near], [`sub ${base}`]],
    [true, [far], [`sub ${base}`, `base ${far}`]],
    [false, [other], [`sub ${base}`, `base ${far}`]],
  ])(
    'is %s when %s lists the entry, and asks alone only groups outside the bases',
    async (is, listing, asks) => {
      const { inquiry, asked } = inquiring({ listing });
      expect(await inquiry.mayBeListed([near, far])).toBe(is);
      expect(asked).toEqual(asks);
    },
  );

  it('is true when more groups list the entry than a search finds, and fails as the search does', async () => {
    expect(await inquiring({ failure: 'too_large' }).inquiry.mayBeListed([near])).toBe(true);
    const failing = inquiring({ failure: 'unavailable' }).inquiry.mayBeListed([near]);
    await expect(failing).rejects.toMatchObject({ reason: 'unavailable' });
  });
});

it('has no member in a group that is missing, and fails as the search does', async () => {
  expect(await inquiring({ failure: 'not_found' }).inquiry.lists(near)).toBe(false);
  const failing = inquiring({ failure: 'unavailable' }).inquiry.lists(near);
  await expect(failing).rejects.toMatchObject({ reason: 'unavailable' });
});

it('finds each group once that lists the entry, and that the entry counts in', async () => {
  const { inquiry } = inquiring({ listing: [near], among: [near, far] });
  expect(await inquiry.all([other, near, far])).toEqual([near, far]);
});

it('reads the entry only when a group is left that does not list it', async () => {
  const { inquiry, asked } = inquiring({ listing: [near] });
  expect(await inquiry.all([near])).toEqual([near]);
  expect(asked).toEqual([`base ${near}`]);
});

it('takes nothing from the entry itself but its primary group', async () => {
  const names = ['uid', 'gidnumber', 'memberof', 'primarygroupid', 'objectsid'];
  const attributes = new Map(names.map((name) => [name, ['1']]));
  const given: (readonly string[])[] = [];
  const memberLists = {
    bases: async () => [base],
    read: async (dn: Dn) => ({ dn: dn.format(), attributes }),
    among: async (entry: Entry) => {
      given.push([...entry.attributes.keys()]);
      return [];
    },
  };
  const directory = { service: { search: async () => [] } };
  await new MembershipLookup(near, { config, memberLists, directory }).first([far]);
  expect(given).toEqual([['primarygroupid', 'objectsid']]);
});
