/** The Manager over JSON-RPC 2.0: a session, a batch, a refusal, and a session that is used after its end. */
import { expect, it } from 'vitest';
import { admin, type Conversation } from './stand.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const dn = 'uid=batch,ou=people,dc=example,dc=com';

export const jsonRpc: Conversation = {
  about: [],
  tests: (stand) => {
    const post = (body: object, headers: Readonly<Record<string, string>>) =>
      stand().send(`${stand().addresses.manager}manag/`, {
        ...{ method: 'POST', headers, body: JSON.stringify(body) },
      });
    const call = (id: number, method: string, params: object = {}) => ({
      jsonrpc: '2.0',
      id,
      method,
      params,
    });
    const basic = { authorization: `Basic ${base64(`${admin.username}:${admin.password}`)}` };

    it('refuses a wrong password and a request without one', async () => {
      const wrong = { authorization: `Basic ${base64(`${admin.username}:wrong`)}` };
      for (const headers of [wrong, {}]) {
        const answer = await post(call(1, 'Server_Status'), headers);
        expect([answer.status, await answer.json()]).toEqual([
          401,
          expect.objectContaining({ error: expect.objectContaining({ code: -32001 }) }),
        ]);
      }
    });

    it('runs a batch in a session, in order, and refuses the cookie once the session is closed', async () => {
      const begun = await post(call(1, 'Server_Status'), basic);
      expect(await begun.json()).toMatchObject({ result: { enabled: 1 } });
      const cookie = /SVCMANAG=[^;]+/.exec(begun.headers.get('set-cookie') ?? '')?.[0] ?? '';
      const attrs = { objectclass: ['inetOrgPerson'], cn: 'Batch', sn: 'First' };
      const batch = [
        call(1, 'Create_LDAP_Object', { dn, attrs }),
        call(2, 'Set_User_Attrs', { dn, attrs: { sn: 'Second' } }),
        call(3, 'Get_User_Attrs', { dn, attrs: ['sn'] }),
        call(4, 'Create_LDAP_Object', { dn, attrs }),
      ];
      const ran = await post(batch, { cookie });
      expect(await ran.json()).toMatchObject([
        { id: 1, result: 1 },
        { id: 2, result: 1 },
        { id: 3, result: { sn: ['Second'] } },
        { id: 4, error: { code: -32009 } },
      ]);
      expect((await post(call(5, 'Server_Status'), { cookie, connection: 'close' })).status).toBe(200);
      expect((await post(call(6, 'Server_Status'), { cookie })).status).toBe(401);
    });
  },
};
