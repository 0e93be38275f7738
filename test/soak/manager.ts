/** What administrators do by JSON-RPC: sessions that are kept, left behind or ended, reads and changes, and logins that are wrong. */
import type { Kind } from './kinds.ts';
import { nameOf } from './people.ts';
import type { Servers } from './servers.ts';
import { onLoopback, type Web } from './web.ts';

/** Calls until an administrator logs in again, and leaves the session before open. */
const callsOfSession = 40;

const basic = (username: string, password: string): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
});

export function administering({ addresses, admin, base }: Servers, web: Web): Readonly<Record<string, Kind>> {
  const url = `${addresses.manager}manag/`;
  let session: Promise<string> | undefined;
  const call = (headers: Readonly<Record<string, string>>, method: string, params: object, from?: string) =>
    web.ask(url, {
      ...{ headers, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }) },
      ...(from !== undefined && { from }),
    });
  const logIn = async (): Promise<string> => {
    const entered = basic(admin.username, admin.password);
    const { cookies, text } = await call(entered, 'Get_Random_Bytes', { length: 1 });
    const [cookie = ''] = /SVCMANAG=[^;]+/.exec(cookies.join()) ?? [];
    if (cookie === '') throw new Error(`the Manager began no session: ${text}`);
    return cookie;
  };
  const calls = (turn: number): readonly [string, object] => {
    const dn = `uid=${nameOf('code', turn)},ou=people,${base}`;
    const all: readonly (readonly [string, object])[] = [
      ['Get_User_Attrs', { dn, attrs: ['cn', 'mail'] }],
      ['Search_LDAP_Objects', { basedn: base, filter: `(uid=${nameOf('code', turn)})`, attrs: ['cn'] }],
      ['Set_User_Attrs', { dn, attrs: { mobile: `+49151${1_000_000 + turn}` } }],
      ['Get_User_Settings', { dn }],
      ['Get_Event_Logs', { application: 'Otp', max: 10 }],
    ];
    return all[turn % all.length] ?? ['', {}];
  };
  return {
    'JSON-RPC, in a session': {
      share: 7,
      run: async (turn) => {
        if (turn % callsOfSession === 0) session = undefined;
        session ??= logIn();
        const { text } = await call({ cookie: await session }, ...calls(turn));
        return text.includes('"result"') ? undefined : text.slice(0, 500);
      },
    },
    'JSON-RPC, wrong login': {
      share: 2,
      run: async (turn) => {
        const wrong = basic(`cn=other${turn},ou=people,${base}`, 'wrong');
        const { text } = await call(wrong, 'Get_Random_Bytes', { length: 1 }, onLoopback(turn));
        return text.includes('"result"') ? text.slice(0, 500) : undefined;
      },
    },
  };
}
