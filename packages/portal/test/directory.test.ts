/** The directory as a tree, one container with a hundred thousand entries among it: on slapd, and on the embedded directory. */
import { readFile } from 'node:fs/promises';
import type { Manager } from '@watchword/client';
import { rounds } from '@watchword/core/testing/bed';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from '../../core/src/testing/bed/engines/browser.ts';
import { findingsOf } from './axe.ts';
import { base, crowd, type DirectoryGround, openDirectoryGround } from './directory-ground.ts';

const people = `ou=people,${base}`;
const groups = `ou=groups,${base}`;

describe.each([
  ['slapd', 100_000],
  // It takes half a minute to load as many into this one: at night.
  ['embedded', rounds(3_000, 100_000)],
] as const)('the tree on %s', (kind, entries) => {
  let ground: DirectoryGround;
  let page: Page;
  let manager: Manager;
  /** What the browser complains of: a policy that was broken, a script that failed. */
  const complaints: string[] = [];
  beforeAll(async () => {
    ground = await openDirectoryGround(kind, entries);
    ({ page, manager } = ground);
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
  }, 180_000);
  afterAll(() => ground.close());
  afterEach(() => {
    expect(complaints).toEqual([]);
  });

  const go = (path: string) => page.goto(new URL(path, ground.admin).href);
  const line = (name: string) => page.getByRole('treeitem', { name, exact: true });
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const field = (name: string) => page.getByLabel(name, { exact: true });
  const said = (text: string | RegExp) => page.getByText(text).first().waitFor();
  const dialog = () => page.getByRole('dialog');
  const act = async (name: string, what: string, value: string) => {
    await button('More acts').click();
    await page.getByRole('menuitem', { name, exact: true }).click();
    await dialog().getByLabel(what, { exact: true }).fill(value);
    await dialog().getByRole('button', { name }).click();
  };
  const linesInPage = () => page.getByRole('treeitem').count();

  const focused = () => page.locator('[role=treeitem]:focus');
  const open = (dn: string) => go(`directory?dn=${encodeURIComponent(dn)}`);

  it('opens a container of very many at once, and says where a line stands', async () => {
    await go('directory');
    await line('crowd').focus();
    await page.keyboard.press('ArrowRight');
    await said(/crowd: [\d,]+ entries are shown, and there are more\./);
    await page.keyboard.press('ArrowDown');
    expect(await focused().getAttribute('aria-level')).toBe('3');
    expect(await focused().getAttribute('aria-posinset')).toBe('1');
    expect(await focused().getAttribute('aria-setsize')).toBe('-1');
    expect(await linesInPage()).toBeLessThan(80);
    expect(await findingsOf(page)).toEqual([]);
  });

  it('goes to the end of all of them with few lines in the page, and comes back to the same place', async () => {
    await button('Show all in crowd').click();
    await page
      .getByText(`crowd: all ${entries.toLocaleString('en-US')} are shown.`)
      .first()
      .waitFor({ timeout: 150_000 });
    await line('crowd').focus();
    await page.keyboard.press('ArrowDown');
    expect(await focused().getAttribute('aria-setsize')).toBe(String(entries));
    await page.keyboard.press('End');
    // Behind it stand two containers.
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    expect(await focused().getAttribute('aria-posinset')).toBe(String(entries));
    expect(await linesInPage()).toBeLessThan(80);
    const name = await focused().textContent();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: name ?? '' }).waitFor();
    await page.getByRole('link', { name: 'People' }).click();
    await page.getByRole('searchbox', { name: 'Find somebody' }).waitFor();
    await page.goBack();
    await page.getByRole('treeitem', { name: name ?? '', exact: true }).waitFor();
    expect(await linesInPage()).toBeLessThan(80);
  });

  it('jumps to a name that is typed, and narrows by a part of it', async () => {
    await open(crowd);
    await line('crowd').waitFor();
    await page.keyboard.press('Tab');
    await field('Narrow by name').fill(`user${entries - 1}`);
    await line(`user${entries - 1}`).click();
    await page.getByRole('heading', { name: `user${entries - 1}` }).waitFor();
    await line('crowd').click();
    await page.getByRole('heading', { name: 'crowd' }).waitFor();
    const saving = page.waitForEvent('download');
    await button('More acts').click();
    await page.getByRole('menuitem', { name: 'Save as LDIF' }).click();
    const ldif = await readFile(await (await saving).path(), 'utf8');
    expect(ldif.match(/^dn: .*/gm)).toEqual([`dn: uid=user${entries - 1},${crowd}`]);
    await field('Narrow by name').fill('');
    await line('people').focus();
    await page.keyboard.type('cr');
    expect(await focused().textContent()).toBe('crowd');
  });

  it('shows what is made, renamed, moved and removed, each of which is taken back', async () => {
    const made = `uid=made,${crowd}`;
    await open(crowd);
    await button('New entry').click();
    await field('Name').fill('made');
    await field('cn').fill('Made Here');
    await field('sn').fill('Here');
    await dialog().getByRole('button', { name: 'New entry' }).click();
    await page.locator('[role=treeitem][aria-current=page]').getByText('made').waitFor();
    await act('Rename', 'Name', 'called');
    await line('called').waitFor();
    await line('made').waitFor({ state: 'detached' });
    await button('Undo').last().click();
    await page.getByRole('heading', { name: 'made' }).waitFor();
    await line('made').waitFor();
    await act('Move', 'Container (DN)', people);
    await said('made is moved.');
    expect(await manager.Check_LDAP_Object({ dn: `uid=made,${people}` })).toBeTruthy();
    await button('Undo').last().click();
    // The tree shows the entry where it was moved to until it is back.
    await page.getByRole('treeitem', { name: 'made' }).waitFor();
    const surname = async () => (await manager.Get_User_Attrs({ dn: made }).catch(() => ({ sn: [] }))).sn;
    await expect.poll(surname, { timeout: 30_000 }).toEqual(['Here']);
    // The page follows it, and a menu that is open meanwhile closes.
    await page.waitForURL(({ searchParams }) => searchParams.get('dn') === made);
    await button('More acts').click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await page.getByRole('alertdialog').getByText(`The entry ${made}`).waitFor();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await said('made is removed.');
    await line('made').waitFor({ state: 'detached' });
    await page.locator('[role=treeitem][aria-current=page]').getByText('crowd').waitFor();
  });

  it('takes members in and out, and takes it back', async () => {
    const group = `cn=some,${groups}`;
    const [one, other] = [`uid=user1,${crowd}`, `uid=user2,${crowd}`];
    await manager.Create_LDAP_Object({ dn: group, attrs: { objectClass: ['groupOfNames'], member: one } });
    const members = async () => (await manager.Get_User_Attrs({ dn: group })).member;
    await open(group);
    await field('Add somebody').fill('user2');
    await button('Add User 2').click();
    await said('user2 is in the group.');
    expect(await members()).toEqual([one, other]);
    await button('Undo').last().click();
    await said('Undone');
    expect(await members()).toEqual([one]);
  });
});
