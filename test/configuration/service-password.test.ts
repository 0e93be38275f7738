/** Another password of the service account in the directory: taken by a reload, and refused where it is wrong. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { askReady, type Ground, openGround, type Served } from './ground.ts';

let ground: Ground;
let web: Served;
let manager: Awaited<ReturnType<Ground['managerOf']>>;
beforeAll(async () => {
  ground = await openGround('embedded');
  web = await ground.serve('watchword-ws');
  manager = await ground.managerOf(await ground.serve('watchword-manager'));
});
afterAll(() => ground.dispose());

/** Writes the file with another password, and reloads. */
async function reloadWith(bind_password: string): Promise<void> {
  const { url, base, adminDn } = ground.slapd;
  const settings = { type: 'ldap', urls: [url], allow_plain: true, base, bind_dn: adminDn, bind_password };
  await ground.write({ directory: settings });
  web.child.kill('SIGHUP');
}

it('refuses a password that the directory does not take, and serves on with the one before', async () => {
  await reloadWith('not the password');
  expect(await web.logs(/was not reloaded.*does not answer with these settings.*/)).not.toContain(
    'not the password',
  );
  expect(await askReady(web)).toBe(200);
});

it('takes a new password while it serves', async () => {
  await manager.Set_User_Password({ dn: ground.slapd.adminDn, password: 'An0ther-Pa55word' });
  await reloadWith('An0ther-Pa55word');
  await web.logs(/configuration reloaded program=watchword-ws changed=\["directory.bind_password"\]/);
  expect(await askReady(web)).toBe(200);
});
