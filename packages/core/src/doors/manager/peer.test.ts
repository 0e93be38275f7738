/** Our answers as an independent implementation of JSON-RPC 2.0 reads them, the library json-rpc-2.0, and their bytes. */
import { JSONRPCClient } from 'json-rpc-2.0';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fixture, openFixture } from '../../testing/bed/fixture.ts';

let fixture: Fixture;
let client: JSONRPCClient;
beforeAll(async () => {
  fixture = await openFixture();
  client = new JSONRPCClient(async (payload) => {
    const text = await sent(payload);
    if (text !== undefined) client.receive(JSON.parse(text));
  });
});
afterAll(() => fixture.close());

/** The text of the answer; undefined if there is none. */
async function sent(body: unknown): Promise<string | undefined> {
  return JSON.stringify((await fixture.answer({ body })).body);
}

const alice = 'uid=alice,ou=people,dc=example,dc=org';
const params = { username: 'alice', domain: 'Default' };
const call = (id: number, method: string, given: object = {}) =>
  ({ jsonrpc: '2.0', id, method, params: given }) as const;

describe('a client that is not ours', () => {
  it('has the result of a call, and the error of one that fails', async () => {
    expect(await client.request('Get_User_DN', params)).toBe(alice);
    await expect(client.request('Get_User_DN', { ...params, username: 'nobody' })).rejects.toMatchObject({
      code: -32004,
    });
    await expect(client.request('No_Such_Method', {})).rejects.toMatchObject({ code: -32601 });
  });

  it('has the answers of a batch, each to its call', async () => {
    const answers = await client.requestAdvanced([
      call(7, 'Get_User_DN', params),
      call(8, 'No_Such_Method'),
      call(9, 'Check_LDAP_Object', { dn: alice }),
    ]);
    expect(answers).toEqual([
      { jsonrpc: '2.0', id: 7, result: alice },
      { jsonrpc: '2.0', id: 8, error: expect.objectContaining({ code: -32601 }) },
      { jsonrpc: '2.0', id: 9, result: true },
    ]);
  });

  it('has no answer to a notification, known or not', async () => {
    for (const method of ['Get_User_DN', 'No_Such_Method'])
      expect(await sent({ jsonrpc: '2.0', method, params })).toBeUndefined();
  });
});

it.each([
  [call(1, 'Get_User_DN', params), `{"jsonrpc":"2.0","id":1,"result":"${alice}"}`],
  [[call(1, 'Get_User_DN', params)], `[{"jsonrpc":"2.0","id":1,"result":"${alice}"}]`],
  [
    { ...call(1, 'No_Such_Method'), id: null },
    `{"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found","data":"There is no method 'No_Such_Method'","reason":"method_not_found"},"id":null}`,
  ],
])('the answer to %j has the bytes that it always had', async (body, text) => {
  expect(await sent(body)).toBe(text);
});
