/** Sources over all users, callers that are believed, and known sources (docs/concepts/limits.md#rate-limit). */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { apiKey, type Peer } from './nodes.ts';
import { atOnce, day, granted, refused, Stage, somewhere, type User } from './stage.ts';

let stage: Stage;
afterEach(() => stage.close());

const open = async () => {
  stage = await Stage.open(atOnce);
};
const right = (user: User, peer: Peer, more: object = {}) =>
  stage.ask(peer, user, { ldapPassword: user.password, ...more });
const passwordUser = () => stage.user({ mode: 'LDAP' });

let strangers = 0;
/** So many failures, each of another name. */
async function spray(count: number, peer: Peer, more: object | ((n: number) => object) = {}): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    strangers += 1;
    const fields = typeof more === 'function' ? more(n) : more;
    await stage.ask(peer, { name: `nobody${strangers}` }, { ldapPassword: 'wrong', ...fields });
  }
}

describe('10. a place', () => {
  it('has 20 failures, then one in 3 s; users who are known there are judged; a success refills nothing', async () => {
    await open();
    const [place, user, resident] = [somewhere(), await passwordUser(), await passwordUser()];
    expect(await right(resident, place)).toEqual(granted);
    await spray(19, place);
    expect(await right(resident, place)).toEqual(granted);
    await spray(1, place);
    expect(await right(user, place)).toEqual(refused);
    expect(await right(resident, place)).toEqual(granted);
    expect(await right(user, place)).toEqual(refused);
    stage.pass(2999);
    expect(await right(user, place)).toEqual(refused);
    stage.pass(1);
    await spray(1, place);
    expect(await right(user, place)).toEqual(refused);
    expect(await right(user, somewhere())).toEqual(granted);
    stage.pass(3000);
    expect(await right(user, place)).toEqual(granted);
  });

  it('a new user with both right is granted, though nothing is left', async () => {
    await open();
    const [place, user] = [somewhere(), await stage.user()];
    await spray(20, place);
    expect(await stage.ask(place, user, { ldapPassword: user.password })).toEqual(refused);
    expect(await stage.ask(place, user, user.both())).toEqual(granted);
  });

  it('each /64 has its own, and a /48 ten times as many', async () => {
    await open();
    const at = (network: number, host = 1) => ({ address: `2001:db8:7:${network.toString(16)}::${host}` });
    await spray(20, at(1));
    expect(await right(await passwordUser(), at(1, 2))).toEqual(refused);
    expect(await right(await passwordUser(), at(2))).toEqual(granted);
    for (let network = 3; network < 12; network += 1) await spray(20, at(network));
    expect(await right(await passwordUser(), at(99))).toEqual(refused);
    stage.pass(300);
    expect(await right(await passwordUser(), at(99))).toEqual(granted);
    expect(await right(await passwordUser(), { address: '2001:db8:8::1' })).toEqual(granted);
  });

  it('IPv4 in IPv6 is IPv4', async () => {
    await open();
    await spray(10, { address: '100.127.0.1' });
    await spray(10, { address: '::ffff:100.127.0.1' });
    expect(await right(await passwordUser(), { address: '::ffff:647f:1' })).toEqual(refused);
  });

  it.each(['127.0.0.1', '::1', '192.0.2.10', '::ffff:192.0.2.10'])(
    '%s as source of 192.0.2.10 is none',
    async (source) => {
      await open();
      const caller = { address: '192.0.2.10' };
      await spray(30, caller, { source });
      expect(await right(await passwordUser(), caller, { source })).toEqual(granted);
    },
  );

  it('a source of a trusted caller has its own, and another caller’s is another', async () => {
    await open();
    const [vpn, other, keyed] = [
      { address: '192.0.2.10' },
      { address: '192.0.2.11' },
      { address: '203.0.113.9', key: apiKey(7) },
    ];
    const source = '198.51.100.9';
    await spray(20, vpn, { source });
    expect(await right(await passwordUser(), vpn, { source })).toEqual(refused);
    expect(await right(await passwordUser(), vpn, { source: '198.51.100.8' })).toEqual(granted);
    for (const caller of [other, keyed, { address: source }])
      expect(await right(await passwordUser(), caller, { source })).toEqual(granted);
  });
});

