/**
 * The buttons of each role: on a person's page, in the directory, in the configuration and for many there stand exactly those whose
 * calls the server lets through; and what is pressed is done. What is expected is written by hand, from what the roles say; that the server's
 * word for it (`What_May_I`) is what comes of calls, the matrix of the core shows.
 */
import { readFile } from 'node:fs/promises';
import { createManager, type Manager } from '@watchword/client';
import { nodeTransport } from '@watchword/client/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from '../../core/src/testing/bed/engines/browser.ts';
import { type Ground, openGround } from './ground.ts';

const people = 'ou=people,dc=example,dc=org';
const branch = `ou=branch,${people}`;
const zoe = `uid=zoe,${branch}`;
/** Of this one an option set lets only names and the mail address be written, by whomever. */
const yan = `uid=yan,${branch}`;
const password = 'Pa55-w0rd of a desk';

const optionSet = {
  WATCHWORD_OPTION_SETS__CALM__SUBTREE: yan,
  WATCHWORD_OPTION_SETS__CALM__RESTRICTS: '"entries"',
  WATCHWORD_OPTION_SETS__CALM__WRITE: '"mail", "uid", "cn", "sn"',
};

interface RoleOfTest {
  readonly methods: string[];
  readonly subtrees: string[];
  readonly write?: string[];
  readonly create?: string[];
  /** By DN, the buttons on the page of a person. */
  readonly person: Readonly<Record<string, readonly string[]>>;
  /** Of zoe, in the directory; undefined: there is no such page. */
  readonly directory?: readonly string[];
  /** Of the container that she stands in. */
  readonly container?: readonly string[];
  readonly sections: readonly string[];
  readonly many: readonly string[];
}

const reading = ['Get_*', 'List_*', 'Explain_*', 'Export_*', 'Search_*', 'Server_Status', 'Find_Users'];
const looking = ['Otp.User_*', 'Otp.List_State', 'Otp.Block_Check', 'Check_User_Active', 'Sso.User_Sessions'];
const tokens = [
  'Acts for Token 1',
  'Disable',
  'Enrol token',
  'Give emergency code',
  'Lost phone',
  'Make a list',
];
const all = [...tokens, 'Change', 'More acts', 'Set password', 'Unblock'].sort();
const manyOfAll = [
  ...['Create', 'Activate', 'Deactivate', 'Set password', 'Add to a group', 'Emergency code', 'Unblock'],
];

const roles: Readonly<Record<string, RoleOfTest>> = {
  reset: {
    methods: ['Find_Users', 'Get_User_Attrs', 'Otp.User_Tokens', 'Otp.Block_Reset'],
    subtrees: [people],
    person: { [zoe]: ['Unblock'], [yan]: ['Unblock'] },
    sections: ['Sessions'],
    many: ['Unblock'],
  },
  auditor: {
    methods: [
      ...reading.filter((name) => name !== 'Get_*'),
      'Get_User_A*',
      'Get_Config*',
      'Get_L*',
      ...looking,
    ],
    subtrees: [people],
    person: { [zoe]: [], [yan]: [] },
    directory: ['More acts: Save as LDIF'],
    container: ['More acts: Save as LDIF'],
    sections: [
      'Status',
      'Event log',
      'Clients',
      'Domains',
      'Services',
      'Certificates',
      'Licence',
      'Sessions',
    ],
    many: [],
  },
  enroller: {
    methods: [...reading, ...looking, 'Otp.*'],
    subtrees: [people],
    write: ['webadmData'],
    person: {
      [zoe]: [...tokens, 'More acts', 'Unblock'].sort(),
      [yan]: ['More acts'],
      [`uid=admin,${people}`]: [],
    },
    directory: ['More acts: Save as LDIF'],
    container: ['More acts: Save as LDIF'],
    sections: [
      'Status',
      'Event log',
      'Clients',
      'Domains',
      'Services',
      'Certificates',
      'Licence',
      'Sessions',
    ],
    many: ['Emergency code', 'Unblock'],
  },
  branch: {
    methods: ['*'],
    subtrees: [branch],
    write: ['*', 'userPassword'],
    create: ['*'],
    person: { [zoe]: all, [yan]: ['More acts'], [`uid=alice,${people}`]: [] },
    directory: ['Edit', 'More acts: Save as LDIF, Rename, Move, Remove', 'New entry'],
    container: ['Edit', 'More acts: Save as LDIF, Remove', 'New entry'],
    sections: [
      'Status',
      'Event log',
      'Clients',
      'Domains',
      'Services',
      'Certificates',
      'Licence',
      'Sessions',
    ],
    many: manyOfAll,
  },
};

let ground: Ground;
let manager: Manager;
beforeAll(async () => {
  ground = await openGround(optionSet);
  manager = await managerOf(ground.administrator);
  await manager.Create_LDAP_Object({ dn: branch, attrs: { objectClass: ['organizationalUnit'] } });
  for (const dn of [zoe, yan]) await makePerson(dn, ['inetOrgPerson', 'webadmAccount']);
  await manager.Set_User_Password({ dn: zoe, password });
  await manager.Otp.HOTP_Register({ dn: zoe, key: Buffer.from('12345678901234567890').toString('base64') });
  for (const [name, role] of Object.entries(roles)) {
    const { methods, subtrees, write = [], create = [] } = role;
    await makePerson(`uid=${name},${people}`, ['inetOrgPerson']);
    await manager.Set_User_Password({ dn: `uid=${name},${people}`, password });
    await manager.Set_Role({
      ...{ name, methods, subtrees, write, create, members: [`uid=${name},${people}`], read: ['*'] },
      interfaces: ['Portal'],
    });
  }
});
afterAll(() => ground.close());

