/** Parameters: what is forgiven, and the exact words for what is not, in both dialects. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fixture, openFixture } from '../../testing/bed/fixture.ts';

let standard: Fixture;
let deployed: Fixture;
beforeAll(async () => {
  standard = await openFixture();
  deployed = await standard.another({ config: { dialect: 'deployed' } });
});
afterAll(async () => {
  await deployed.close();
  await standard.close();
});

const alice = 'uid=alice,ou=people,dc=example,dc=org';
const missing = 'uid=missing,ou=people,dc=example,dc=org';

describe('leniency', () => {
  const set = (attrs: unknown) => standard.call('Set_User_Attrs', { dn: alice, attrs });
  const get = async (attrs: unknown) => (await standard.call('Get_User_Attrs', { dn: alice, attrs })).result;

  it.each([
    ['a text', 'one', ['one']],
    ['a number', 42, ['42']],
    ['a list', ['one', 'two'], ['one', 'two']],
    ['a list with a number', ['one', 2], ['one', '2']],
    ['an object keyed by index', { 0: 'one', 1: 'two' }, ['one', 'two']],
    ['an object keyed by index, in another order', { 1: 'two', 0: 'one' }, ['one', 'two']],
  ])('takes %s for the values of an attribute', async (_, values, expected) => {
    expect(await set({ Description: values })).toMatchObject({ result: 1 });
    expect(await get(['description'])).toEqual({ description: expected });
  });

  it('takes a value of more than 64 KiB', async () => {
    const photo = Buffer.alloc(100_000, 1).toString('base64');
    expect(await set({ jpegphoto: photo })).toMatchObject({ result: 1 });
    expect(await get(['jpegphoto'])).toEqual({ jpegphoto: [photo] });
    await set({ jpegphoto: [] });
  });

  it.each([
    ['a list', ['mail']],
    ['an object keyed by index', { 0: 'mail' }],
    ['another case', ['MAIL']],
  ])('takes %s for a list of names', async (_, attrs) => {
    expect(await get(attrs)).toEqual({ mail: ['alice@example.org'] });
  });

  it.each([true, 1, '1', 'true', 'True', 'TRUE'])('takes %j for true', async (servers) => {
    expect((await standard.call('Server_Status', { servers })).result).toHaveProperty('servers');
  });

  it.each([false, 0, '0', 'false', 'False', 'FALSE', '', null])('takes %j for false', async (servers) => {
    expect((await standard.call('Server_Status', { servers })).result).not.toHaveProperty('servers');
  });

  it.each([20, 20.0, '20', '020'])('takes %j for the integer 20', async (length) => {
    const { result } = await standard.call('Get_Random_Bytes', { length });
    expect(Buffer.from(String(result), 'base64')).toHaveLength(20);
  });

  it.each([
    ['no padding', 'c2VjcmV0IQ'],
    ['white space', ' c2Vj\r\ncmV0 IQ== '],
    ['the alphabet for URLs', Buffer.from('secret!').toString('base64url')],
  ])('takes base64 with %s', async (_, value) => {
    const { dn } = standard.users.bob;
    await standard.call('Activate_LDAP_Object', { dn });
    const set = await standard.call('Set_User_Data', { dn, data: { 'Otp.TokenKey': value } });
    expect(set).toMatchObject({ result: 1 });
    const data = await standard.call('Get_User_Data', { dn, data: ['Otp.TokenKey'] });
    expect(data.result).toEqual({ 'Otp.TokenKey': Buffer.from('secret!').toString('base64') });
  });

  it('takes no half of a byte for base64', async () => {
    const data = { 'Otp.TokenKey': 'c2VjcmV0I' };
    const { error } = await standard.call('Set_User_Data', { dn: standard.users.bob.dn, data });
    expect(error).toMatchObject({ reason: 'invalid_params', data: expect.stringMatching(/ not Base64$/) });
  });
});

/** method, params, reason, code in the standard dialect, code in the deployed one, text */
const refusals = [
  ['Get_User_DN', {}, 'invalid_params', -32602, -32602, 'Missing parameter username'],
  ['Get_User_DN', { username: 'x' }, 'invalid_params', -32602, -32602, 'Missing parameter domain'],
  [
    'Get_User_DN',
    { username: null, domain: 'Default' },
    'invalid_params',
    -32602,
    -32602,
    'Missing parameter username',
  ],
  [
    'Get_User_DN',
    { username: {}, domain: 1 },
    'invalid_params',
    -32602,
    -32602,
    'Parameter username not String',
  ],
  ['Get_User_Attrs', { dn: 7 }, 'invalid_params', -32602, -32602, 'Parameter dn not String'],
  ['Get_User_Attrs', { dn: ['x'] }, 'invalid_params', -32602, -32602, 'Parameter dn not String'],
  [
    'Get_User_Attrs',
    { dn: alice, attrs: 'mail' },
    'invalid_params',
    -32602,
    -32602,
    'Parameter attrs not Array',
  ],
  [
    'Get_User_Attrs',
    { dn: alice, attrs: { a: 'mail' } },
    'invalid_params',
    -32602,
    -32602,
    'Parameter attrs not Array',
  ],
  [
    'Set_User_Attrs',
    { dn: alice, attrs: { mail: true } },
    'invalid_params',
    -32602,
    -32602,
    'Parameter attrs not Array',
  ],
  [
    'Set_User_Attrs',
    { dn: alice, attrs: 'x' },
    'invalid_params',
    -32602,
    -32602,
    'Parameter attrs not Array',
  ],
  [
    'Set_User_Attrs',
    { dn: alice, attrs: {}, values: 2 },
    'invalid_params',
    -32602,
    -32602,
    'Parameter values not Boolean',
  ],
  ['Server_Status', { servers: 'maybe' }, 'invalid_params', -32602, -32602, 'Parameter servers not Boolean'],
  ['Get_Random_Bytes', { length: -1 }, 'invalid_params', -32602, -32602, 'Parameter length not Integer'],
  ['Get_Random_Bytes', { length: 1.5 }, 'invalid_params', -32602, -32602, 'Parameter length not Integer'],
  ['Get_Random_Bytes', { length: '12x' }, 'invalid_params', -32602, -32602, 'Parameter length not Integer'],
  [
    'Get_Random_Bytes',
    { length: 0 },
    'invalid_params',
    -32602,
    -32602,
    'Parameter length is not from 1 to 10000',
  ],
  [
    'Get_Random_Bytes',
    { length: 10_001 },
    'invalid_params',
    -32602,
    -32602,
    'Parameter length is not from 1 to 10000',
  ],
  [
    'Set_User_Password',
    { dn: alice, password: 1 },
    'invalid_params',
    -32602,
    -32602,
    'Parameter password not String',
  ],
  // All types before any syntax, the syntax of a DN before its existence.
  [
    'Set_User_Attrs',
    { dn: 'no DN', attrs: 7 },
    'invalid_params',
    -32602,
    -32602,
    'Parameter attrs not Array',
  ],
  ['Set_User_Attrs', { dn: 7, attrs: 7 }, 'invalid_params', -32602, -32602, 'Parameter dn not String'],
  ['Set_User_Attrs', { dn: 'no DN' }, 'invalid_params', -32602, -32602, 'Missing parameter attrs'],
  [
    'Get_User_Attrs',
    { dn: 'no DN' },
    'invalid_dn',
    -32602,
    -32603,
    "Could not read LDAP object 'no DN' (invalid DN)",
  ],
  ['Get_User_Attrs', { dn: '' }, 'invalid_dn', -32602, -32603, "Could not read LDAP object '' (invalid DN)"],
  [
    'Search_LDAP_Objects',
    { basedn: 'no DN', filter: '((' },
    'invalid_dn',
    -32602,
    -32603,
    "Could not read LDAP object 'no DN' (invalid DN)",
  ],
  [
    'Move_LDAP_Object',
    { dn: missing, container: 'no DN' },
    'invalid_dn',
    -32602,
    -32603,
    "Could not read LDAP object 'no DN' (invalid DN)",
  ],
  ['Get_User_Attrs', { dn: missing }, 'not_found', -32004, -32603, `LDAP object '${missing}' does not exist`],
  [
    'Set_User_Attrs',
    { dn: missing, attrs: { nosuchattribute: 'x' } },
    'not_found',
    -32004,
    -32603,
    `LDAP object '${missing}' does not exist`,
  ],
  [
    'Remove_LDAP_Object',
    { dn: missing },
    'not_found',
    -32004,
    -32603,
    `LDAP object '${missing}' does not exist`,
  ],
  [
    'Set_User_Password',
    { dn: missing, password: '' },
    'not_found',
    -32004,
    -32603,
    `LDAP object '${missing}' does not exist`,
  ],
  [
    'Check_User_Password',
    { dn: missing, password: 'x' },
    'not_found',
    -32004,
    -32603,
    `LDAP object '${missing}' does not exist`,
  ],
  [
    'Search_LDAP_Objects',
    { basedn: missing },
    'not_found',
    -32004,
    -32603,
    `LDAP container '${missing}' does not exist`,
  ],
  [
    'Create_LDAP_Object',
    { dn: `uid=x,${missing}`, attrs: { objectclass: 'inetOrgPerson', cn: 'x', sn: 'x' } },
    'not_found',
    -32004,
    -32603,
    `Could not create LDAP object 'uid=x,${missing}' (No such object)`,
  ],
  [
    'Create_LDAP_Object',
    { dn: alice, attrs: { objectclass: 'inetOrgPerson', cn: 'x', sn: 'x' } },
    'already_exists',
    -32009,
    -32603,
    `LDAP object '${alice}' already exist`,
  ],
  [
    'Get_User_DN',
    { username: 'nobody', domain: 'default' },
    'not_found',
    -32004,
    -32603,
    'User not found default\\nobody',
  ],
  [
    'Get_User_DN',
    { username: 'alice', domain: 'Elsewhere' },
    'not_found',
    -32004,
    -32603,
    "Domain 'Elsewhere' not existing",
  ],
] as const;

