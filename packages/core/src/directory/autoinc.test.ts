/** `%AUTOINC%` where something is in its way; what it gives otherwise is in object.test.ts. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServiceError } from '../errors.ts';
import type { Call } from '../method.ts';
import { type Fixture, openFixture } from '../testing/fixture.ts';
import { withNumbers } from './autoinc.ts';
import { Dn } from './dn.ts';
import type { Attributes } from './value.ts';

let fixture: Fixture;
let call: Call;
beforeAll(async () => {
  fixture = await openFixture();
  call = {
    core: fixture.core,
    directory: fixture.ports.directory.service,
    administrator: Dn.parse(fixture.admin.dn),
    transaction: { id: 'AUTOINC0', client: '-' },
  };
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
  it('is given again if its entry was refused, but not if it may be there', async () => {
    expect(await numberGiven('uidnumber', new ServiceError('schema_refused'))).toBe(1000);
    expect(await numberGiven('uidnumber', new ServiceError('unavailable'))).toBe(1000);
    expect(await numberGiven('uidnumber')).toBe(1001);
  });

  it('is refused when there is none left', async () => {
    const last = new Map(
      Object.entries({ objectclass: ['posixGroup'], cn: ['last'], gidnumber: ['2147483647'] }),
    );
    await call.directory.add(Dn.parse(`cn=last,ou=groups,${fixture.base}`), last);
    await expect(numberGiven('gidnumber')).rejects.toMatchObject({
      reason: 'too_large',
      detail: 'no gidnumber is left up to 2147483647',
    });
  });
});
