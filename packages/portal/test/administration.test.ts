/** The pages of who administers: the directory, roles, the Remote Manager Interface, many at once; in a browser, those of the directory on both kinds. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createManager, type Manager } from '@watchword/client';
import { nodeTransport } from '@watchword/client/node';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from '../../core/src/testing/bed/engines/browser.ts';
import { findingsOf } from './axe.ts';
import { type Login, openGround, type Portal } from './ground.ts';
import { openSlapdGround } from './slapd-ground.ts';

const people = 'ou=people,dc=example,dc=org';
const groups = 'ou=groups,dc=example,dc=org';
const digest = 'ab'.repeat(32);

const alice = `uid=alice,${people}`;

const directories = { 'the embedded directory': openGround, OpenLDAP: openSlapdGround } as const;

describe.each(Object.entries(directories))('on %s', (kind, openOn) => {
  /** Pages without a part of the directory. */
  const describeOfPage = (title: string, tests: () => void) => {
    if (kind === 'the embedded directory') describe(title, tests);
  };
  let ground: Portal;
  let manager: Manager;
  let page: Page;
  /** What the browser complains of: a policy that was broken, a script that failed or should not have run. */
  let complaints: string[];

  beforeAll(async () => {
    ground = await openOn({
      WATCHWORD_API_KEYS__7__SHA256: digest,
      WATCHWORD_API_KEYS__7__SERVICES: '"otp"',
    });
    manager = await managerOf(ground.administrator);
    page = await ground.open({ locale: 'en-US' });
    complaints = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error' && !/status of 401/.test(message.text()))
        complaints.push(message.text());
    });
    page.on('dialog', async (dialog) => {
      complaints.push(dialog.message());
      await dialog.dismiss();
    });
    await page.goto(ground.admin);
    await page.getByLabel('User name').fill(ground.administrator.username);
    await page.getByLabel('Password').fill(ground.administrator.password);
    await page.keyboard.press('Enter');
    await page.getByRole('searchbox', { name: 'Find somebody' }).waitFor();
  });
  afterAll(() => ground.close());
  afterEach(() => {
    expect(complaints).toEqual([]);
  });

  async function managerOf({ username, password }: Login): Promise<Manager> {
    const { fetch } = nodeTransport({ ca: await readFile(ground.ca, 'utf8') });
    return createManager({ url: ground.manager, username, password, fetch });
  }

  const go = (path: string) => page.goto(new URL(path, ground.admin).href);
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const field = (name: string) => page.getByLabel(name, { exact: true });
  const dialog = () => page.getByRole('dialog');
  const said = (text: string | RegExp) => page.getByText(text).first().waitFor();

  describe('the directory', () => {
    const name = '<img src=x onerror=alert(1)>, "Zoë"';

    it('is gone through by the keyboard, and shows names as they are', async () => {
      await manager.Create_LDAP_Object({
        dn: `cn=\\<script\\>alert(1)\\</script\\>,${people}`,
        attrs: { objectClass: ['inetOrgPerson'], sn: '"><img src=x onerror=alert(2)>' },
      });
      await go('directory');
      // Where a domain begins there, it is the root of a tree, with its whole name.
      await page.getByRole('treeitem', { name: /^(?:ou=)?people(?:,|$)/ }).focus();
      await page.keyboard.press('ArrowRight');
      await page.getByRole('treeitem', { name: '<script>alert(1)</script>' }).click();
      await said('"><img src=x onerror=alert(2)>');
      expect(await findingsOf(page)).toEqual([]);
      const saving = page.waitForEvent('download');
      await button('More acts').click();
      await page.getByRole('menuitem', { name: 'Save as LDIF' }).click();
      expect(await readFile(await (await saving).path(), 'utf8')).toMatch(/^(?:version: 1\s+)?dn:/);
      await page.setViewportSize({ width: 320, height: 640 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
      await page.setViewportSize({ width: 1280, height: 800 });
    });

    it('takes a new entry by its schema, a change that is taken back, and lets it go', async () => {
      await go(`directory?dn=${encodeURIComponent(people)}`);
      await button('New entry').click();
      await field('Name').fill(name);
      await field('cn').fill('Zoë');
      await field('sn').fill('Zander');
      expect(await findingsOf(page)).toEqual([]);
      await dialog().getByRole('button', { name: 'New entry' }).click();
      await page.getByRole('heading', { name }).waitFor();
      const [zoe] = await manager.Find_Users({ text: 'Zander' });
      const dn = zoe?.dn ?? '';
      await button('Edit').click();
      await field('sn').fill('Zöllner\nZander');
      await button('Save').click();
      await said('Saved');
      expect((await manager.Get_User_Attrs({ dn })).sn).toEqual(['Zöllner', 'Zander']);
      await button('Undo').last().click();
      await said('Undone');
      expect((await manager.Get_User_Attrs({ dn })).sn).toEqual(['Zander']);
      await button('More acts').click();
      await page.getByRole('menuitem', { name: 'Remove' }).click();
      await page.getByRole('alertdialog').getByText(`The entry ${dn}`).waitFor();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
      await said(/is removed/);
      expect(await manager.Find_Users({ text: 'Zander' })).toEqual([]);
    });
  });

  describe('a role that is made here', () => {
    it('lets its members in from the next call on, and no longer when it is removed', async () => {
      const carol = await managerOf(ground.carol);
      await expect(carol.Find_Users({ text: 'bob' })).rejects.toThrow();
      await go('configuration/roles');
      await button('New role').click();
      await field('Name').fill('frontdesk');
      await field('Members').fill(ground.carol.dn);
      await field('Methods').fill('Find_Users\nGet_User_*');
      await field('Reach').fill(people);
      await field('Interfaces').fill('Manager\nPortal');
      await button('Save the role').click();
      await said(/holds from the next call on/);
      expect(await carol.Find_Users({ text: 'bob' })).toHaveLength(1);
      expect(await findingsOf(page)).toEqual([]);
      await page.getByRole('region', { name: 'frontdesk' }).getByRole('button', { name: 'Remove' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
      await said(/is removed/);
      await expect(carol.Find_Users({ text: 'bob' })).rejects.toThrow();
      await button('Undo').last().click();
      await said('Undone');
      expect(await carol.Find_Users({ text: 'bob' })).toHaveLength(1);
      await manager.Remove_Role({ name: 'frontdesk' });
    });

    it('shows that it is one of a tenant, and stays one until the mark is taken', async () => {
      const role = { name: 'branch', members: [ground.carol.dn], methods: ['Send_*'], subtrees: [people] };
      await manager.Set_Role({ ...role, tenant: true });
      await go('configuration/roles');
      const card = page.getByRole('region', { name: 'branch' });
      await card.getByText('Its members administer a tenant').waitFor();
      await card.getByRole('button', { name: 'Edit' }).click();
      const mark = page.getByRole('checkbox', { name: 'Its members administer a tenant' });
      expect(await mark.isChecked()).toBe(true);
      await field('Methods').fill('Find_Users');
      await button('Save the role').click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      const changed = { ...role, methods: ['Find_Users'], tenant: true };
      expect(await manager.List_Roles({})).toContainEqual(expect.objectContaining(changed));
      await card.getByRole('button', { name: 'Edit' }).click();
      await page.getByText('Its members administer a tenant').last().click();
      await button('Save the role').click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      const unmarked = { ...changed, tenant: false };
      expect(await manager.List_Roles({})).toContainEqual(expect.objectContaining(unmarked));
      await manager.Remove_Role({ name: 'branch' });
    });
  });

  describeOfPage('the configuration', () => {
    it('shows what happened, how it is, and who is signed in; axe finds nothing', async () => {
      await go('configuration/events');
      await field('Event').fill('Set_Role');
      await page.keyboard.press('Enter');
      await said(/Set_Role/);
      const saving = page.waitForEvent('download');
      await button('Export').click();
      await page.getByRole('menuitem', { name: 'Common Event Format' }).click();
      expect(await readFile(await (await saving).path(), 'utf8')).toMatch(/^CEF:0\|Watchword\|.*Set_Role/);
      expect(await findingsOf(page)).toEqual([]);
      await go('configuration/sessions');
      await page
        .getByRole('row', { name: new RegExp(ground.administrator.dn) })
        .getByText('this one')
        .waitFor();
      expect(await findingsOf(page)).toEqual([]);
      await go('configuration/status');
      await said('Directory (LDAP)');
      await page.getByRole('row', { name: /watchword-manager/ }).waitFor();
      expect(await findingsOf(page)).toEqual([]);
    });

    it('shows which API keys there are, and where they stand', async () => {
      await go('configuration/api-keys');
      await page
        .getByRole('row', {
          name: '7 – otp Everywhere The one that the request names – – Configuration file api_keys.7',
        })
        .waitFor();
      expect(await page.content()).not.toContain(digest);
      expect(await findingsOf(page)).toEqual([]);
    });

    it('has a certificate signed for a key that is made in the browser, and revokes it', async () => {
      await go('configuration/certificates');
      await field('Name of the client').fill('vpn');
      await page.keyboard.press('Enter');
      await button('Make the key and sign').click();
      const saving = page.waitForEvent('download');
      await button('Save the key').click();
      const key = createPrivateKey(await readFile(await (await saving).path()));
      const signing = page.waitForEvent('download');
      await button('Save the certificate').click();
      const certificate = new X509Certificate(await readFile(await (await signing).path()));
      expect(certificate.checkPrivateKey(key)).toBe(true);
      await button('Revoke').click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
      await page.getByRole('cell', { name: 'Revoked' }).waitFor();
    });
  });

  describeOfPage('the Remote Manager Interface', () => {
    it('finds a method, tries it without changing anything, and asks before it is called for real', async () => {
      await go('explorer');
      await field('Find a method').fill('certificate license');
      await said('No method has all of these words.');
      await field('Find a method').fill('set user attrs');
      await page.getByRole('link', { name: /Set_User_Attrs/ }).click();
      await button('Try without changing anything').click();
      await said('This is required.');
      await field('dn').fill(ground.bob.dn);
      await field('attrs').fill('{"description": "by the explorer"}');
      await said(/"description": "by the explorer"/);
      await button('Try without changing anything').click();
      await said('This is what would be done. Nothing was changed.');
      await page.getByText(/^Dry run/).click();
      await button('Send').click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
      expect((await manager.Get_User_Attrs({ dn: ground.bob.dn })).description).toBeUndefined();
      await button('Send').click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Send' }).click();
      await said(/^1$/);
      expect((await manager.Get_User_Attrs({ dn: ground.bob.dn })).description).toEqual(['by the explorer']);
      expect(await findingsOf(page)).toEqual([]);
    });
  });

  describe('many at once', () => {
    const lines = Array.from(
      { length: 30 },
      (_, n) => `new${n};New ${n};${n === 7 ? '' : 'Newcomer'};n${n}@example.org`,
    );
    const table = ['uid;name;surname;mail', ...lines, 'new1;Twice;Twice;t@example.org'].join('\r\n');

    it('creates who is in a table, leaves out what is wrong, and tells what failed and why', async () => {
      await manager.Create_LDAP_Object({
        dn: `uid=new3,${people}`,
        attrs: { objectClass: ['inetOrgPerson'], cn: 'There already', sn: 'Already' },
      });
      await go('many');
      await field('CSV file').setInputFiles({
        name: 'new.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(table),
      });
      await field('Container (DN)').fill(people);
      await said('2 lines are left out.');
      await said('Last name is missing');
      await said('It is there twice');
      expect(await findingsOf(page)).toEqual([]);
      // Ten lines a request: the second one is under way when it is told to pause.
      let answer = () => {};
      const result = new Promise<void>((resolve) => {
        answer = resolve;
      });
      let requests = 0;
      await page.route('**/admin/rpc', async (route) => {
        requests += 1;
        if (requests === 2) await result;
        await route.continue();
      });
      await button('Do it for 29').click();
      await said(/^10 of 29 done/);
      await button('Pause').click();
      answer();
      await said(/^20 of 29 done/);
      await button('Go on').waitFor();
      await page.unroute('**/admin/rpc');
      await page.reload();
      await said(/^20 of 29 done/);
      expect(await manager.Find_Users({ text: 'Newcomer', max: 100 })).toHaveLength(19);
      await button('Go on').click();
      await said('29 of 29 done, 1 failed');
      await said(/There is one already/);
      expect(await manager.Find_Users({ text: 'Newcomer', max: 100 })).toHaveLength(28);
      await page.reload();
      await said('29 of 29 done, 1 failed');
      const saving = page.waitForEvent('download');
      await button('Save the report').click();
      const report = await readFile(await (await saving).path(), 'utf8');
      expect(report.split('\r\n').filter((line) => line.includes('Failed'))).toEqual([
        expect.stringMatching(/^new3,Failed,"?There is one already/),
      ]);
    });

    it('adds who is pasted to a group, by the names that they log in with', async () => {
      const group = `cn=crowd,${groups}`;
      const member = alice;
      await manager.Create_LDAP_Object({ dn: group, attrs: { objectClass: ['groupOfNames'], member } });
      await go('many');
      await button('Something else').click();
      await page.getByRole('button', { name: /Act$/ }).click();
      await page.getByRole('option', { name: 'Add to a group' }).click();
      await field('Group (DN)').fill(group);
      await field('Or paste names').fill('bob\nnobody-at-all\n');
      await button('Do it for 2').click();
      await said('2 of 2 done, 1 failed');
      await said('Nobody logs in by this name.');
      expect((await manager.Get_User_Attrs({ dn: group })).member).toEqual([member, ground.bob.dn]);
    });

    it('acts on who is found by a name, a container, a group and a filter, without who is unticked', async () => {
      const group = `cn=found,${groups}`;
      await manager.Create_LDAP_Object({
        dn: group,
        attrs: { objectClass: ['groupOfNames'], member: [alice, ground.bob.dn, ground.carol.dn] },
      });
      const search = async (terms: Readonly<Record<string, string>>) => {
        for (const [name, value] of Object.entries(terms)) await dialog().getByLabel(name).fill(value);
        await page.keyboard.press('Enter');
      };
      await button('Something else').click();
      await page.getByRole('button', { name: /Act$/ }).click();
      await page.getByRole('option', { name: 'Deactivate', exact: true }).click();
      await button('Find people').click();
      await search({ 'A part of a name': 'ali' });
      await said('1 person found, 1 chosen');
      await search({ 'A part of a name': '', 'Members of the group': group, 'In the container': people });
      await said('3 people found, 3 chosen');
      expect(await findingsOf(page)).toEqual([]);
      await search({ 'LDAP filter': '(!(uid=carol))' });
      await said('2 people found, 2 chosen');
      await dialog().getByRole('row', { name: /alice/ }).getByRole('checkbox').press('Space');
      await button('Take 1').click();
      await expect.poll(() => field('Or paste names').inputValue()).toBe(ground.bob.dn);
      await button('Do it for 1').click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Deactivate' }).click();
      await said('1 of 1 done, 0 failed');
      expect(await manager.Check_User_Active({ dn: ground.bob.dn })).toBe(false);
      expect(await manager.Check_User_Active({ dn: alice })).toBe(true);
    });
  });
});
