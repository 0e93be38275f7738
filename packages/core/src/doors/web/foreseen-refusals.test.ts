/** Refusals that are foreseen: answered in the words of the interface, and no failure in the log. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Fixture, openFixture } from '../../testing/bed/fixture.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
  await fixture.call('Activate_LDAP_Object', { dn: fixture.users.alice.dn });
});
afterAll(() => fixture.close());
beforeEach(() => {
  fixture.log.lines.length = 0;
});

const failures = () => fixture.log.lines.filter(({ level }) => level === 'error');

it.each([
  ['Otp.Voice_Register', { sample: 'UklGRg==' }, 'Nothing in this version judges voices'],
  ['Otp.Yubicloud_Register', { otp: 'cccccccccccbdefghijklnrtuvcbdefghijklnrtuv' }, 'need yubico'],
  [
    'Otp.FIDO_Challenge',
    { username: 'alice', domain: 'Default', random: 'hB3a5S0nq0m8p1gQ7yVn1w' },
    'relying_party',
  ],
  ['Send_SMS', { to: '+12025550100', message: 'x' }, 'no gateway for sms'],
])('what the installation has not is refused without a stack: %s', async (method, params, why) => {
  const { dn } = fixture.users.alice;
  const { error } = await fixture.call(method, method.includes('cloud') ? { dn, ...params } : params);
  expect(error).toMatchObject({ reason: 'unavailable', data: expect.stringContaining(why) });
  expect(failures()).toEqual([]);
});

describe('a source that is no address', () => {
  const source = 'not an address';
  it('is a ServerError on the wire, and a mistake of the caller in the log', async () => {
    const { otp, sms, sso, sshkey } = fixture.service.web;
    const answers = [
      await otp.normalLogin({ username: 'alice', ldapPassword: 'x', source }),
      await sms.send({ username: 'a', password: 'b', mobile: ['+12025550100'], text: 'x', source }),
      await sso.start({ username: 'alice', source }),
      await sshkey.authorizedKeys({ username: 'alice', source }),
    ];
    for (const answer of answers) expect(answer).toMatchObject({ code: 0, error: 'ServerError' });
    expect(fixture.log.lines).toHaveLength(answers.length);
    for (const line of fixture.log.lines)
      expect(line).toMatchObject({
        level: 'info',
        message: 'a request was refused',
        fields: { outcome: 'refused', reason: 'invalid_source', detail: 'Parameter source is no IP address' },
      });
  });
});

it('refuses a field whose name every object has: constructor', async () => {
  const { sshkey, qrauth } = fixture.service.web;
  const answers = [
    await sshkey.nssList({ database: 'constructor' }),
    await sshkey.nssInfo({ database: 'Constructor', name: 'alice' }),
    await qrauth.start({ operation: 'constructor' }),
  ];
  for (const answer of answers) expect(answer).toMatchObject({ code: 0, error: 'BadRequest' });
  expect(failures()).toEqual([]);
});