describe('what is refused', () => {
  it.each(refusals)('%s %j: %s', async (method, params, reason, code, deployedCode, data) => {
    expect((await standard.call(method, params)).error).toMatchObject({ code, reason, data });
    expect((await deployed.call(method, params)).error).toMatchObject({ code: deployedCode, reason, data });
  });

  it.each([
    ['Set_User_Attrs', { dn: alice, attrs: { nosuchattribute: 'x' } }],
    ['Remove_LDAP_Object', { dn: 'ou=people,dc=example,dc=org' }],
  ])('%s %j: in the words of the directory', async (method, params) => {
    const data = expect.stringMatching(new RegExp(`^Could not \\w+ LDAP object '${params.dn}' \\(.+\\)$`));
    expect((await standard.call(method, params)).error).toMatchObject({ code: -32022, data });
    expect((await deployed.call(method, params)).error).toMatchObject({ code: -32603, data });
  });

  it('refuses a parameter that there is not, or ignores it as servers in the field do', async () => {
    const params = { username: 'alice', domain: 'Default', colour: 'blue' };
    expect((await standard.call('Get_User_DN', params)).error).toMatchObject({
      code: -32602,
      reason: 'invalid_params',
      data: 'Unknown parameter colour',
    });
    expect(await deployed.call('Get_User_DN', params)).toMatchObject({ result: alice });
    const positional = ['alice', 'Default', 'blue'];
    expect((await standard.call('Get_User_DN', positional)).error).toMatchObject({ code: -32602 });
    expect(await deployed.call('Get_User_DN', positional)).toMatchObject({ result: alice });
  });

  it('are read by position as param0, param1 …, where each is named so', async () => {
    const numbered = { param1: 'Default', param0: 'alice' };
    for (const node of [standard, deployed])
      expect(await node.call('Get_User_DN', numbered)).toMatchObject({ result: alice });
    for (const [params, data] of [
      [{ ...numbered, param2: 'blue' }, 'Unknown parameter number 3'],
      [{ param0: 'alice', domain: 'Default' }, 'Missing parameter username'],
      [{ ...numbered, PARAM0: 'bob' }, 'Missing parameter username'],
    ] as const)
      expect((await standard.call('Get_User_DN', params)).error).toMatchObject({ code: -32602, data });
    expect(await standard.call('Get_User_DN', Array(1000).fill('x'))).toMatchObject({
      error: { data: 'Unknown parameter number 3' },
    });
  });

  it.each(['constructor', 'hasOwnProperty'])('refuses an attribute %s', async (attribute) => {
    const { error } = await standard.call('Set_User_Attrs', { dn: alice, attrs: { [attribute]: ['x'] } });
    expect(error).toMatchObject({ reason: 'schema_refused' });
  });

  it.each(['{"__proto__": "x", "description": "clean"}', '{"description": {"__proto__": "x"}}'])(
    'refuses the name __proto__, which objects do not keep: %s',
    async (json) => {
      const attrs: unknown = JSON.parse(json);
      for (const method of ['Set_User_Attrs', 'Remove_User_Attrs', 'Create_LDAP_Object'])
        expect((await standard.call(method, { dn: alice, attrs })).error).toMatchObject({
          code: -32602,
          data: 'Parameter attrs has __proto__ in it, which names nothing',
        });
      expect(({} as Record<string, unknown>)[0]).toBeUndefined();
    },
  );

  it.each([
    ['Get_User_Attrs', 'attrs'],
    ['Remove_User_Attrs', 'attrs'],
    ['Get_User_Settings', 'settings'],
    ['Get_User_Data', 'data'],
  ])('refuses more than 1000 names in a list: %s', async (method, name) => {
    const names = Array.from({ length: 1001 }, (_, n) => `a${n}`);
    const data = `Parameter ${name} has more than 1000 names`;
    for (const many of [names, { ...names }])
      expect((await standard.call(method, { dn: alice, [name]: many })).error).toMatchObject({ data });
    const { error } = await standard.call(method, { dn: alice, [name]: names.slice(1) });
    expect(error?.data).not.toBe(data);
  });

  it.each(['9007199254740992', '-9007199254740993', '12345678901234567890', '1e-7', '1e22', '-0'])(
    'refuses the number %s as a value, which is not kept as it is written',
    async (number) => {
      const flaw = 'has a number that is not kept as it is written; write it in quotes';
      const call = async (method: string, params: string) => {
        const body = `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`;
        return (await standard.answer({ body })).body;
      };
      const dn = `"dn": "${alice}"`;
      for (const value of [number, `[1, ${number}]`, `{"0": ${number}}`])
        expect(await call('Set_User_Attrs', `{${dn}, "attrs": {"employeenumber": ${value}}}`)).toMatchObject({
          error: { code: -32602, data: `Parameter attrs ${flaw}` },
        });
      expect(
        await call('Set_User_Settings', `{${dn}, "settings": {"Otp.ReplyData": ${number}}}`),
      ).toMatchObject({ error: { code: -32602, data: `Parameter settings ${flaw}` } });
      expect(await call('Rename_LDAP_Object', `{${dn}, "name": ${number}}`)).toMatchObject({
        error: { code: -32602, data: `Parameter name ${flaw}` },
      });
    },
  );

  it.each([1.5, 2 ** 53 - 1, -1001, '12345678901234567890'])('keeps %j as it is written', async (value) => {
    await standard.call('Set_User_Attrs', { dn: alice, attrs: { employeenumber: value } });
    const { result } = await standard.call('Get_User_Attrs', { dn: alice, attrs: ['employeenumber'] });
    expect(result).toEqual({ employeenumber: [String(value)] });
  });
});

