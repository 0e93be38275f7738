/** Limits of the Manager: counters of its own, and the delay of super administrators (docs/concepts/limits.md#delay-of-super-administrators). */
import type { Fixture } from '@watchword/core/testing/bed';
import { afterEach, describe, expect, it } from 'vitest';
import type { Config, Peer } from './nodes.ts';
import { granted, minute, refused, Stage, somewhere, type User } from './stage.ts';

let stage: Stage;
afterEach(() => stage.close());

const open = async (config: Config = {}): Promise<Fixture> => {
  stage = await Stage.open(config);
  return stage.nodes.nodes[0].fixture;
};

interface Credentials {
  readonly username: string;
  readonly password: string;
}

const body = { jsonrpc: '2.0', id: 1, method: 'Get_Random_Bytes', params: { length: 1 } };

/** What the Manager answers, on one node or the other, and how long it took. */
async function enter(as: Credentials, { address }: Peer, node: 0 | 1 = 0) {
  const { clock, nodes } = stage.nodes;
  const begun = clock.now();
  const { status, headers, body: logged } = await nodes[node].fixture.answer({ as, address, body });
  const error = logged && 'error' in logged ? String(logged.error.data) : '';
  return {
    status,
    took: clock.now() - begun,
    error,
    isIn: logged !== undefined && 'result' in logged,
    headers,
  };
}

async function fail(count: number, as: Credentials, peer: Peer | (() => Peer)): Promise<void> {
  for (let n = 0; n < count; n += 1)
    await enter(
      { ...as, password: 'wrong' },
      typeof peer === 'function' ? peer() : peer,
      n % 2 === 0 ? 0 : 1,
    );
}

const blocked = { isIn: false, error: expect.stringContaining('try again in') };

describe('16. the Manager and the web services', () => {
  it('nothing at the web services changes it, nor the reverse', async () => {
    const { users, admin } = await open();
    const alice = { name: users.alice.username } as User;
    const place = somewhere();
    await stage.times(30, alice, { ldapPassword: 'wrong' }, place);
    await stage.times(30, { name: 'admin' }, { ldapPassword: 'wrong' }, place);
    expect(await enter(admin, place)).toMatchObject({ isIn: true });
    const [other, user] = [somewhere(), await stage.user({ mode: 'LDAP' })];
    await fail(30, { username: user.name, password: '' }, other);
    expect(await enter(admin, somewhere())).toMatchObject({ isIn: true });
    expect(await stage.ask(other, user, { ldapPassword: user.password })).toEqual(granted);
  });

  it('a password has ten failures there, whoever asks', async () => {
    const { admin } = await open();
    const home = somewhere();
    expect(await enter(admin, home)).toMatchObject({ isIn: true });
    await fail(9, admin, somewhere);
    expect(await enter({ ...admin, password: 'wrong' }, somewhere())).not.toMatchObject(blocked);
    expect(await enter(admin, somewhere())).toMatchObject(blocked);
    expect(await enter(admin, home), 'where the administrator was before').toMatchObject({ isIn: true });
    stage.pass(5 * minute);
    expect(await enter(admin, somewhere())).toMatchObject({ isIn: true });
  });

  it('twenty users fail at one address: then only who is known there is judged', async () => {
    const { admin } = await open({ limits: { login_failure_delay_ms: 0 } });
    const place = somewhere();
    expect(await enter(admin, place)).toMatchObject({ isIn: true });
    for (let n = 0; n < 20; n += 1) await fail(1, { username: `nobody${n}`, password: '' }, place);
    expect(await enter(admin, place)).toMatchObject({ isIn: true });
    expect(await enter({ username: 'nobody21', password: 'x' }, place)).toMatchObject(blocked);
    stage.pass(3000);
    expect(await enter({ username: 'nobody21', password: 'x' }, place)).not.toMatchObject(blocked);
  });
});

describe('16. a non-administrator', () => {
  it('is answered to the right password as to a wrong one: 401, after a second', async () => {
    const { users } = await open();
    const [right, wrong] = [
      await enter(users.alice, somewhere()),
      await enter({ ...users.alice, password: 'wrong' }, somewhere()),
    ];
    expect(right).toEqual(wrong);
    expect(right).toMatchObject({ status: 401, took: 1000, isIn: false });
  });

  it('fails by it: the eleventh is refused', async () => {
    const { users } = await open();
    for (let n = 0; n < 10; n += 1) await enter(users.alice, somewhere());
    expect(await enter(users.alice, somewhere())).toMatchObject(blocked);
  });
});

