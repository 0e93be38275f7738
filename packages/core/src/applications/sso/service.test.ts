/** Sessions that web sites share, in process, over the embedded directory and slapd. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Fixture } from '../../testing/bed/fixture.ts';
import { engines, openStage, type Stage } from '../../testing/bed/stage.ts';

const ok = { code: 1, error: '', message: 'Operation success' };
const unknown = { code: 0, error: 'AuthFailed', message: 'Invalid user or user not found' };
const noSession = { code: 0, error: 'NoSession', message: 'Session not started or timedout' };
const badRequest = { code: 0, error: 'BadRequest', message: 'Invalid request' };
const password = 'Correct-Horse-7';

describe.each(engines)('the web service sso: %s', (engine) => {
  let stage: Stage;
  let node: Fixture;
  let other: Fixture;
  let people: string;
  beforeAll(async () => {
    stage = await openStage(engine);
    people = await stage.container();
    const closed = { addresses: ['192.0.2.7'], allowed_groups: [`cn=none,${people}`] };
    const options = {
      config: { clients: { closed }, trusted_callers: ['192.0.2.0/24'] },
      ports: () => stage.ports,
    };
    node = await stage.fixture.another(options);
    other = await stage.fixture.another(options);
  });
  afterAll(async () => {
    await other.close();
    await node.close();
    await stage.close();
  });

  const sso = (at = node) => at.service.web.sso;
  const named = async (uid: string, settings: Record<string, string> = {}) => {
    const dn = await stage.person(people, uid, { userpassword: password });
    if (Object.keys(settings).length > 0) await stage.manager.Set_User_Settings({ dn, settings });
    return dn;
  };
  const begun = async (username: string, more: object = {}) => {
    const answer = { session: '', ...(await sso().start({ username, ...more })) };
    expect(answer).toMatchObject(ok);
    return answer.session;
  };
  const isOver = async (session: string) => expect(await sso().check({ session })).toEqual(noSession);
  const lives = async (session: string) => expect(await sso().check({ session })).toMatchObject(ok);
  const logged = () => node.events().map(({ text }) => text);

  describe('Start', () => {
    it('answers the id of a session and how long it lives, and is an event', async () => {
      const dn = await named('adele');
      const answer = await sso().start({ username: 'ADELE', data: 'locale=de', source: '198.51.100.7' });
      expect(answer).toEqual({
        ...ok,
        session: expect.stringMatching(/^[A-Za-z0-9]{16}$/),
        timeout: 3600,
      });
      expect(logged()).toContain('single sign-on of "Default\\\\adele": begun');
      expect(node.events().at(-1)).toMatchObject({ application: 'Sso', dn, source: '198.51.100.7' });
    });

    it.each([
      ['nobody', {}],
      ['adele', { domain: 'Elsewhere' }],
    ])('of %s %j is refused', async (username, more) => {
      expect(await sso().start({ username, ...more })).toEqual(unknown);
    });

    it('of somebody who may not log in is refused', async () => {
      await named('off', { 'Otp.EnableLogin': 'No' });
      expect(await sso().start({ username: 'off' })).toEqual(unknown);
      const dn = await named('gone');
      await stage.manager.Deactivate_LDAP_Object({ dn });
      expect(await sso().start({ username: 'gone' })).toEqual(unknown);
    });

    it('of somebody who is blocked is refused, until the block is reset', async () => {
      const dn = await named('held');
      await stage.manager.Otp.Block_Start({ dn });
      expect(await sso().start({ username: 'held' })).toEqual(unknown);
      await stage.manager.Otp.Block_Reset({ dn });
      await begun('held');
    });

    it('takes so much data and no more', async () => {
      const data = 'ä'.repeat(16_384);
      const session = await begun('adele', { data });
      expect(await sso().check({ session })).toMatchObject({ ...ok, data });
      expect(await sso().start({ username: 'adele', data: `${data}x` })).toEqual(badRequest);
      expect(await sso().check({ session, data: `${data}x` })).toEqual(badRequest);
    });

    it('lives as long as the settings and the request say', async () => {
      await named('short', { 'Sso.SessionTimeout': '60' });
      expect(await sso().start({ username: 'short' })).toMatchObject({ timeout: 60 });
      expect(await sso().start({ username: 'short', settings: 'SessionTimeout=30' })).toMatchObject({
        timeout: 30,
      });
    });

    it('ends the oldest of a user who has fifty', async () => {
      const dn = await named('many');
      const [first = '', second = ''] = [await begun('many'), await begun('many')];
      for (let more = 0; more < 49; more += 1) await begun('many');
      expect(await stage.manager.Sso.User_Sessions({ dn })).toHaveLength(50);
      await isOver(first);
      await lives(second);
    });
  });

  describe('Check', () => {
    it('answers what is kept, and replaces it', async () => {
      const session = await begun('adele', { data: 'one' });
      expect(await sso().check({ session })).toEqual({ ...ok, data: 'one', timeout: 3600 });
      expect(await sso().check({ session, data: 'two' })).toEqual({ ...ok, data: 'two', timeout: 3600 });
      expect(await sso(other).check({ session })).toEqual({ ...ok, data: 'two', timeout: 3600 });
    });

    it('renews a session, until nobody checks it in time', async () => {
      const session = await begun('short');
      for (let checks = 0; checks < 3; checks += 1) {
        node.clock.advance(50_000);
        expect(await sso().check({ session })).toMatchObject({ ...ok, timeout: 60 });
      }
      node.clock.advance(60_000);
      await isOver(session);
    });

    it('does not where the settings say so', async () => {
      await named('strict', { 'Sso.SessionTimeout': '60', 'Sso.SessionRenew': 'No' });
      const session = await begun('strict');
      node.clock.advance(50_000);
      expect(await sso().check({ session, data: 'x' })).toMatchObject({ ...ok, timeout: 10 });
      node.clock.advance(9_999);
      expect(await sso().check({ session })).toMatchObject({ ...ok, data: 'x', timeout: 1 });
      node.clock.advance(1);
      await isOver(session);
    });

    it.each([
      ['no session', undefined, badRequest],
      ['what can be none', 'short', badRequest],
      ['one that is not there', 'aB3dE5fG7hJ9kL1m', noSession],
    ])('of %s is refused', async (_, session, answer) => {
      expect(await sso().check({ session })).toEqual(answer);
      expect(await sso().stop({ session })).toEqual(answer);
    });

    it('is refused where the policy of whoever asks does not admit the user, and the session goes on', async () => {
      const session = await begun('adele');
      const asked = async (address: string) => {
        const url = new URL(`https://localhost/sso/json/ssoCheck/?session=${session}`);
        const headers = new Headers();
        const body = async () => new Uint8Array();
        const from = { address, port: 4711, gone: new AbortController().signal };
        const response = await node.service.web.answer({ ...from, method: 'GET', url, headers, body });
        return { status: response.status, ...JSON.parse(Buffer.from(response.body).toString()) };
      };
      expect(await asked('192.0.2.7')).toMatchObject(noSession);
      expect(await asked('192.0.2.8')).toMatchObject({ ...ok, status: 200 });
      expect(await asked('198.51.100.1')).toMatchObject({ status: 401 });
    });
  });

  describe('a session ends', () => {
    it('by Stop, on every node, once', async () => {
      const session = await begun('adele');
      expect(await sso(other).stop({ session })).toEqual(ok);
      await isOver(session);
      expect(await sso().stop({ session })).toEqual(noSession);
      expect(logged().filter((text) => text === 'single sign-on of "Default\\\\adele": ended')).toHaveLength(
        1,
      );
    });

    it.each<[string, (dn: string) => Promise<unknown>]>([
      ['the user is deactivated', (dn) => stage.manager.Deactivate_LDAP_Object({ dn })],
      [
        'the user is deactivated and comes back',
        async (dn) => {
          await stage.manager.Deactivate_LDAP_Object({ dn });
          await stage.manager.Activate_LDAP_Object({ dn });
        },
      ],
      ['the password is reset', (dn) => stage.manager.Set_User_Password({ dn, password: 'Another-9' })],
      [
        'the password is written',
        (dn) => stage.manager.Set_User_Attrs({ dn, attrs: { userPassword: ['Another-9'] } }),
      ],
      [
        'the password is taken away',
        (dn) => stage.manager.Remove_User_Attrs({ dn, attrs: ['userpassword'] }),
      ],
      ['the user goes', (dn) => stage.manager.Remove_LDAP_Object({ dn })],
      [
        'the user is made anew',
        async (dn) => {
          await stage.manager.Remove_LDAP_Object({ dn });
          await stage.person(people, /uid=([^,]+)/.exec(dn)?.[1] ?? '');
        },
      ],
      [
        'the login is switched off',
        (dn) => stage.manager.Set_User_Settings({ dn, settings: { 'Otp.EnableLogin': 'No' } }),
      ],
      ['the user is blocked', (dn) => stage.manager.Otp.Block_Start({ dn })],
      ['an administrator ends all', (dn) => stage.manager.Sso.Session_Stop({ dn })],
    ])('when %s', async (title, change) => {
      const uid = title.replaceAll(' ', '-');
      const dn = await named(uid);
      const [one, two] = [await begun(uid), await begun(uid)];
      await lives(one);
      await change(dn);
      await isOver(one);
      await isOver(two);
    });

    it('not when something else of the user changes', async () => {
      const dn = await named('calm');
      const session = await begun('calm');
      await stage.manager.Set_User_Attrs({ dn, attrs: { mail: ['calm@example.org'] } });
      await stage.manager.Remove_User_Attrs({ dn, attrs: ['mail'] });
      await lives(session);
    });
  });

  describe('the methods of administrators', () => {
    it('list the sessions of a user, and end one of them', async () => {
      const dn = await named('lisa');
      expect(await stage.manager.Sso.User_Sessions({ dn })).toEqual([]);
      const one = await begun('lisa', { client: 'shop', source: '198.51.100.7' });
      const two = await begun('lisa');
      const listed = await stage.manager.Sso.User_Sessions({ dn });
      const moment = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
      const row = { id: expect.stringMatching(/^[0-9a-f]{16}$/), begun: moment, expires: moment };
      expect(listed).toEqual([{ ...row, client: 'shop', source: '198.51.100.7' }, row]);
      const { id } = Object(listed)[0];
      expect(await sso().check({ session: id })).toEqual(noSession);
      expect(await stage.manager.Sso.Session_Stop({ dn, id })).toBe(1);
      expect(await stage.manager.Sso.Session_Stop({ dn, id })).toBe(0);
      await isOver(one);
      await lives(two);
    });

    it('refuse an entry that is not there', async () => {
      const dn = `uid=none,${people}`;
      for (const call of [stage.manager.Sso.User_Sessions({ dn }), stage.manager.Sso.Session_Stop({ dn })])
        await expect(call).rejects.toMatchObject({ reason: 'not_found' });
    });
  });

  it('the store holds neither the id nor the data of a session', async () => {
    const session = await begun('adele', { data: 'a word that is nowhere else' });
    const kept: Uint8Array[] = [];
    for await (const page of stage.ports.store.family('sso-session'))
      for (const { key, value } of page) kept.push(Buffer.from(key), value);
    const all = Buffer.concat(kept);
    expect(all.length).toBeGreaterThan(1000);
    for (const text of [session, 'nowhere else', 'adele']) expect(all.includes(text)).toBe(false);
  });

  it('a hundred who check and stop at once: nobody is let in behind the stop', async () => {
    const session = await begun('adele');
    const stops: Promise<unknown>[] = [];
    const checks = Array.from({ length: 100 }, async (_, at) => {
      if (at % 10 === 5) stops.push(sso(other).stop({ session }));
      return sso(at % 2 === 0 ? node : other).check({ session, data: String(at) });
    });
    await Promise.all(checks);
    const ended = (await Promise.all(stops)).filter((answer) => Object(answer).code === 1);
    expect(ended).toHaveLength(1);
    await isOver(session);
  });
});
