/** Two nodes on one store: an administrator who is deactivated at one is out at the other, with the next click. */
import { readFile } from 'node:fs/promises';
import { createManager } from '@watchword/client';
import { nodeTransport } from '@watchword/client/node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Ground, type Node, openGround } from './ground.ts';

let ground: Ground;
let node: Node;
beforeAll(async () => {
  ground = await openGround({
    WATCHWORD_SUPER_ADMINS:
      '"uid=admin,ou=people,dc=example,dc=org", "uid=alice,ou=people,dc=example,dc=org"',
  });
  node = await ground.startNode();
});
afterAll(async () => {
  await node.close();
  await ground.close();
});

it('a session ends on the other node, and everywhere, when its administrator is deactivated', async () => {
  const { username, password } = ground.administrator;
  const { fetch } = nodeTransport({ ca: await readFile(ground.ca, 'utf8') });
  const manager = createManager({ url: ground.manager, username, password, fetch });
  const page = await ground.open({ locale: 'en-US' });
  await page.goto(node.admin);
  await page.getByLabel('User name').fill(ground.alice.username);
  await page.getByLabel('Password').fill(ground.alice.password);
  await page.keyboard.press('Enter');
  await page.getByRole('searchbox', { name: 'Find somebody' }).waitFor();
  // The cookie is the host's, whatever the port: both nodes know it.
  const first = await page.context().newPage();
  await first.goto(`${ground.admin}directory`);
  await first.getByRole('treeitem', { name: 'people', exact: true }).waitFor();
  expect(await manager.Deactivate_LDAP_Object({ dn: ground.alice.dn })).toBe(1);
  await page.getByRole('link', { name: 'Directory' }).click();
  await page.getByText('Your session is over. Please sign in again.').waitFor();
  expect(await page.getByRole('treeitem', { name: 'people', exact: true }).count()).toBe(0);
  await first.getByRole('link', { name: 'People', exact: true }).click();
  await first.getByRole('searchbox').fill('bob');
  await first.keyboard.press('Enter');
  await first.getByText('Your session is over. Please sign in again.').waitFor();
  await first.reload();
  await first.getByLabel('User name').waitFor();
  expect(await page.context().cookies([node.admin, ground.admin])).toEqual([]);
});
