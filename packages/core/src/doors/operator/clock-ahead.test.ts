/** Records that a clock that was ahead has left, in a directory that has no attributes for the data of users. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { claimKey, claimSeconds } from '../../authenticators/claim-keys.ts';
import { timeStep } from '../../foundation/oath/window.ts';
import { Dn } from '../../foundation/text/dn.ts';
import { type Fixture, openFixture } from '../../testing/bed/fixture.ts';
import { WatchedDirectory } from '../../testing/watched-directory.ts';
import { liftAhead } from './clock-ahead.ts';

class UnextendedDirectory extends WatchedDirectory {
  override async capabilities(dn: Dn) {
    return { ...(await super.capabilities(dn)), accountSchema: false };
  }
}

const secret = Buffer.from('12345678901234567890');
const [period, year] = [30, 365 * 86_400_000];
let node: Fixture;
let claims: string;
let said: (readonly [string, number])[];
beforeEach(async () => {
  node = await openFixture({ ports: (usual) => ({ directory: new UnextendedDirectory(usual.directory) }) });
  const { dn } = node.users.alice;
  await node.call('Activate_LDAP_Object', { dn });
  await node.call('Otp.TOTP_Register', { dn, key: secret.toString('base64') });
  claims = claimKey({ type: 'TOTP', secret }, { period }, node.ports.keys);
  await node.ports.store.claim(claims, timeStep(node.clock.now() + year, period), claimSeconds);
  said = [];
});
afterEach(() => node.close());

const lift = (bases: readonly string[]) =>
  liftAhead({
    ...{ view: node.core, writes: true, floor: { moment: node.clock.now(), window: 60 } },
    bases: bases.map((base) => Dn.parse(base)),
    tell: async (dn, tokens) => {
      said.push([dn, tokens]);
    },
  });
const stepsAhead = async () =>
  ((await node.ports.store.claimed(claims)) ?? 0) - timeStep(node.clock.now(), period);

it('keeps an event for each user whose record it changes', async () => {
  expect(await lift([node.base])).toMatchObject({ tokens: 1, unknown: 0 });
  expect(said).toEqual([[node.users.alice.dn, 1]]);
  expect(await stepsAhead()).toBe(4);
});

it('takes the widest window that there may be where the user of a record is unknown', async () => {
  expect(await lift([])).toMatchObject({ tokens: 1, unknown: 0 });
  expect(said).toEqual([]);
  expect(await stepsAhead()).toBe(240);
});
