/** JSON-RPC 2.0 as a caller sees it: the examples of its section 7 first, with methods of ours, then the rest. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fixture, openFixture } from '../../testing/bed/fixture.ts';
import type { Failure } from './envelope.ts';
import type { ManagerResponse } from './exchange.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture({ config: { limits: { batch_calls: 10, depth: 8 } } });
});
afterAll(() => fixture.close());

/** Returns the answer to a body. */
async function bodyOf(body: unknown): Promise<ManagerResponse['body']> {
  return (await fixture.answer({ body })).body;
}

const findAlice = { method: 'Get_User_DN', params: { username: 'alice', domain: 'Default' } };
const alice = 'uid=alice,ou=people,dc=example,dc=org';
const call = (id: unknown, what: object = findAlice) => ({ jsonrpc: '2.0', ...what, id });

const failed = (code: number, reason: string, id: unknown = null) => ({
  jsonrpc: '2.0',
  error: expect.objectContaining({ code, reason }),
  id,
});
const parseError = failed(-32700, 'parse_error');
const invalidRequest = failed(-32600, 'invalid_request');

describe('JSON-RPC 2.0 §7', () => {
  it('answers a call with positional parameters', async () => {
    expect(
      await bodyOf('{"jsonrpc": "2.0", "method": "Get_User_DN", "params": ["alice", "Default"], "id": 1}'),
    ).toEqual({ jsonrpc: '2.0', result: alice, id: 1 });
    expect(
      await bodyOf('{"jsonrpc": "2.0", "method": "Get_User_DN", "params": ["Default", "alice"], "id": 2}'),
    ).toEqual(failed(-32004, 'not_found', 2));
  });

  it('answers a call with named parameters, in any order', async () => {
    for (const params of [
      '{"username": "alice", "domain": "Default"}',
      '{"domain": "Default", "username": "alice"}',
    ]) {
      const body = `{"jsonrpc": "2.0", "method": "Get_User_DN", "params": ${params}, "id": 3}`;
      expect(await bodyOf(body)).toEqual({ jsonrpc: '2.0', result: alice, id: 3 });
    }
  });

  it('executes a notification and answers nothing', async () => {
    const update = { method: 'Set_User_Attrs', params: [alice, { description: 'notified' }] };
    expect(await fixture.answer({ body: { jsonrpc: '2.0', ...update } })).toMatchObject({
      status: 204,
      body: undefined,
    });
    const read = await fixture.call('Get_User_Attrs', { dn: alice, attrs: ['description'] });
    expect(read.result).toEqual({ description: ['notified'] });
    expect(await fixture.answer({ body: '{"jsonrpc": "2.0", "method": "foobar"}' })).toMatchObject({
      status: 204,
      body: undefined,
    });
  });

  it('refuses an unknown method', async () => {
    expect(await bodyOf('{"jsonrpc": "2.0", "method": "foobar", "id": "1"}')).toEqual({
      jsonrpc: '2.0',
      error: {
        code: -32601,
        message: 'Method not found',
        data: "There is no method 'foobar'",
        reason: 'method_not_found',
      },
      id: '1',
    });
  });

  it('refuses malformed JSON', async () => {
    const broken = '{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]';
    expect(await bodyOf(broken)).toEqual({
      jsonrpc: '2.0',
      error: {
        code: -32700,
        message: 'Parse error',
        data: 'the body is not JSON in UTF-8',
        reason: 'parse_error',
      },
      id: null,
    });
    expect(
      await bodyOf('[{"jsonrpc": "2.0", "method": "Server_Status", "id": "1"}, {"jsonrpc": "2.0", "method"'),
    ).toEqual(parseError);
  });

  it('refuses a malformed request', async () => {
    expect(await bodyOf('{"jsonrpc": "2.0", "method": 1, "params": "bar"}')).toEqual(invalidRequest);
    expect(await bodyOf('[]')).toEqual(invalidRequest);
    expect(await bodyOf('[1]')).toEqual([invalidRequest]);
    expect(await bodyOf('[1,2,3]')).toEqual([invalidRequest, invalidRequest, invalidRequest]);
  });

  it('answers a batch of good and bad, without its notifications', async () => {
    const batch = [
      call('1'),
      { jsonrpc: '2.0', method: 'Set_User_Attrs', params: [alice, { title: 'Ms' }] },
      call('2', { method: 'Get_User_Attrs', params: { dn: alice, attrs: ['title'] } }),
      { foo: 'boo' },
      call('5', { method: 'foo.get', params: { name: 'myself' } }),
      call('9', { method: 'Count_Activated_Users' }),
    ];
    expect(await bodyOf(batch)).toEqual([
      { jsonrpc: '2.0', result: alice, id: '1' },
      { jsonrpc: '2.0', result: { title: ['Ms'] }, id: '2' },
      invalidRequest,
      failed(-32601, 'method_not_found', '5'),
      { jsonrpc: '2.0', result: 0, id: '9' },
    ]);
  });

  it('answers a batch of notifications with nothing', async () => {
    const batch = [
      { jsonrpc: '2.0', method: 'Server_Status' },
      { jsonrpc: '2.0', method: 'foobar', params: [7] },
    ];
    expect(await fixture.answer({ body: batch })).toMatchObject({ status: 204, body: undefined });
  });
});

