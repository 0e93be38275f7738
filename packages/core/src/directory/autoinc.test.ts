/** `%AUTOINC%`: what it gives on both engines, and what it does where something is in its way. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServiceError } from '../foundation/errors/errors.ts';
import { Dn } from '../foundation/text/dn.ts';
import type { Attributes } from '../foundation/text/value.ts';
import { type Fixture, openFixture } from '../testing/bed/fixture.ts';
import { engines, openStage, type Stage } from '../testing/bed/stage.ts';
import { type NumberingView, withNumbers } from './autoinc.ts';

let fixture: Fixture;
let call: NumberingView;
beforeAll(async () => {
  fixture = await openFixture();
  call = fixture.core;
});
afterAll(() => fixture.close());

/** Who is given a number, and what comes of the entry. */
async function numberGiven(attribute: string, outcome?: ServiceError): Promise<number | undefined> {
  let given: number | undefined;
  const create = async (attributes: Attributes) => {
    given = Number(attributes.get(attribute)?.[0]);
    if (outcome) throw outcome;
  };
  await withNumbers(new Map([[attribute, ['%AUTOINC%']]]), call, create).catch((error: unknown) => {
    if (error !== outcome) throw error;
  });
  return given;
}

describe('a number', () => {
  it('releases a number when its entry was refused, but not when the entry may exist', async () => {
    expect(await numberGiven('uidnumber', new ServiceError('schema_refused'))).toBe(1000);
    expect(await numberGiven('uidnumber', new ServiceError('unavailable'))).toBe(1000);
    expect(await numberGiven('uidnumber')).toBe(1001);
  });

  it('fails when no number is left', async () => {
    const last = new Map(
      Object.entries({ objectclass: ['posixGroup'], cn: ['last'], gidnumber: ['2147483647'] }),
    );
    await fixture.ports.directory.service.add(Dn.parse(`cn=last,ou=groups,${fixture.base}`), last);
    await expect(numberGiven('gidnumber')).rejects.toMatchObject({
      reason: 'too_large',
      detail: 'no gidnumber is left up to 2147483647',
    });
  });
});

describe.each(engines)('%%AUTOINC%%: %s', (engine) => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(engine);
  });
  afterAll(() => stage.close());

  const posix = { objectclass: ['inetOrgPerson', 'posixAccount'], homedirectory: '/' };

  it('gives 20 concurrent creates 20 numbers after the highest existing one', async () => {
    const container = await stage.container();
    const numbered = { ...posix, uidnumber: '%AUTOINC%', gidnumber: '100' };
    const dns = await Promise.all(
      Array.from({ length: 20 }, (_, n) => stage.person(container, `auto${n}`, numbered)),
    );
    const numbers = await Promise.all(dns.map((dn) => numberOf(dn, 'uidnumber')));
    expect(new Set(numbers).size).toBe(20);
    expect(Math.max(...numbers) - Math.min(...numbers)).toBe(19);
    const next = await stage.person(container, 'next', numbered);
    expect(await numberOf(next, 'uidnumber')).toBe(Math.max(...numbers) + 1);
  });

  it('skips numbers that other programs have taken since', async () => {
    const container = await stage.container();
    const auto = { ...posix, uidnumber: '100', gidnumber: '%AUTOINC%' };
    const first = await numberOf(await stage.person(container, 'first', auto), 'gidnumber');
    await stage.person(container, 'intruder', { ...auto, gidnumber: String(first + 1) });
    expect(await numberOf(await stage.person(container, 'second', auto), 'gidnumber')).toBe(first + 2);
  });

  it('releases the number of an entry that could not be created', async () => {
    const container = await stage.container();
    const auto = { ...posix, uidnumber: '100', gidnumber: '%AUTOINC%' };
    const before = await numberOf(await stage.person(container, 'before', auto), 'gidnumber');
    await expect(stage.person(container, 'before', auto)).rejects.toThrow('already exist');
    expect(await numberOf(await stage.person(container, 'after', auto), 'gidnumber')).toBe(before + 1);
  });

  it('ignores entries with numbers that are special to systems', async () => {
    const container = await stage.container();
    const auto = { ...posix, uidnumber: '%AUTOINC%', gidnumber: '100' };
    const before = await numberOf(await stage.person(container, 'near', auto), 'uidnumber');
    for (const uidnumber of ['2147483648', '4294967294', '9007199254740991'])
      await stage.person(container, `far${uidnumber}`, { ...auto, uidnumber });
    await stage.ports.store.remove('autoinc:uidnumber'); // the directory is asked for the highest
    expect(await numberOf(await stage.person(container, 'nearest', auto), 'uidnumber')).toBe(before + 1);
  });

  async function numberOf(dn: string, attribute: string): Promise<number> {
    return Number((await stage.manager.Get_User_Attrs({ dn, attrs: [attribute] }))[attribute]?.[0]);
  }
});
