/** User_Places: from where a user is known, by the words of the event log. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { webRequest } from '../../testing/bed/children/echo.ts';
import { type Fixture, openFixture } from '../../testing/bed/fixture.ts';

const secret = '0123456789abcdef0123456789abcdef01234567';
const dayLong = 86_400_000;

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture({
    config: {
      api_keys: { '7': { sha256: createHash('sha256').update(secret).digest('hex') } },
      settings: { 'Otp.LoginMode': 'LDAP' },
    },
  });
  await fixture.call('Activate_LDAP_Object', { dn: fixture.users.alice.dn });
});
afterAll(() => fixture.close());

async function logIn(address: string, { password = 'alice-Pa55', source = '' } = {}): Promise<string> {
  const body = JSON.stringify({ username: 'alice', ldapPassword: password, ...(source && { source }) });
  const headers = source === '' ? {} : { 'X-API-Key': `7_${secret}` };
  const request = webRequest('/otp/json/otpNormalLogin/', { body, headers });
  return String((await fixture.service.web.answer({ ...request, address })).body);
}

const places = async (dn: string, at = fixture) => {
  const { result, error } = await at.call('User_Places', { dn });
  return error ? error.reason : result;
};

describe('User_Places', () => {
  it('names them by caller and source, the last one first, in both dialects', async () => {
    const { alice, bob } = fixture.users;
    expect(await places(alice.dn)).toEqual([]);
    expect(await logIn('192.0.2.1')).toContain('"code":1');
    fixture.clock.advance(dayLong);
    expect(await logIn('192.0.2.9', { source: '198.51.100.7' })).toContain('"code":1');
    expect(await logIn('203.0.113.5', { password: 'wrong' })).not.toContain('"code":1');
    const known = [
      { place: 'key:7, source 198.51.100.7', last: '2026-11-21' },
      { place: '192.0.2.1', last: '2026-11-20' },
    ];
    expect(await places(alice.dn.toUpperCase())).toEqual(known);
    const deployed = await fixture.another({ config: { dialect: 'deployed', api_keys: {} } });
    // The key is not configured any more.
    expect(await places(alice.dn, deployed)).toEqual([{ ...known[0], place: null }, known[1]]);
    await deployed.close();
    expect(await places(bob.dn)).toEqual([]);
    expect(await places('uid=nobody,ou=people,dc=example,dc=org')).toBe('not_found');
  });

  it('lists none that is not known any more', async () => {
    fixture.clock.advance(30 * dayLong);
    expect(await places(fixture.users.alice.dn)).toEqual([
      { place: 'key:7, source 198.51.100.7', last: '2026-11-21' },
    ]);
  });
});
