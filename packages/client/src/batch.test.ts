import { describe, expect, it } from 'vitest';
import { CallError } from './errors.ts';
import { createManager } from './manager.ts';
import { json, listen, rpc, type Sent } from './testing/rpc-server.ts';

const alice = { username: 'alice', domain: 'Default' };

type Members = Readonly<Record<string, unknown>>;

/** A manager whose server answers a batch with what `reply` makes of its calls. */
async function answering(reply: (calls: Sent[]) => unknown) {
  const server = await listen((response, { body }) => json(response, reply(body as Sent[])));
  return createManager({ url: server.url, username: 'admin', password: 'secret' });
}

const envelope = ({ id }: Sent, members: Members) => ({ jsonrpc: '2.0', id, ...members });
const notFound = { code: -32004, message: 'No such object', reason: 'not_found', data: "LDAP object 'x'" };

describe('a batch', () => {
  it('is one request with its calls in order', async () => {
    const server = await listen(rpc(({ method }) => ({ result: method })));
    const manager = createManager({ url: server.url, username: 'admin', password: 'secret' });
    const results = await manager.batch((m) => [m.Get_User_DN(alice), m.Count_Activated_Users()]);
    expect(results).toEqual(['Get_User_DN', 'Count_Activated_Users']);
    expect(server.heard.map(({ body }) => body)).toEqual([
      [
        { jsonrpc: '2.0', id: 1, method: 'Get_User_DN', params: alice },
        { jsonrpc: '2.0', id: 2, method: 'Count_Activated_Users' },
      ],
    ]);
  });

  it('gives each call its own result, whatever the order of the answer', async () => {
    const manager = await answering((calls) =>
      calls.map((call) => envelope(call, { result: call.params })).reverse(),
    );
    const dns = Array.from({ length: 50 }, (_, index) => `uid=${index}`);
    const results = await manager.batch((m) => dns.map((dn) => m.Check_LDAP_Object({ dn })));
    expect(results).toEqual(dns.map((dn) => ({ dn })));
  });

  it('of nothing sends nothing', async () => {
    const server = await listen(rpc(() => ({ result: 1 })));
    const manager = createManager({ url: server.url, username: 'admin', password: 'secret' });
    await expect(manager.batch(() => [])).resolves.toEqual([]);
    expect(server.heard).toEqual([]);
  });

  it('fails with the first error, or tells how each call ended', async () => {
    const manager = await answering((calls) =>
      calls.map((call) =>
        envelope(call, call.method === 'Get_User_DN' ? { error: notFound } : { result: false }),
      ),
    );
    const dn = 'uid=alice';
    await expect(
      manager.batch((m) => [m.Check_LDAP_Object({ dn }), m.Get_User_DN(alice)]),
    ).rejects.toMatchObject({ reason: 'not_found', method: 'Get_User_DN' });
    const settled = await manager.batchSettled((m) => [m.Get_User_DN(alice), m.Check_LDAP_Object({ dn })]);
    expect(settled).toEqual([
      { ok: false, error: expect.any(CallError) },
      { ok: true, value: false },
    ]);
    const [first] = settled;
    expect(first.ok ? undefined : first.error).toMatchObject({
      reason: 'not_found',
      code: -32004,
      data: "LDAP object 'x'",
      message: "No such object: LDAP object 'x'",
      httpStatus: 200,
      method: 'Get_User_DN',
    });
  });

  it('loses nothing of the others when a call is not answered', async () => {
    const manager = await answering(([, second]) => (second ? [envelope(second, { result: 7 })] : []));
    const settled = await manager.batchSettled((m) => [m.Get_User_DN(alice), m.Count_Activated_Users()]);
    expect(settled).toMatchObject([
      { ok: false, error: { reason: 'protocol', method: 'Get_User_DN' } },
      { ok: true, value: 7 },
    ]);
  });

  it('of one may be answered without the array', async () => {
    const manager = await answering(([call]) => call && envelope(call, { result: 7 }));
    await expect(manager.batch((m) => [m.Count_Activated_Users()])).resolves.toEqual([7]);
  });

  it('that is refused as a whole fails as a whole, with settled results too', async () => {
    const tooLarge = { code: -32029, message: 'Too large', reason: 'too_large' };
    const manager = await answering(() => ({ jsonrpc: '2.0', id: null, error: tooLarge }));
    await expect(manager.batchSettled((m) => [m.Count_Activated_Users()])).rejects.toMatchObject({
      reason: 'too_large',
      method: undefined,
    });
  });

  it.each<[string, (calls: Sent[]) => unknown]>([
    [
      'a call that was not made',
      (calls) => calls.map((call) => envelope({ ...call, id: 99 }, { result: 1 })),
    ],
    ['an id of another type', ([call]) => [{ jsonrpc: '2.0', id: `${call?.id}`, result: 1 }]],
    ['a call twice', ([call]) => (call ? [1, 2].map((result) => envelope(call, { result })) : [])],
    ['with no envelope', () => [null]],
    ['with a bare value', () => 1],
  ])('is not trusted when it answers %s', async (_, reply) => {
    const manager = await answering(reply);
    await expect(manager.batchSettled((m) => [m.Count_Activated_Users()])).rejects.toMatchObject({
      reason: 'protocol',
    });
  });
});