describe('success and emptiness', () => {
  const params = { dn: alice, attrs: { description: 'x' } };

  it('are 1 and {} by the standard', async () => {
    expect((await standard.call('Set_User_Attrs', params)).result).toBe(1);
    expect((await standard.call('Get_User_Attrs', { dn: alice, attrs: ['pager'] })).result).toEqual({});
    expect((await standard.call('Get_Config_Objects', { type: 'clients', settings: true })).result).toEqual(
      {},
    );
  });

  it('are true and [] in the field', async () => {
    expect((await deployed.call('Set_User_Attrs', params)).result).toBe(true);
    expect((await deployed.call('Get_User_Attrs', { dn: alice, attrs: ['pager'] })).result).toEqual([]);
    const found = await deployed.call('Search_LDAP_Objects', { basedn: alice, attrs: ['pager'] });
    expect(found.result).toEqual({ [alice]: [] });
    expect((await deployed.call('Set_User_Attrs', { dn: alice, attrs: [] })).result).toBe(true);
  });

  it('are false where nothing is to be done', async () => {
    for (const fixture of [standard, deployed]) {
      const made = await fixture.call('Create_LDAP_Object', { dn: missing, attrs: [] });
      expect(made).toEqual({ jsonrpc: '2.0', id: 1, result: false });
      expect((await fixture.call('Clear_Caches', { type: 'unheard-of' })).result).toBe(false);
    }
  });
});
