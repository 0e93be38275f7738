/** Settings that are changed at run time: in force on every node at the next request, in versions, and lost at no crash. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askStatus, type Ground, openGround, type Served } from './ground.ts';

describe.each(['embedded', 'postgres'] as const)('settings at run time, with the state in %s', (kind) => {
  let ground: Ground;
  let managers: readonly [Served, Served];
  let web: Served;
  let manager: Awaited<ReturnType<Ground['managerOf']>>;
  let other: typeof manager;
  beforeAll(async () => {
    ground = await openGround(kind);
    managers = [await ground.serve('watchword-manager'), await ground.serve('watchword-manager')];
    web = await ground.serve('watchword-ws');
    manager = await ground.managerOf(managers[0]);
    other = await ground.managerOf(managers[1]);
  });
  afterAll(() => ground.dispose());

  const requiring = (require: string | null) => ({ websrvs: { otp: { require } } });

  it('serves a change at the next request of every node', async () => {
    expect(await askStatus(web)).toBe(200);
    const { version, changed } = await manager.Set_Config({ settings: requiring('api_key') });
    expect(changed).toEqual(['websrvs.otp']);
    expect(await askStatus(web)).toBe(401);
    expect(await other.Get_Config()).toMatchObject({ version, settings: requiring('api_key') });
    await other.Set_Config({ settings: requiring(null) });
    expect(await askStatus(web)).toBe(200);
  });

  it('refuses a change whose author has not seen the version in force', async () => {
    const { version } = await manager.Get_Config();
    await other.Set_Config({ settings: { clients: { vpn: {} } } });
    await expect(manager.Set_Config({ settings: { clients: { vpn: null } }, version })).rejects.toMatchObject(
      {
        reason: 'already_exists',
      },
    );
  });

  it('puts one of many concurrent changes in force after the other, and loses none that it has answered', async () => {
    const names = Array.from({ length: 12 }, (_, number) => `client${number}`);
    const settled = await Promise.allSettled(
      names.map((name, index) =>
        (index % 2 === 0 ? manager : other).Set_Config({ settings: { clients: { [name]: {} } } }),
      ),
    );
    const done = names.filter((_, index) => settled[index]?.status === 'fulfilled');
    const refused = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason.reason] : []));
    expect(done.length).toBeGreaterThan(0);
    expect(refused.filter((reason) => reason !== 'already_exists')).toEqual([]);
    expect(await other.Get_Config()).toMatchObject({
      settings: { clients: Object.fromEntries(done.map((name) => [name, {}])) },
    });
  });

  it('goes back to an earlier version as a new one, and shows who has changed what', async () => {
    const first = await manager.Set_Config({
      settings: { ws_url: 'https://one.example.org' },
      comment: 'move',
    });
    await manager.Set_Config({ settings: { ws_url: 'https://two.example.org' } });
    const restored = await other.Restore_Config({ version: first.version });
    expect(restored).toEqual({ version: first.version + 2, changed: ['ws_url'] });
    const [newest, , moved] = await manager.Config_History();
    expect(newest).toMatchObject({ version: restored.version, comment: `version ${first.version} restored` });
    expect(moved).toMatchObject({ author: ground.slapd.adminDn, comment: 'move', changed: ['ws_url'] });
    expect((await manager.Get_Config()).settings).toMatchObject({ ws_url: 'https://one.example.org' });
  });

  it('lets the file win, and shows from which layer a setting comes', async () => {
    await manager.Set_Config({ settings: { websrvs: { otp: { enabled: false } } } });
    expect(await askStatus(web)).toBe(404);
    await web.logs(/settings at run time taken over program=watchword-ws changed=\["websrvs.otp"\]/);
    await ground.write({ websrvs: { otp: { enabled: true } } });
    web.child.kill('SIGHUP');
    await web.logs(/configuration reloaded program=watchword-ws changed=\["websrvs.otp"\]/);
    expect(await askStatus(web)).toBe(200);
    await ground.write();
    const settings = new Map((await manager.List_Config()).map((one) => [one.name, one]));
    expect(settings.get('websrvs')).toMatchObject({ layer: 'runtime', changeable: true });
    expect(settings.get('directory')).toMatchObject({ layer: 'file', changeable: false });
    expect(settings.get('rest_get')).toMatchObject({ layer: 'preset', value: true });
    expect(JSON.stringify([...settings.values()])).not.toContain(ground.slapd.adminPassword);
    await manager.Set_Config({ settings: { websrvs: null } });
  });

  it('takes no change of the file that was not reloaded, and does not stumble over one', async () => {
    await ground.write({ websrv: {} });
    await manager.Set_Config({ settings: requiring('api_key') });
    expect(await askStatus(web)).toBe(401);
    await ground.write({ websrvs: { otp: { enabled: false } } });
    await manager.Set_Config({ settings: requiring(null) });
    expect(await askStatus(web)).toBe(200);
    await ground.write();
  });

  it.each([
    ['a setting of the file', { directory: { type: 'embedded' } }, /directory cannot be changed at run time/],
    ['an unknown setting', { websrv: {} }, /websrv is not a known key/],
    ['a wrong value', { rest_get: 'sometimes' }, /rest_get/],
    ['a path on the machine', { mail: { type: 'folder', folder: '/etc' } }, /mail\.folder names a file/],
    [
      'who administers, without a second factor',
      { super_admins: ['cn=x,dc=example,dc=org'] },
      /second factor/,
    ],
  ])('refuses %s, and changes nothing', async (_, settings, why) => {
    const before = await manager.Get_Config();
    await expect(manager.Set_Config({ settings })).rejects.toThrow(why);
    expect(await manager.Get_Config()).toEqual(before);
  });

  it('answers no secret, and keeps one that a change does not name', async () => {
    const hash = '$scrypt$ln=15,r=8,p=1$b3VyIHNhbHQ$YW5vdGhlciBoYXNoIG9mIGEgcGFzc3dvcmQgaGVyZQ';
    await manager.Set_Config({ settings: { sms_accounts: { portal: { hash } } } });
    await manager.Set_Config({ settings: { sms_accounts: { shop: { hash } } } });
    const shown = [await manager.Get_Config(), await manager.List_Config(), await manager.Config_History()];
    expect(JSON.stringify(shown)).not.toContain('YW5vdGhlciBoYXNo');
    expect(shown[0]).toMatchObject({ settings: { sms_accounts: { portal: {}, shop: {} } } });
    // Without its hash an account would be refused.
    await manager.Set_Config({ settings: { sms_accounts: { shop: null } } });
  });

  it('keeps every change that was answered when the server is killed', async () => {
    const victim = await ground.serve('watchword-manager');
    const calls = await ground.managerOf(victim);
    let answered = 0;
    const changing = (async () => {
      for (let number = 1; ; number += 1) {
        const done = await calls
          .Set_Config({
            settings: {
              clients: { killed: { settings: { 'Otp.LoginMode': number % 2 === 0 ? 'LDAP' : 'LDAPOTP' } } },
            },
          })
          .catch(() => undefined);
        if (!done) return;
        answered = done.version;
      }
    })();
    await expect.poll(() => answered, { timeout: 20_000 }).toBeGreaterThan(5);
    await victim.stop('SIGKILL');
    await changing;
    const { version } = await other.Get_Config();
    expect(version).toBeGreaterThanOrEqual(answered);
    expect(version).toBeLessThanOrEqual(answered + 1);
  });
});
