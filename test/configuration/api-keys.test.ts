/** API keys that are made, renewed and revoked while the servers run: in force at the next request on every node. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askStatus, type Ground, openGround, type Served } from './ground.ts';

describe.each(['embedded', 'postgres'] as const)('API keys, with the state in %s', (kind) => {
  let ground: Ground;
  let nodes: readonly Served[];
  let managers: readonly Served[];
  let manager: Awaited<ReturnType<Ground['managerOf']>>;
  let other: typeof manager;
  let withoutFactor: typeof manager;

  const settings = {
    websrvs: { otp: { require: 'api_key' } },
    clients: { vpn: {} },
    api_keys: { 7: { sha256: 'ab'.repeat(32) } },
  };
  beforeAll(async () => {
    ground = await openGround(kind);
    await ground.write(settings);
    const first = await ground.serve('watchword-manager');
    withoutFactor = await ground.managerOf(first);
    const shown = await ground.enrol(withoutFactor);
    await ground.write({ ...settings, manager_auth: 'PKI' });
    managers = [await ground.serve('watchword-manager'), await ground.serve('watchword-manager')];
    [manager, other] = (await Promise.all(managers.map((one) => ground.managerOf(one, shown)))) as [
      typeof manager,
      typeof manager,
    ];
    nodes = [await ground.serve('watchword-ws'), await ground.serve('watchword-ws')];
  });
  afterAll(() => ground.dispose());

  const statuses = (key: string) => Promise.all(nodes.map((node) => askStatus(node, { 'X-API-Key': key })));
  const listed = async (id: string) => (await other.List_API_Keys()).find((one) => one.id === id);
  const owner = '<img src=x onerror=alert(1)> & team';

  it('makes a key that every node takes at its next request, and revokes it everywhere', async () => {
    const { id, key } = await manager.Make_API_Key({ owner, services: ['otp'], client: 'vpn' });
    expect(await statuses(key)).toEqual([200, 200]);
    expect(await statuses(`${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`)).toEqual([401, 401]);
    expect(await listed(id)).toMatchObject({
      ...{ owner, services: ['otp'], clients: [], client: 'vpn', layer: 'runtime', state: 'valid' },
      ...{ expires: null, renewed_until: null },
    });
    const hour = `${new Date().toISOString().slice(0, 13).replace('T', ' ')}:00:00`;
    await expect
      .poll(async () => (await listed(id))?.last_used, { timeout: 20_000 })
      .toEqual({ time: expect.stringMatching(/:00:00$/), address: '127.0.0.1' });
    expect((await listed(id))?.last_used?.time.localeCompare(hour)).toBeGreaterThanOrEqual(0);
    await other.Revoke_API_Key({ id: Number(id) });
    expect(await statuses(key)).toEqual([401, 401]);
    expect(await listed(id)).toBeUndefined();
  });

  it('takes both keys of a renewal during the overlap, and the new one alone after it', async () => {
    const { id, key } = await manager.Make_API_Key({ owner });
    const renewed = await other.Renew_API_Key({ id: Number(id), overlap: 4 });
    expect(await statuses(renewed.key)).toEqual([200, 200]);
    expect(await statuses(key)).toEqual([200, 200]);
    expect(await listed(id)).toMatchObject({ state: 'renewed', renewed_until: renewed.renewed_until });
    await expect.poll(() => statuses(key), { timeout: 20_000 }).toEqual([401, 401]);
    expect(await statuses(renewed.key)).toEqual([200, 200]);
    await manager.Revoke_API_Key({ id: Number(id) });
    expect(await statuses(renewed.key)).toEqual([401, 401]);
  });

  it('refuses a key from its end on', async () => {
    const expires = new Date(Date.now() + 4000).toISOString().slice(0, 19).replace('T', ' ');
    const { id, key } = await manager.Make_API_Key({ owner, expires });
    expect(await statuses(key)).toEqual([200, 200]);
    await expect.poll(() => statuses(key), { timeout: 20_000 }).toEqual([401, 401]);
    expect(await listed(id)).toMatchObject({ state: 'expired', expires });
  });

  it('gives concurrent makes of two nodes different numbers', async () => {
    const made = await Promise.all(
      [manager, other, manager, other].map((one) => one.Make_API_Key({ owner })),
    );
    expect(new Set(made.map(({ id }) => id)).size).toBe(4);
    for (const { key } of made) expect(await statuses(key)).toEqual([200, 200]);
  });

  it.each<[string, (calls: typeof manager) => Promise<unknown>, RegExp]>([
    ['an unknown service', (m) => m.Make_API_Key({ owner, services: ['vpn'] }), /is not a web service/],
    ['an unknown client', (m) => m.Make_API_Key({ owner, client: 'nobody' }), /client/],
    ['a network that is none', (m) => m.Make_API_Key({ owner, clients: ['everywhere'] }), /network/],
    ['an owner on two lines', (m) => m.Make_API_Key({ owner: 'a\nb' }), /owner/],
    ['an overlap of more than 30 days', (m) => m.Renew_API_Key({ id: 7, overlap: 2_592_001 }), /overlap/],
    ['an id that is no number', (m) => m.Revoke_API_Key({ id: '__proto__' as never }), /id/],
    ['a key of the file', (m) => m.Revoke_API_Key({ id: 7 }), /API key 7 is in the configuration file/],
  ])('refuses %s by name, and changes nothing', async (_, change, why) => {
    const { version } = await manager.Get_Config();
    await expect(change(manager)).rejects.toThrow(why);
    expect((await manager.Get_Config()).version).toBe(version);
  });

  it('refuses to make a key without a second factor', async () => {
    await expect(withoutFactor.Make_API_Key({ owner })).rejects.toMatchObject({
      reason: 'insufficient_user_authentication',
    });
  });

  it('shows a key nowhere but in its answer', async () => {
    const { key } = await manager.Make_API_Key({ owner, comment: 'for the VPN' });
    await statuses(key);
    const [, secret = ''] = key.split('_');
    const shown = [
      ...[await manager.Get_Config(), await manager.List_Config(), await manager.Config_History()],
      ...[await manager.List_API_Keys(), await manager.Search_Event_Logs({ max: 1000 })],
    ].map((answer) => JSON.stringify(answer));
    expect(shown.join()).toContain('for the VPN');
    const digest = createHash('sha256').update(secret).digest('hex');
    const ended = JSON.stringify(await Promise.all([...nodes, ...managers].map((node) => node.stop())));
    expect(ended).toContain('settings at run time taken over');
    for (const text of [...shown, ended]) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(digest);
    }
    expect(shown[4]).toContain('Make_API_Key');
  });
});
