import { describe, expect, it } from 'vitest';
import { createDryRunManager, createManager } from './manager.ts';
import type { ManagerOptions } from './options.ts';
import { json, listen, type RpcServer, rpc, type Sent } from './testing/rpc-server.ts';

const alice = { username: 'alice', domain: 'Default' };

const managerOf = ({ url }: RpcServer, options: Partial<ManagerOptions> = {}) =>
  createManager({ url, username: 'admin', password: 'geheim', ...options });

/** Any property of an object, also one that its type does not have. */
const member = (object: object, key: string | symbol): unknown => Reflect.get(object, key);

describe('a method', () => {
  it('is one JSON-RPC request', async () => {
    const server = await listen(rpc(() => ({ result: 'uid=alice,dc=example' })));
    await expect(managerOf(server).Get_User_DN(alice)).resolves.toBe('uid=alice,dc=example');
    expect(server.heard).toMatchObject([
      {
        method: 'POST',
        path: '/manag/',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: { jsonrpc: '2.0', id: 1, method: 'Get_User_DN', params: alice },
      },
    ]);
  });

  it('without parameters sends none', async () => {
    const server = await listen(rpc(() => ({ result: 3 })));
    await expect(managerOf(server).Count_Activated_Users()).resolves.toBe(3);
    expect(server.heard[0]?.body).toEqual({ jsonrpc: '2.0', id: 1, method: 'Count_Activated_Users' });
  });

  it('of an application is called by its name', async () => {
    const server = await listen(rpc(({ method }) => ({ result: method })));
    const register = member(managerOf(server).Otp, 'HOTP_Register') as (params: object) => Promise<unknown>;
    await expect(register({ dn: 'uid=alice' })).resolves.toBe('Otp.HOTP_Register');
  });

  it('works taken off the object, as a callback too', async () => {
    const { Get_User_DN } = managerOf(await listen(rpc(({ params }) => ({ result: params }))));
    await expect(Promise.all([alice].map((who) => Get_User_DN(who)))).resolves.toEqual([alice]);
  });

  it('has an id of its own among many at once', async () => {
    const server = await listen(rpc(({ params }) => ({ result: params })));
    const manager = managerOf(server);
    const names = Array.from({ length: 20 }, (_, index) => `user${index}`);
    const results = await Promise.all(names.map((dn) => manager.Check_LDAP_Object({ dn })));
    expect(results).toEqual(names.map((dn) => ({ dn })));
    expect(new Set(server.heard.map(({ body }) => (body as Sent).id)).size).toBe(20);
  });

  it('gives lists keyed by index as arrays', async () => {
    const attrs = { mail: { 0: 'a@example.org', 1: 'b@example.org' }, cn: ['Alice'] };
    const manager = managerOf(await listen(rpc(() => ({ result: attrs }))));
    await expect(manager.Get_User_Attrs({ dn: 'uid=alice' })).resolves.toEqual({
      mail: ['a@example.org', 'b@example.org'],
      cn: ['Alice'],
    });
  });
});

describe('the manager object', () => {
  it('is sent for by nothing but a method', async () => {
    const server = await listen(rpc(() => ({ result: null })));
    const manager = managerOf(server);
    expect(await manager).toBe(manager);
    expect(await manager.Otp).toBeTypeOf('function');
    expect(JSON.stringify({ manager })).toBe('{"manager":{}}');
    expect(`${manager}`).toBe('[object Object]');
    for (const key of ['then', 'toJSON', 'asymmetricMatch', Symbol.iterator, Symbol.toPrimitive]) {
      expect(member(manager, key), String(key)).toBeUndefined();
      expect(member(manager.Otp, key), String(key)).toBeUndefined();
    }
    expect(server.heard).toEqual([]);
  });

  it('shows nothing of the credentials', async () => {
    const { inspect } = await import('node:util');
    const manager = createManager({ url: 'https://localhost/manag/', username: 'admin', password: 'geheim' });
    const shown = inspect(manager, { showProxy: true, showHidden: true, depth: 9 });
    expect(shown).toContain('batch');
    expect(shown).not.toMatch(/geheim|Z2VoZWlt|admin/);
  });
});