describe('11. an untrusted caller', () => {
  it.each([
    ['source', (n: number) => ({ source: `198.51.100.${n}` })],
    ['client', (n: number) => ({ client: `client${n}` })],
    ['settings', (n: number) => ({ settings: `MaxTries=${n + 100},BlockTime=1,LoginMode=LDAP` })],
  ])('changes no key and no limit by %s', async (_, fields) => {
    await open();
    const [peer, user, victim] = [somewhere(), await passwordUser(), await passwordUser()];
    await spray(20, peer, fields);
    expect(await right(user, peer, fields(77))).toEqual(refused);
    for (let n = 0; n < 5; n += 1)
      await stage.ask(somewhere(), victim, { ldapPassword: 'wrong', ...fields(n) });
    expect(await right(victim, somewhere(), fields(6))).toEqual(refused);
    stage.pass(299_999);
    expect(await right(victim, somewhere(), fields(7))).toEqual(refused);
  });

  it('shuts out nobody at the address that it names', async () => {
    await open();
    await spray(20, somewhere(), { source: '198.51.100.20' });
    expect(await right(await passwordUser(), { address: '198.51.100.20' })).toEqual(granted);
    expect(await right(await passwordUser(), { address: '192.0.2.10' }, { source: '198.51.100.20' })).toEqual(
      granted,
    );
  });
});

describe('10. a place without failures left', () => {
  it('tells nobody who is known there: a wrong password has the same answer, header for header', async () => {
    await open();
    const [place, resident, other] = [somewhere(), await passwordUser(), await passwordUser()];
    expect(await right(resident, place)).toEqual(granted);
    const [node] = stage.nodes.nodes;
    const wrong = async ({ name }: { readonly name: string }) => {
      const answer = await node.answer(place, 'NormalLogin', { username: name, ldapPassword: 'wrong' });
      return { headers: [...answer.headers], body: await answer.json() };
    };
    expect(await wrong(resident)).toEqual(await wrong(other));
    await spray(20, place);
    const [known, stranger, nobody] = [
      await wrong(resident),
      await wrong(other),
      await wrong({ name: 'no' }),
    ];
    expect(known).toEqual(stranger);
    expect(nobody).toEqual(stranger);
    expect(new Map(known.headers).get('retry-after')).toBe('3');
  });
});

describe('13. known places', () => {
  const shutOutAndLook = async (user: User, peer: Peer) => {
    await stage.shutOut(user);
    return right(user, peer);
  };

  it('are written at most once a day by logins that succeed there', async () => {
    await open();
    const [user, place] = [await stage.user(), somewhere()];
    const { store, ephemeral } = stage.nodes;
    const written = [vi.spyOn(store, 'update'), vi.spyOn(store, 'write'), vi.spyOn(ephemeral, 'write')];
    const byLogin = async () => {
      for (const one of written) one.mockClear();
      expect(await stage.ask(place, user, user.both())).toEqual(granted);
      const keys = written.flatMap((one) => one.mock.calls.map(([key]) => key));
      return keys.filter((key) => key.startsWith('limits:')).length;
    };
    expect([await byLogin(), await byLogin(), await byLogin()]).toEqual([1, 0, 0]);
    stage.pass(day);
    expect([await byLogin(), await byLogin()]).toEqual([1, 0]);
  });

  it('the 17th drops the first', async () => {
    await open();
    const [user, places] = [await passwordUser(), Array.from({ length: 17 }, somewhere)];
    for (const place of places) expect(await right(user, place)).toEqual(granted);
    const [first = somewhere(), second = somewhere()] = places;
    expect(await shutOutAndLook(user, first)).toEqual(refused);
    expect(await right(user, second)).toEqual(granted);
  });

  it('are known for 30 days, and on the 31st no more', async () => {
    await open();
    const [user, other, home] = [await passwordUser(), await passwordUser(), somewhere()];
    for (const one of [user, other]) expect(await right(one, home)).toEqual(granted);
    stage.pass(30 * day);
    expect(await shutOutAndLook(user, home)).toEqual(granted);
    stage.pass(day);
    expect(await shutOutAndLook(other, home)).toEqual(refused);
    expect(await right(user, home), 'of whom it was seen yesterday').toEqual(granted);
  });

  it('none after Block_Start, which refuses everywhere, both together too', async () => {
    await open();
    const [user, home] = [await stage.user(), somewhere()];
    expect(await stage.ask(home, user, user.both())).toEqual(granted);
    await stage.manager('Otp.Block_Start', user);
    expect(await stage.ask(home, user, user.both())).toEqual(refused);
    await stage.manager('Otp.Block_Reset', user);
    await stage.shutOut(user);
    expect(await stage.ask(home, user, { ldapPassword: user.password })).toEqual(refused);
    expect(await stage.ask(home, user, user.both())).toEqual(granted);
    expect(await stage.ask(home, user, { ldapPassword: user.password })).toMatchObject({ code: 2 });
  });
});
