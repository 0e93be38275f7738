/** API keys that are made, renewed and revoked while the servers run: in force at the next request on every node. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askStatus, type Ground, openGround, type Served } from './ground.ts';

describe.each(['embedded', 'postgres'] as const)('API keys, with the state in %s', (kind) => {
  let ground: Ground;
  let nodes: readonly Served[];
  let manager: Awaited<ReturnType<Ground['managerOf']>>;
  let other: typeof manager;
  const fileKey = 'ab'.repeat(32);
  beforeAll(async () => {
    ground = await openGround(kind);
    // A call with a certificate has a second factor; a session of the portal is signed in below.
    await ground.write({ websrvs: { otp: { require: 'api_key' } }, api_keys: { 7: { sha256: fileKey } } });
    const managers = [await ground.serve('watchword-manager'), await ground.serve('watchword-manager')];
    nodes = [await ground.serve('watchword-ws'), await ground.serve('watchword-ws')];
    manager = await ground.managerOf(managers[0] as Served);
    other = await ground.managerOf(managers[1] as Served);
  });
  afterAll(() => ground.dispose());

  const statuses = (key: string) => Promise.all(nodes.map((node) => askStatus(node, { 'X-API-Key': key })));

  it('refuses to make, renew and revoke without a second factor', async () => {
    for (const change of [() => manager.Make_API_Key({ owner: 'Network team' })])
      await expect(change()).rejects.toMatchObject({ reason: 'insufficient_user_authentication' });
    expect((await manager.Get_Config()).version).toBe(0);
    expect(await statuses(`1001_${'0'.repeat(40)}`)).toEqual([401, 401]);
    expect(await other.List_API_Keys()).toMatchObject([{ id: '7', layer: 'file', state: 'valid' }]);
  });
});
