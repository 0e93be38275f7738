/** The pages that people open: the portal, self-service and a link that sets a password, each refused and each used again. */
import { expect, it } from 'vitest';
import { BrowserTab } from './browser-tab.ts';
import { admin, type Conversation, type Stand } from './stand.ts';

const json = { 'content-type': 'application/json' };

/** A script of one of the sites. */
class Script {
  readonly #stand: Stand;
  readonly #site: string;

  constructor(stand: Stand, site: string) {
    this.#stand = stand;
    this.#site = site;
  }

  async signIn(shown: Readonly<Record<string, string>>) {
    const answer = await this.#ask('session', { method: 'POST', headers: json, body: JSON.stringify(shown) });
    const body = Object(await answer.json());
    const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
    return { status: answer.status, body, session: { cookie, 'x-csrf-token': String(body.csrf) } };
  }

  async call(session: Readonly<Record<string, string>>, method: string, params: object = {}) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const answer = await this.#ask('rpc', { method: 'POST', headers: { ...json, ...session }, body });
    return { status: answer.status, body: Object(await answer.json()) };
  }

  async signOut(session: Readonly<Record<string, string>>): Promise<number> {
    return (await this.#ask('session', { method: 'DELETE', headers: { ...json, ...session } })).status;
  }

  #ask(path: string, request: object) {
    return this.#stand.send(`${this.#site}${path}`, request);
  }
}

export const pages: Conversation = {
  about: ['SelfDesk', 'PwReset', 'SelfReg'],
  tests: (stand) => {
    it('signs an administrator in to the portal; refuses a wrong password, no token, and a session after its end', async () => {
      const portal = new Script(stand(), `${stand().addresses.manager}admin/`);
      expect((await portal.signIn({ ...admin, password: 'wrong' })).status).toBe(401);
      const { status, session } = await portal.signIn(admin);
      expect(status).toBe(200);
      expect((await portal.call(session, 'Who_Am_I')).body).toMatchObject({ result: { super_admin: true } });
      const withoutToken = await portal.call({ cookie: session.cookie }, 'Who_Am_I');
      expect(withoutToken.body).toMatchObject({ error: { reason: 'permission_denied' } });
      expect(await portal.signOut(session)).toBeLessThan(300);
      expect((await portal.call(session, 'Who_Am_I')).status).toBe(401);
    });

    it('signs a user in to self-service with a code; refuses the code again and calls about others', async () => {
      const person = await stand().person('self');
      const other = await stand().person('self-other');
      const desk = new Script(stand(), `${stand().addresses.ws}self/`);
      const { username, password } = person;
      expect((await desk.signIn({ username, password })).body).toMatchObject({ kind: 'challenge' });
      const shown = { username, password, otp: person.nextCode() };
      const { status, session } = await desk.signIn(shown);
      expect(status).toBe(200);
      expect((await desk.signIn(shown)).status).toBe(401);
      const own = await desk.call(session, 'Otp.User_Tokens', { dn: person.dn });
      expect(own.body).toMatchObject({ result: [{ id: 1, type: 'TOTP' }] });
      const foreign = await desk.call(session, 'Otp.User_Tokens', { dn: other.dn });
      expect(JSON.stringify(foreign.body)).toContain('permission_denied');
      await desk.signOut(session);
      expect((await desk.call(session, 'Otp.User_Tokens', { dn: person.dn })).status).toBe(401);
    });

    it('sets a password by a link that was asked for, once, after a code', async () => {
      const person = await stand().person('forgetful');
      const { username } = person;
      const tab = new BrowserTab(stand());
      await tab.submit(await tab.open(`${stand().addresses.ws}webapps/pwreset`), { username });
      const link = await stand().message(/https:\S+pwreset\?token=\w+/);
      const asked = await tab.open(link);
      const wrong = await tab.submit(asked, { code: '00000000' });
      const page = await tab.submit(wrong, { code: person.nextCode() });
      const wanted = 'Battery-Staple-8';
      const set = await tab.submit(page, { password: wanted, again: wanted });
      expect(set.text).toContain('Your new password is set');
      expect(
        (await tab.submit(page, { password: 'Another-One-9', again: 'Another-One-9' })).text,
      ).not.toContain('Your new password is set');
      const { manager } = stand();
      expect(await manager.Check_User_Password({ dn: person.dn, password: wanted })).toBe(true);
    });

    it('registers a token by a link, and refuses the link once it was used', async () => {
      const { manager } = stand();
      const { dn, username } = await stand().person('newcomer');
      const request = { username, method: 'NONE', application: 'Otp', item: 'OTPList' } as const;
      const link = await manager.SelfReg.Send_Request(request);
      const tab = new BrowserTab(stand());
      const page = await tab.open(link);
      const made = await tab.submit(page, {});
      expect(made.text).toMatch(/\b\d{6}\b/);
      expect(await manager.Otp.List_State({ dn })).toBeTruthy();
      expect((await tab.submit(page, {})).text).not.toMatch(/\b\d{6}\b/);
    });
  },
};
