/** Needs of methods, judged by what a role lets: what pages offer beforehand. */
import { describe, expect, it } from 'vitest';
import { readServiceConfig } from '../../index.ts';
import type { Need } from '../../table/method.ts';
import { areMet, type RightsAtEntry } from './needs.ts';

const { schema } = readServiceConfig({ domains: { Default: { base: 'dc=example,dc=org' } } });

interface Lets {
  readonly reads?: readonly string[];
  readonly writes?: readonly string[];
  readonly creates?: readonly string[];
  readonly isSuperAdmin?: boolean;
  readonly moves?: boolean;
}

const names = (some: readonly string[] = []) => {
  const all = some.map((name) => name.toLowerCase());
  return (name: string) => all.includes(name.toLowerCase());
};

const entryOf = (...objectclass: string[]) => ({
  dn: 'uid=x,dc=example,dc=org',
  attributes: new Map([['objectclass', objectclass]]),
});

const prospect = (lets: Lets, about: Partial<RightsAtEntry> = {}): RightsAtEntry => ({
  ...{ schema, entry: undefined, naming: [], isSuperAdmin: lets.isSuperAdmin === true },
  ...{ reads: names(lets.reads), writes: names(lets.writes), creates: names(lets.creates) },
  moves: async () => lets.moves === true,
  ...about,
});

const user = { entry: entryOf('top', 'inetOrgPerson') };
const group = { entry: entryOf('top', 'groupOfNames') };
const named = { naming: ['uid', 'sn'] };

describe('a need', () => {
  it.each<[Need, Lets, Lets, Partial<RightsAtEntry>?]>([
    ['readsData', { reads: ['webadmData'] }, { writes: ['webadmData'] }],
    ['readsLogins', { reads: schema.login_attributes }, { reads: ['mail'] }],
    ['writesCertificates', { writes: ['userCertificate'] }, { writes: ['mail'] }],
    ['setsPasswords', { writes: ['userPassword'] }, { writes: ['mail'] }],
    ['activates', { creates: ['webadmAccount'] }, { creates: ['webadmGroup'] }],
    ['activates', { creates: ['webadmAccount'] }, { creates: ['webadmGroup'] }, user],
    ['activates', { creates: ['webadmGroup'] }, { creates: ['webadmAccount'] }, group],
    ['unmakes', { creates: ['inetOrgPerson'] }, { creates: ['top', 'person'] }, user],
    ['renames', { writes: ['uid', 'sn'] }, { writes: ['uid'] }, named],
    ['moves', { moves: true }, {}],
    ['isSuper', { isSuperAdmin: true }, {}],
    ['reads mail', { reads: ['mail'] }, { reads: ['sn'], writes: ['mail'] }],
  ])('%s is met by %j, and not by %j', async (need, enough, little, about) => {
    expect(await areMet([need], prospect(enough, about))).toBe(true);
    expect(await areMet([need], prospect(little, about))).toBe(false);
  });

  it('is met with all others, or the method is not let', async () => {
    const lets = { writes: ['userPassword'] };
    expect(await areMet([], prospect({}))).toBe(true);
    expect(await areMet(['setsPasswords', 'moves'], prospect(lets))).toBe(false);
    expect(await areMet(['moves', 'setsPasswords'], prospect({ ...lets, moves: true }))).toBe(true);
  });
});