describe('a batch', () => {
  it('answers a batch of one call with an array', async () => {
    expect(await bodyOf([call(1)])).toEqual([{ jsonrpc: '2.0', result: alice, id: 1 }]);
  });

  it('takes effect call after call, and a failed call does not stop the others', async () => {
    const dn = 'uid=new,ou=people,dc=example,dc=org';
    const attrs = { objectclass: 'inetOrgPerson', cn: 'New', sn: 'One' };
    const batch = [
      call(1, { method: 'Create_LDAP_Object', params: { dn, attrs } }),
      call(2, { method: 'Set_User_Attrs', params: { dn, attrs: { mail: 'new@example.org' } } }),
      call(3, { method: 'Set_User_Attrs', params: { dn: `cn=no,${dn}`, attrs: { mail: 'x' } } }),
      call(4, { method: 'Get_User_Attrs', params: { dn, attrs: ['mail'] } }),
      call(5, { method: 'Remove_LDAP_Object', params: { dn } }),
      call(6, { method: 'Check_LDAP_Object', params: { dn } }),
    ];
    expect(await bodyOf(batch)).toEqual([
      { jsonrpc: '2.0', result: 1, id: 1 },
      { jsonrpc: '2.0', result: 1, id: 2 },
      failed(-32004, 'not_found', 3),
      { jsonrpc: '2.0', result: { mail: ['new@example.org'] }, id: 4 },
      { jsonrpc: '2.0', result: 1, id: 5 },
      { jsonrpc: '2.0', result: false, id: 6 },
    ]);
  });

  it('runs on one login, whose connection is given back', async () => {
    const { directory } = fixture;
    directory.takeAsked();
    const read = call(1, { method: 'Check_LDAP_Object', params: { dn: alice } });
    await fixture.answer({ body: [read, read, call(3, { method: 'no' }), read] });
    expect(directory.takeAsked()).toEqual([
      'service.search',
      'bind',
      'service.search',
      'read',
      'read',
      'read',
      'close',
    ]);
    await fixture.answer({ body: 'no JSON' });
    expect(directory.open).toBe(0);
  });

  it('refuses a batch beyond the maximum length', async () => {
    const calls = (count: number) => Array.from({ length: count }, (_, id) => call(id));
    expect(await bodyOf(calls(10))).toHaveLength(10);
    expect(await bodyOf(calls(11))).toEqual({
      jsonrpc: '2.0',
      error: {
        code: -32029,
        message: 'Too large',
        data: 'a batch has at most 10 calls',
        reason: 'too_large',
      },
      id: null,
    });
  });
});

describe('an id', () => {
  it.each([0, 1, -1, 1.5, 2 ** 53 - 1, '', '1', 'x'.repeat(1000), '__proto__', null])(
    'of %j is echoed as it is',
    async (id) => {
      expect(await bodyOf(call(id))).toEqual({ jsonrpc: '2.0', result: alice, id });
    },
  );

  it.each(['true', '{}', '[1]', '{"toString": 1}'])('refuses the id %s', async (id) => {
    expect(await bodyOf(`{"jsonrpc": "2.0", "method": "Server_Status", "id": ${id}}`)).toEqual(
      invalidRequest,
    );
  });

  it.each(['12345678901234567890', '1e400', '-1e400'])(
    'of %s, which would come back as another one, is refused',
    async (id) => {
      expect(await bodyOf(`{"jsonrpc": "2.0", "method": "Server_Status", "id": ${id}}`)).toEqual(
        invalidRequest,
      );
    },
  );
});