async function managerOf(login: { readonly username: string; readonly password: string }): Promise<Manager> {
  const { fetch } = nodeTransport({ ca: await readFile(ground.ca, 'utf8') });
  return createManager({ url: ground.manager, ...login, fetch });
}

async function makePerson(dn: string, objectClass: string[]): Promise<void> {
  const [, name = ''] = /^uid=(\w+)/.exec(dn) ?? [];
  await manager.Create_LDAP_Object({ dn, attrs: { objectClass, cn: name, sn: name } });
}

async function signIn(username: string, secret: string): Promise<Page> {
  const page = await ground.open({ locale: 'en-US' });
  await page.goto(ground.admin);
  await page.getByLabel('User name').fill(username);
  await page.getByLabel('Password').fill(secret);
  await page.keyboard.press('Enter');
  await page.getByRole('searchbox', { name: 'Find somebody' }).waitFor();
  return page;
}

/** They change nothing, and are for everybody. */
const harmless = /^(?:Copy|Clear|All attributes|Look again|Search|Filter)/;

/** Nothing is on its way to the server, and nothing that came from there is still to be shown. */
async function settle(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.locator('.skeleton').first().waitFor({ state: 'detached' });
}

/** The names of the buttons; those of settings are one. */
async function buttonsOf(page: Page): Promise<readonly string[]> {
  await settle(page);
  const names = await page
    .locator('#main')
    .getByRole('button')
    .evaluateAll((found) =>
      found.map((one) => one.getAttribute('aria-label') ?? one.textContent?.trim() ?? ''),
    );
  const plain = names
    .filter((name) => !harmless.test(name))
    .map((name) => name.replace(/^Change .+/, 'Change'));
  return [...new Set(plain)].sort();
}

const entry = (page: Page) => page.locator('.beside-main');

/** With what stands in its menu. */
async function directoryButtons(page: Page, dn: string): Promise<readonly string[]> {
  await page.goto(`${ground.admin}directory?dn=${encodeURIComponent(dn)}`);
  await settle(page);
  const names = await entry(page).getByRole('button').allTextContents();
  const menu = entry(page).getByRole('button', { name: 'More acts' });
  const buttons = names.filter((name) => /^(?:Edit|New entry)$/.test(name));
  if ((await menu.count()) === 0) return buttons.sort();
  await menu.click();
  const acts = await page.getByRole('menuitem').allTextContents();
  await page.keyboard.press('Escape');
  return [...buttons, `More acts: ${acts.join(', ')}`].sort();
}

const hasPage = async (page: Page, name: string): Promise<boolean> =>
  (await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true }).count()) >
  0;

describe.each(Object.entries(roles))('%s', (name, role) => {
  it('sees exactly the buttons that its role lets it press', async () => {
    for (const dn of [zoe, yan]) await manager.Otp.Block_Reset({ dn });
    await manager.Otp.Block_Start({ dn: zoe });
    const page = await signIn(name, password);
    for (const [dn, buttons] of Object.entries(role.person)) {
      await page.goto(`${ground.admin}people?dn=${encodeURIComponent(dn)}`);
      await page.locator('.person-head').waitFor();
      expect([dn, await buttonsOf(page)]).toEqual([dn, buttons]);
    }
    expect(await hasPage(page, 'Directory')).toBe(role.directory !== undefined);
    if (role.directory) {
      expect(await directoryButtons(page, zoe)).toEqual(role.directory);
      expect(await directoryButtons(page, branch)).toEqual(role.container);
    }
    await page.goto(`${ground.admin}configuration`);
    const sections = page.getByRole('navigation', { name: 'Configuration' }).getByRole('link');
    await sections.first().waitFor();
    expect(await sections.allTextContents()).toEqual(role.sections);
    expect(await hasPage(page, 'Many at once')).toBe(role.many.length > 0);
    if (role.many.length > 0) {
      await page.goto(`${ground.admin}many`);
      await page.getByRole('button', { name: /Act$/ }).click();
      expect(await page.getByRole('option').allTextContents()).toEqual(role.many);
    }
    await page.context().close();
  });
});

it('what a role sees, it may press: a reset, an enrolment, a password', async () => {
  const open = async (role: string) => {
    const page = await signIn(role, password);
    await page.goto(`${ground.admin}people?dn=${encodeURIComponent(zoe)}`);
    return page;
  };
  await manager.Otp.Block_Start({ dn: zoe });
  const desk = await open('reset');
  await desk.getByRole('button', { name: 'Unblock' }).click();
  await desk.getByText('Unblocked').waitFor();
  expect(await manager.Otp.Block_Check({ dn: zoe })).toMatchObject({ blocked: false });
  await desk.context().close();
  const enroller = await open('enroller');
  await enroller.getByRole('button', { name: 'Disable' }).click();
  await enroller.getByText('Token 1 is disabled').waitFor();
  await enroller.getByRole('button', { name: 'Undo' }).click();
  await enroller.getByText('Undone').waitFor();
  expect(await manager.Otp.User_Tokens({ dn: zoe })).toMatchObject([{ enabled: true }]);
  await enroller.context().close();
  const head = await open('branch');
  await head.getByRole('button', { name: 'Set password' }).click();
  await head.getByLabel('New password').fill('An0ther-pass of zoe');
  await head.getByRole('dialog').getByRole('button', { name: 'Set password' }).click();
  await head.getByText(/The password is set/).waitFor();
  expect(await manager.Check_User_Password({ dn: zoe, password: 'An0ther-pass of zoe' })).toBe(true);
  await head.context().close();
});
