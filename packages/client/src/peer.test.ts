/** Our client in front of an independent implementation of JSON-RPC 2.0: the library json-rpc-2.0. */
import { JSONRPCErrorException, JSONRPCServer } from 'json-rpc-2.0';
import { expect, it } from 'vitest';
import { createManager } from './manager.ts';
import { json, listen } from './testing/rpc-server.ts';

const alice = { username: 'alice', domain: 'Default' };

async function openPeer() {
  const peer = new JSONRPCServer({ errorListener: () => {} });
  peer.addMethod('Get_User_DN', ({ username }) => {
    if (username === 'alice') return 'uid=alice';
    throw new JSONRPCErrorException('No such object', -32004, `no ${username}`);
  });
  peer.addMethod('Check_LDAP_Object', async ({ dn }) => dn === 'uid=alice');
  const { url } = await listen(async (response, { body }) =>
    json(response, await peer.receiveJSON(JSON.stringify(body))),
  );
  return createManager({ url, username: 'admin', password: 'secret' });
}

it('has results and errors', async () => {
  const manager = await openPeer();
  expect(await manager.Get_User_DN(alice)).toBe('uid=alice');
  expect(await manager.Check_LDAP_Object({ dn: 'uid=bob' })).toBe(false);
  await expect(manager.Get_User_DN({ ...alice, username: 'bob' })).rejects.toMatchObject({
    code: -32004,
    data: 'no bob',
  });
  await expect(manager.Count_Activated_Users()).rejects.toMatchObject({
    code: -32601,
    reason: 'method_not_found',
  });
});

it('has the answers of a batch, each to its call', async () => {
  const manager = await openPeer();
  const dns = ['uid=alice', 'uid=bob', 'uid=alice'];
  expect(await manager.batch((m) => dns.map((dn) => m.Check_LDAP_Object({ dn })))).toEqual([
    true,
    false,
    true,
  ]);
  const settled = await manager.batchSettled((m) => [
    m.Get_User_DN({ ...alice, username: 'bob' }),
    m.Get_User_DN(alice),
  ]);
  expect(settled).toMatchObject([
    { ok: false, error: { code: -32004 } },
    { ok: true, value: 'uid=alice' },
  ]);
});