describe('16. a super administrator', () => {
  const inside = { address: '10.1.2.3' };
  const neighbour = { address: '10.1.2.4' };
  const clients: Config = { manager_clients: ['10.0.0.0/8'] };

  it('inside manager_clients is delayed by 1, 2, 4, 5 s, and never refused', async () => {
    const { admin } = await open(clients);
    await fail(10, admin, neighbour);
    const took = [];
    for (let n = 0; n < 14; n += 1) took.push((await enter({ ...admin, password: 'wrong' }, inside)).took);
    expect(took.every((one) => one % 1000 === 0)).toBe(true);
    const { isIn, took: last } = await enter(admin, inside);
    expect(isIn).toBe(true);
    expect(last).toBeLessThanOrEqual(5000);
    expect(last).toBeGreaterThanOrEqual(3000);
    expect((await enter(admin, inside)).took, 'after a success').toBe(0);
  });

  it('after a hundred in a row by 60 s, each address for itself', async () => {
    const { admin } = await open(clients);
    await fail(100, admin, neighbour);
    expect(await enter(admin, inside)).toMatchObject({ isIn: true, took: 0 });
    const late = await enter(admin, neighbour);
    expect(late.isIn).toBe(true);
    expect(late.took).toBeGreaterThanOrEqual(59_000);
    expect(late.took).toBeLessThanOrEqual(60_000);
  });

  it('where manager_clients is everybody is refused as others are', async () => {
    const { admin } = await open({ manager_clients: ['0.0.0.0/0', '::/0'] });
    await fail(10, admin, somewhere);
    expect(await enter(admin, somewhere())).toMatchObject(blocked);
  });

  it('a neighbour’s flood with names of others does not delay', async () => {
    const { admin } = await open(clients);
    for (let n = 0; n < 40; n += 1) await fail(1, { username: `nobody${n}`, password: '' }, inside);
    expect(await enter(admin, inside)).toMatchObject({ isIn: true, took: 0 });
  });
});

describe('20. the Manager', () => {
  it('tells how long, and that falls', async () => {
    const { admin } = await open();
    await fail(10, admin, somewhere);
    const seconds = async () => Number((await enter(admin, somewhere())).headers['retry-after']);
    const first = await seconds();
    expect(first).toBeLessThanOrEqual(300);
    expect(first).toBeGreaterThan(290);
    stage.pass(100_000);
    const second = await seconds();
    expect(first - second).toBe(101);
  });
});

describe('20. the web services', () => {
  it.each([
    ['a single factor, not judged', { ldapPassword: 'wrong' }],
    ['both factors, judged as a whole', { ldapPassword: 'wrong', otpPassword: '000000' }],
  ])('tell how long, and that falls: %s', async (_, fields) => {
    await open();
    const user = await stage.user();
    await stage.shutOut(user);
    const ask = async (peer: Peer) => {
      const response = await stage.nodes.nodes[0].answer(peer, 'NormalLogin', {
        username: user.name,
        ...fields,
      });
      expect(await response.json()).toEqual(refused);
      return Number(response.headers.get('retry-after'));
    };
    const first = await ask(somewhere());
    expect(first).toBeLessThanOrEqual(300);
    expect(first).toBeGreaterThan(280);
    stage.pass(100_000);
    const second = await ask(somewhere());
    expect(first - second).toBeGreaterThanOrEqual(100);
    expect(first - second).toBeLessThan(105);
    // Who logs in all the same is told of no refusal.
    const peer = somewhere();
    const right = { username: user.name, ...user.both() };
    const answer = await stage.nodes.nodes[0].answer(peer, 'NormalLogin', right);
    expect([(await answer.json()).code, answer.headers.get('retry-after')]).toEqual([1, null]);
  });

  it('one event for the start of each refusal, with its end', async () => {
    await open({ limits: { login_failure_delay_ms: 0 } });
    const user = await stage.user({ mode: 'LDAP' });
    const begun = stage.nodes.clock.now();
    const logged = () =>
      stage.nodes.events.filter((text) => text.includes(user.name) && text.includes('locked out at'));
    for (const seconds of [300, 600]) {
      await stage.shutOut(user, 9);
      const until = new Date(stage.nodes.clock.now() + seconds * 1000)
        .toISOString()
        .slice(0, 19)
        .replace('T', ' ');
      expect(logged().filter((text) => text.includes(`until ${until}`))).toHaveLength(1);
      stage.pass(seconds * 1000);
    }
    expect(logged()).toHaveLength(2);
    expect(begun).toBeLessThan(stage.nodes.clock.now());
    expect(await stage.ask(somewhere(), user, { ldapPassword: 'wrong' })).toEqual(refused);
  });
});