describe('params', () => {
  const status = (params: string) =>
    bodyOf(`{"jsonrpc": "2.0", "method": "Server_Status", "params": ${params}, "id": 1}`);
  const good = { jsonrpc: '2.0', result: expect.objectContaining({ status: 1 }), id: 1 };

  it.each(['null', '{}', '[]', '[true]', '{"servers": null}'])(
    'of %s are good where none are needed',
    async (params) => {
      expect(await status(params)).toEqual(good);
    },
  );

  it.each(['true', '0', '"text"'])('refuses %s as parameters', async (params) => {
    expect(await status(params)).toEqual(failed(-32600, 'invalid_request', 1));
  });

  it.each(['{"__proto__": {"servers": true}}', '{"constructor": 1}', '{"toString": 1}', '[1, 1, 1, 1]'])(
    'of %s hold one that there is not',
    async (params) => {
      expect(await status(params)).toEqual(failed(-32602, 'invalid_params', 1));
    },
  );

  it('accepts an empty name for no parameters', async () => {
    expect(await bodyOf({ jsonrpc: '2.0', id: 1, method: 'Server_Status' })).toEqual(good);
  });

  it.each([
    '{"servers": false, "servers": true}',
    '{"servers": false, "\\u0073ervers": true}',
    '{"x": [{"a": {"b": 1, "b": 1}}]}',
  ])('refuses a name twice in one object: %s', async (params) => {
    const { error } = (await status(params)) as Failure;
    expect(error).toMatchObject({ code: -32600, reason: 'invalid_request' });
    expect(error.data).toMatch(/^the name "[a-z]+" stands twice in one JSON object$/);
  });

  it.each(['{"x": {"servers": 1}, "servers": true}', '{"x": "\\"a\\":1,\\"a\\":1", "servers": "1"}'])(
    'may say a name in two places: %s',
    async (params) => {
      expect(((await status(params)) as Failure).error.data).toBe('Unknown parameter x');
    },
  );

  it.each(['0.12345678901234567', '1e400', '1.00000000000000001', '1e-400', '-9007199254740991.4'])(
    'with the number %s, which would be rounded, are refused',
    async (number) => {
      const { error } = (await status(`{"x": ${number}}`)) as Failure;
      expect(error).toMatchObject({ code: -32600, data: expect.stringContaining(number) });
    },
  );
});

describe('a malformed body', () => {
  it.each([
    ['nothing', ''],
    ['white space', ' \n'],
    ['two values', '{} {}'],
    ['bytes that are no UTF-8', Buffer.from('{"jsonrpc":"2.0","method":"\xff","id":1}', 'latin1')],
    ['an overlong encoding', Buffer.concat([Buffer.from('"'), Buffer.from([0xc0, 0xaf]), Buffer.from('"')])],
    ['UTF-16', Buffer.from('{"jsonrpc":"2.0","method":"Server_Status","id":1}', 'utf16le')],
    ['a comment', '{"jsonrpc":"2.0" /* */}'],
    ['NaN', '{"jsonrpc":"2.0","method":"Server_Status","id":NaN}'],
    ['an open string', '"'],
    ['XML', '<Envelope/>'],
  ])('answers %s with a parse error', async (_, body) => {
    expect(await bodyOf(body)).toEqual(parseError);
  });

  it.each([
    'null',
    '0',
    'true',
    '"text"',
    '{}',
    '{"jsonrpc": "1.0", "method": "Server_Status"}',
    '{"jsonrpc": 2.0, "method": "Server_Status"}',
    '{"method": "Server_Status"}',
    '{"jsonrpc": "2.0", "method": null}',
    '{"jsonrpc": "2.0", "__proto__": {"method": "Server_Status"}}',
  ])('answers %s with an invalid request', async (body) => {
    expect(await bodyOf(body)).toEqual(invalidRequest);
  });

  it('names the call that is malformed', async () => {
    expect(await bodyOf({ jsonrpc: '2.0', method: 1, id: 7 })).toEqual(failed(-32600, 'invalid_request', 7));
  });

  it('accepts a byte order mark, RFC 8259 §8.1', async () => {
    expect(await bodyOf(`\ufeff${JSON.stringify(call(1))}`)).toEqual({
      jsonrpc: '2.0',
      result: alice,
      id: 1,
    });
  });

  it('refuses deep nesting, whatever the length', async () => {
    const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
    const tooDeep = {
      jsonrpc: '2.0',
      error: { code: -32029, message: 'Too large', data: 'nested deeper than 8 levels', reason: 'too_large' },
      id: null,
    };
    expect(await bodyOf(nested(8))).toEqual([invalidRequest]);
    expect(await bodyOf(nested(9))).toEqual(tooDeep);
    expect(await bodyOf(nested(500_000))).toEqual(tooDeep);
    expect(await bodyOf('{"a":'.repeat(100_000))).toEqual(tooDeep);
  });

  it('counts no brackets within texts', async () => {
    const username = `${'[{'.repeat(20)}"\\`;
    expect(await bodyOf(call(1, { method: 'Get_User_DN', params: { username, domain: 'Default' } }))).toEqual(
      failed(-32004, 'not_found', 1),
    );
  });
});

describe('a method', () => {
  it.each(['get_user_dn', 'GET_USER_DN', 'Get_User_Dn'])('finds a method by the name %s', async (method) => {
    expect(await bodyOf(call(1, { ...findAlice, method }))).toEqual({ jsonrpc: '2.0', result: alice, id: 1 });
  });

  it.each([
    '',
    'RPC.DISCOVER',
    'rpc.describe',
    '__proto__',
    'constructor',
    'toString',
    ' Get_User_DN',
    'Otp.',
    'x'.repeat(9999),
  ])('finds no method by the name %j', async (method) => {
    expect(await bodyOf(call(1, { method }))).toEqual(failed(-32601, 'method_not_found', 1));
  });
});
