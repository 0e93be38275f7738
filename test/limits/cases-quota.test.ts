/** Daily quota and authenticator cap: what adds up over scopes and days (docs/concepts/limits.md#daily-quota). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Peer } from './nodes.ts';
import { day, granted, minute, refused, Stage, somewhere, type User } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage.close());

const wrongCode = '999999';
const codeWrong = (user: User) => ({ ldapPassword: user.password, otpPassword: wrongCode });
const passwordWrong = (user: User) => ({ ldapPassword: 'wrong', otpPassword: user.laterCode() });
const both = (user: User, peer: Peer) => stage.ask(peer, user, user.both());

describe('5. ten that are half right, of both kinds', () => {
  it('the eleventh with both right is refused on that ground, and open after 24 h; a success between restores none', async () => {
    const [user, home] = [await stage.user(), somewhere()];
    expect(await both(user, home)).toEqual(granted);
    for (let n = 0; n < 5; n += 1) {
      expect(await stage.ask(home, user, codeWrong(user))).toEqual(refused);
      expect(await stage.ask(home, user, passwordWrong(user))).toEqual(refused);
      if (n < 4) expect(await both(user, home)).toEqual(granted);
    }
    expect(await both(user, home)).toEqual(refused);
    stage.pass(day - 2);
    expect(await both(user, home)).toEqual(refused);
    expect(await both(user, somewhere())).toEqual(granted);
    stage.pass(2);
    expect(await both(user, home)).toEqual(granted);
  });

  it('wrong codes where no password is wanted take them too, by either way of asking', async () => {
    const [user, home] = [await stage.user({ mode: 'OTP' }), somewhere()];
    const alone = () => stage.ask(home, user, { otpPassword: user.code() });
    expect(await alone()).toEqual(granted);
    const { session } = await stage.ask(home, user, {});
    for (const pairs of [2, 2, 1]) {
      for (let n = 0; n < pairs; n += 1) {
        await stage.ask(home, user, { otpPassword: wrongCode });
        await stage.ask(home, user, { session, otpPassword: wrongCode }, 'Challenge');
      }
      if (pairs > 1) expect(await alone()).toEqual(granted);
    }
    expect(await alone()).toEqual(refused);
    stage.pass(day);
    expect(await alone()).toEqual(granted);
  });

  it('2 × MaxTries, if that is more', async () => {
    const [user, home] = [await stage.user({ maxTries: 8 }), somewhere()];
    expect(await both(user, home)).toEqual(granted);
    for (let n = 0; n < 15; n += 1) await stage.ask(home, user, codeWrong(user));
    expect(await both(user, home)).toEqual(granted);
    await stage.ask(home, user, codeWrong(user));
    expect(await both(user, home)).toEqual(refused);
  });
});

/** So many failures, over both ways to send them, with a quarter of an hour where a refusal has started. */
async function fail(count: number, user: User, peer?: Peer) {
  for (let n = 1; n <= count; n += 1) {
    const at = peer ?? somewhere();
    await (n % 2 === 0 ? stage.text(at, user, 'wrong') : stage.ask(at, user, { ldapPassword: 'wrong' }));
    if (n % 5 === 0) stage.pass(15 * minute);
  }
}

describe('8. a hundred wrong in a row', () => {
  const single = (user: User, peer: Peer) => stage.ask(peer, user, { ldapPassword: user.password });

  it('over mixed doors and grounds close the password alone for strangers; both together are granted', async () => {
    const [user, home] = [await stage.user({ mode: 'LDAP', blockTime: 1 }), somewhere()];
    expect(await single(user, home)).toEqual(granted);
    await fail(55, user);
    await fail(40, user, home);
    expect(await single(user, somewhere())).toEqual(granted);
    await fail(50, user);
    await fail(50, user, home);
    expect(await single(user, somewhere())).toEqual(refused);
    expect(await both(user, somewhere())).toEqual(granted);
    expect(await single(user, somewhere())).toEqual(granted);
  });

  it('a known place is lost after five more', async () => {
    const [user, home] = [await stage.user({ mode: 'LDAP', blockTime: 1 }), somewhere()];
    expect(await single(user, home)).toEqual(granted);
    await fail(100, user);
    await fail(4, user, home);
    expect(await single(user, home), 'four do not lose it').toEqual(granted);
    await fail(100, user);
    await fail(5, user, home);
    expect(await single(user, home)).toEqual(refused);
    expect(await both(user, home)).toEqual(granted);
  });

  const patient = { maxTries: 1000 };

  it('behind right passwords: the token is disabled until an administrator enables it', async () => {
    const [user, home] = [await stage.user(patient), somewhere()];
    expect(await both(user, home)).toEqual(granted);
    for (let n = 0; n < 99; n += 1) await stage.ask(n % 2 ? home : somewhere(), user, codeWrong(user));
    const { session } = await stage.ask(home, user, { ldapPassword: user.password });
    await stage.ask(home, user, { session, otpPassword: wrongCode }, 'Challenge');
    expect(await both(user, home)).toEqual(refused);
    expect(await both(user, somewhere())).toEqual(refused);
    await stage.manager('Otp.Token_Enable', user);
    expect(await both(user, home)).toEqual(granted);
  });

  it('without a password: it is tried only with one, by strangers', async () => {
    const [user, home] = [await stage.user({ ...patient, mode: 'OTP' }), somewhere()];
    const alone = (peer: Peer) => stage.ask(peer, user, { otpPassword: user.code() });
    expect(await alone(home)).toEqual(granted);
    await stage.times(100, user, { otpPassword: wrongCode });
    expect(await alone(somewhere())).toEqual(refused);
    expect(await both(user, somewhere())).toEqual(granted);
    await stage.times(100, user, { otpPassword: wrongCode });
    expect(await alone(somewhere())).toEqual(refused);
    expect(await alone(home)).toEqual(granted);
    expect(await alone(somewhere())).toEqual(granted);
  });
});

describe('9. a text with three readings', () => {
  it.each([
    [33, 2],
    [34, 0],
  ])('counts three: %i texts, then the right password alone is answered %i', async (count, code) => {
    const list = {
      type: 'LIST',
      key: 'list',
      digits: 8,
      secret: Buffer.alloc(20, 1),
      size: 9,
      used: [],
    } as const;
    const user = await stage.user({
      maxTries: 1000,
      has: [{ ...list, used: [] }],
      settings: { 'Otp.OTPType': 'LIST' },
    });
    for (let n = 0; n < count; n += 1) await stage.text(somewhere(), user, 'wrong, and long enough');
    expect(await stage.ask(somewhere(), user, { ldapPassword: user.password })).toMatchObject({ code });
  });
});
