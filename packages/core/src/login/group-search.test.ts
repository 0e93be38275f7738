/** A login looks for the groups of a user only where something may come of it. Over a real slapd. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { webRequest } from '../testing/bed/children/echo.ts';
import { openStage, type Stage } from '../testing/bed/stage.ts';

const password = 'Pa55-of-them';

let stage: Stage;
let container: string;
let dn: string;
beforeAll(async () => {
  stage = await openStage('OpenLDAP');
  container = await stage.container();
  dn = await stage.person(container, 'grace', {
    userpassword: password,
    webadmsettings: ['Otp.LoginMode=LDAP'],
  });
});
afterAll(() => stage.close());

beforeEach(() => stage.fixture.clock.advance(120_000));
const made: string[] = [];
afterEach(async () => {
  for (const group of made.splice(0)) await stage.manager.Remove_LDAP_Object({ dn: group });
});

const closing = { webadmsettings: ['Otp.EnableLogin=No'] };

/** Of a kind that this slapd tells of on no entry. */
async function group(more = {}, manager = stage.manager): Promise<string> {
  const name = `cn=those,${container}`;
  const attrs = {
    objectclass: ['posixGroup', 'webadmGroup'],
    gidnumber: '5000',
    memberuid: 'grace',
    ...more,
  };
  await manager.Create_LDAP_Object({ dn: name, attrs });
  made.push(name);
  return name;
}

/** What is answered, and what the directory was asked for it. */
async function logIn(fixture = stage.fixture) {
  fixture.directory.takeAsked();
  const body = JSON.stringify({ username: 'grace', ldapPassword: password });
  const response = await fixture.service.web.answer(webRequest('/otp/json/otpNormalLogin/', { body }));
  const asked = fixture.directory.takeAsked().filter((name) => name !== 'capabilities');
  return { code: JSON.parse(String(response.body)).code, asked };
}

const flat = ['search', 'authenticate'].sort();
const sorted = (names: readonly string[]) => names.map((name) => name.replace('service.', '')).sort();

it('asks twice, for the user and its password, where no group carries settings', async () => {
  await group();
  expect((await logIn()).code).toBe(1);
  const { code, asked } = await logIn();
  expect(code).toBe(1);
  expect(sorted(asked)).toEqual(flat);
});

it('looks again after a second, once for all', async () => {
  await logIn();
  stage.fixture.clock.advance(1_000);
  expect(sorted((await logIn()).asked)).toEqual([...flat, 'search'].sort());
  expect(sorted((await logIn()).asked)).toEqual(flat);
});

it('goes by what the Manager of this node writes to a group at once', async () => {
  expect((await logIn()).code).toBe(1);
  const those = await group(closing);
  expect((await logIn()).code).toBe(0);
  await stage.manager.Set_User_Settings({ dn: those, settings: { 'Otp.EnableLogin': null } });
  expect((await logIn()).code).toBe(1);
  await stage.manager.Set_User_Settings({ dn: those, settings: { 'Otp.EnableLogin': false } });
  expect((await logIn()).code).toBe(0);
});

it('goes by what another node or a tool writes to a group within a second', async () => {
  const elsewhere = await stage.enter({});
  expect((await logIn()).code).toBe(1);
  await group(closing, elsewhere);
  expect((await logIn()).code).toBe(1);
  stage.fixture.clock.advance(1_000);
  expect((await logIn()).code).toBe(0);
});

it('goes by what another node changes of a group that carries settings within a second', async () => {
  const those = await group({ webadmsettings: ['Otp.MaxTries=7'] });
  expect((await logIn()).code).toBe(1);
  const elsewhere = await stage.enter({});
  await elsewhere.Set_User_Settings({ dn: those, settings: { 'Otp.EnableLogin': false } });
  expect((await logIn()).code).toBe(1);
  stage.fixture.clock.advance(1_000);
  expect((await logIn()).code).toBe(0);
});

it('goes by what this node changes of a group that carries settings at once', async () => {
  const those = await group({ webadmsettings: ['Otp.MaxTries=7'] });
  expect((await logIn()).code).toBe(1);
  await stage.manager.Set_User_Settings({ dn: those, settings: { 'Otp.EnableLogin': false } });
  expect((await logIn()).code).toBe(0);
});

it('goes by a removal of a group at once', async () => {
  const those = await group(closing);
  expect((await logIn()).code).toBe(0);
  await stage.manager.Remove_LDAP_Object({ dn: those });
  made.splice(made.indexOf(those), 1);
  expect((await logIn()).code).toBe(1);
});

it('looks where the policy of the client asks for groups', async () => {
  const those = await group();
  const node = await stage.fixture.another({
    config: { clients: { '192.0.2.1': { excluded_groups: [those], addresses: ['0.0.0.0/0', '::/0'] } } },
    ports: () => ({ directory: stage.ports.directory }),
  });
  expect((await logIn()).code).toBe(1);
  expect((await logIn(node)).code).toBe(0);
});

it('reads the groups that the entry itself names, of whatever class they are', async () => {
  const role = `cn=role,${container}`;
  const attrs = { objectclass: ['organizationalRole', 'webadmGroup'], ...closing };
  await stage.manager.Create_LDAP_Object({ dn: role, attrs });
  made.push(role);
  await stage.manager.Set_User_Attrs({ dn, attrs: { seealso: role } });
  const node = await stage.fixture.another({
    config: { schema: { member_of_attributes: ['seeAlso'] } },
    ports: () => ({ directory: stage.ports.directory }),
  });
  expect((await logIn()).code).toBe(1);
  expect((await logIn(node)).code).toBe(0);
});