describe('login and session', () => {
  const cookies = (server: RpcServer) => server.heard.map(({ headers }) => headers.cookie);
  const setCookie = (...values: string[][]) => {
    const answers = values.values();
    return listen((response, { body }) => {
      response.setHeader('set-cookie', answers.next().value ?? []);
      json(response, { jsonrpc: '2.0', id: (body as Sent).id, result: 1 });
    });
  };

  it('sends name and password as UTF-8', async () => {
    const server = await listen(rpc(() => ({ result: 1 })));
    await managerOf(server, { username: 'Domäne\\józef', password: 'пароль:日本€' }).Count_Activated_Users();
    const [scheme, credentials] = server.heard[0]?.headers.authorization?.split(' ') ?? [];
    expect(scheme).toBe('Basic');
    expect(Buffer.from(credentials ?? '', 'base64').toString()).toBe('Domäne\\józef:пароль:日本€');
  });

  it("adds the caller's headers, and keeps its own", async () => {
    const server = await listen(rpc(() => ({ result: 1 })));
    const headers = { 'X-Trace': '7', Authorization: 'Bearer x' };
    await managerOf(server, { headers }).Count_Activated_Users();
    expect(server.heard[0]?.headers).toMatchObject({
      'x-trace': '7',
      authorization: expect.stringMatching(/^Basic [^,]*$/),
    });
  });

  it('sends the session back, and the new one when a new one comes', async () => {
    const attributes = '; Path=/; Secure; HttpOnly; SameSite=Strict';
    const server = await setCookie(
      [`SVCMANAG=first${attributes}`],
      ['other=1', `SVCMANAG=second${attributes}`],
      [],
      ['SVCMANAG=; Max-Age=0'],
    );
    const manager = managerOf(server);
    for (let call = 0; call < 5; call += 1) await manager.Count_Activated_Users();
    const [first, second] = ['SVCMANAG=first', 'SVCMANAG=second'];
    expect(cookies(server)).toEqual([undefined, first, second, second, undefined]);
  });

  it('keeps no cookie that would be more than a value', async () => {
    const server = await setCookie(['SVCMANAG=a"b'], ['SVCMANAG=a b'], ['XSVCMANAG=a'], ['SVCMANAGER=a']);
    const manager = managerOf(server);
    for (let call = 0; call < 5; call += 1) await manager.Count_Activated_Users();
    expect(cookies(server)).toEqual(Array(5).fill(undefined));
  });
});

describe('a dry run', () => {
  const dryRun = { dryRun: true, would: [] };
  const answering = (described: object) =>
    listen(rpc(({ method }) => ({ result: method === 'rpc.discover' ? described : dryRun })));
  const dryRunOf = ({ url }: RpcServer) =>
    createDryRunManager({ url, username: 'admin', password: 'geheim' });

  it('asks once whether there are dry runs, and sends each call as one', async () => {
    const server = await answering({ 'x-dry-run': true });
    const { Remove_LDAP_Object, batch } = dryRunOf(server);
    const dn = 'uid=alice';
    expect(await Promise.all([Remove_LDAP_Object({ dn }), Remove_LDAP_Object({ dn })])).toEqual([
      ...[dryRun, dryRun],
    ]);
    expect(await batch((m) => [m.Otp.Block_Start({ dn })])).toEqual([dryRun]);
    expect(server.heard.map(({ headers }) => headers['x-dry-run'])).toEqual(Array(4).fill('1'));
    expect(server.heard[0]?.body).toMatchObject({ method: 'rpc.discover' });
  });

  it('calls nothing where the server would do it', async () => {
    const server = await answering({});
    const { Remove_LDAP_Object, batch } = dryRunOf(server);
    await expect(Remove_LDAP_Object({ dn: 'uid=alice' })).rejects.toMatchObject({ reason: 'protocol' });
    await expect(batch((m) => [m.Otp.Block_Start({ dn: 'uid=alice' })])).rejects.toThrow('no dry runs');
    expect(server.heard.map(({ body }) => (body as Sent).method)).toEqual(['rpc.discover', 'rpc.discover']);
  });
});
