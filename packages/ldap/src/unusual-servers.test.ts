/**
 * Responses that the test servers cannot produce: Active Directory's refusals and ranges, notices of disconnection,
 * bytes that are not LDAP. A small scripted server on a real socket gives them.
 */
import { BerReader } from 'ldapts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Dn } from '../../core/src/foundation/text/dn.ts';
import { matchAll } from '../../core/src/foundation/text/filter.ts';
import type { DirectoryServer } from '../../core/src/ports/directory/directory.ts';
import {
  entry,
  message,
  openScriptedDirectory,
  operations,
  reply,
  type Script,
  usual,
} from '../../core/src/testing/bed/scripted-directory.ts';
import { KeptLog } from '../../core/src/testing/kept-log.ts';

const { bindRequest, bindResponse, searchRequest, searchDone } = operations;
const { modifyRequest, modifyResponse, extendedResponse } = operations;
const user = Dn.parse('CN=user,DC=example,DC=test');
/** RFC 2696. */
const pagedResults = '1.2.840.113556.1.4.319';
/** A short timeout, for tests that only wait for the end. */
const soon = { timeout_ms: 500 };
const badLogin = '80090308: LdapErr: DSID-0C09044E, comment: X';

describe('Active Directory', () => {
  it.each([
    ['525', { granted: false, refusal: 'wrong_password' }],
    ['52e', { granted: false, refusal: 'wrong_password' }],
    ['530', { granted: false, refusal: 'not_permitted_now' }],
    ['531', { granted: false, refusal: 'not_permitted_now' }],
    ['532', { granted: false, refusal: 'password_expired' }],
    ['533', { granted: false, refusal: 'account_disabled' }],
    ['701', { granted: false, refusal: 'account_expired' }],
    ['773', { granted: true, mustChange: true }],
    ['775', { granted: false, refusal: 'account_locked' }],
  ])('refuses a login with data %s', async (data, answer) => {
    const server = await connectTo((request) =>
      request.isBindOf('CN=user')
        ? [reply(request, bindResponse, { code: 49, diagnostic: `${badLogin}, data ${data}, v4563` })]
        : usual(request),
    );
    expect(await server.authenticate(user, 'secret')).toEqual(answer);
  });

  it('returns long attributes in ranges, with the timeout of a search for each', async () => {
    const limits: (number | null)[] = [];
    const server = await connectTo(
      (request) => {
        if (request.bytes.includes('CN=user')) limits.push(timeLimitOf(request.bytes));
        const asked = request.bytes.includes('range=2-')
          ? ['member;range=2-*', 'c']
          : ['member;range=0-1', 'a', 'b'];
        return request.operation === searchRequest && request.bytes.includes('CN=user')
          ? [entry(request, 'CN=user,DC=example,DC=test', ['member'], asked), reply(request, searchDone)]
          : usual(request);
      },
      { timeout_ms: 25_000 },
    );
    const read = await server.service.read(user);
    expect([...(read?.attributes ?? [])]).toEqual([['member', ['a', 'b', 'c']]]);
    expect(limits).toEqual([25, 25]);
  });

  it('gets no option ;binary in requests', async () => {
    const asked: Buffer[] = [];
    const server = await connectTo((request) => {
      if (request.bytes.includes('CN=user')) asked.push(request.bytes);
      return usual(request);
    });
    await server.service.read(user, ['userCertificate;binary']);
    expect(asked).toHaveLength(1);
    expect(asked[0]?.includes('userCertificate')).toBe(true);
    expect(asked[0]?.includes(';binary')).toBe(false);
  });

  it('fails when its ranges never end', async () => {
    const server = await connectTo((request) =>
      request.operation === searchRequest && request.bytes.includes('CN=user')
        ? [entry(request, user.toString(), ['member;range=0-1', 'a', 'b']), reply(request, searchDone)]
        : usual(request),
    );
    await expect(server.service.read(user)).rejects.toMatchObject({ reason: 'unavailable' });
  });
});

describe('servers', () => {
  it('may send responses byte by byte', async () => {
    const server = await connectTo((request) =>
      usual(request).flatMap((bytes) => [...bytes].map((byte) => Buffer.from([byte]))),
    );
    await server.capabilities(user);
    await server.service.read(user);
  });

  it('may send a notice of disconnection', async () => {
    let connections = 0;
    const server = await connectTo((request) => {
      if (request.operation === bindRequest) connections += 1;
      const notice = { ...request, id: 0 };
      return request.operation === searchRequest
        ? [...usual(request), reply(notice, extendedResponse, { code: 52 })]
        : usual(request);
    });
    await server.service.read(user);
    await server.service.read(user);
    expect(connections).toBeGreaterThan(1);
  });

  it.each([
    ['HTTP', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['an endless message', Buffer.from([0x30, 0x84, 0xff, 0xff, 0xff, 0xff])],
    ['a broken message', Buffer.from([0x30, 0x03, 0x02, 0x01, 0x05])],
    ['an indefinite length', Buffer.from([0x30, 0x80, 0x02, 0x01])],
  ])('fail when they speak %s', async (_, bytes) => {
    const server = await connectTo(() => [bytes], soon);
    await expect(server.probe()).rejects.toMatchObject({ reason: 'unavailable' });
  });

  it.each([
    ['values', '6418040100' + '3013' + '3011' + '04016d' + '3130040161' + '040162040163040164'],
    ['attributes', '6409040100' + '3040' + '04016d3100'],
    ['names of other servers', '730404400161'],
    ['controls', '65070a01000400' + '0400' + 'a0403000'],
    ['credentials', '610a0a01000400040087407f000401'],
  ])('fail when they announce more %s than they send', async (_, bytes) => {
    const server = await connectTo((request) => [message(request.id, Buffer.from(bytes, 'hex'))], soon);
    await expect(server.probe()).rejects.toMatchObject({ reason: 'unavailable' });
  });

  it('fail when the response is to another request', async () => {
    const server = await connectTo((request) => [reply(request, searchDone)]);
    await expect(server.bind(user, 'wrong')).rejects.toMatchObject({
      reason: 'unavailable',
      detail: 'the server does not speak LDAP',
    });
  });

  it('get a refused password once only', async () => {
    let binds = 0;
    let changed = false;
    const server = await connectTo((request) => {
      if (!request.isBindOf('CN=user')) return usual(request);
      binds += 1;
      if (changed) return [reply(request, bindResponse, { code: 49 })];
      return [reply(request, bindResponse), reply({ id: 0 }, extendedResponse, { code: 52 })];
    });
    const bound = await server.bind(user, 'secret');
    if (!bound.granted) throw new Error(bound.refusal);
    changed = true;
    const refused = { reason: 'credentials_refused', detail: 'the password has changed since' };
    for (let n = 0; n < 5; n += 1) await expect(bound.directory.read(user)).rejects.toMatchObject(refused);
    expect(binds).toBe(2);
    await bound.directory.close();
  });

  it('are not tried repeatedly when they refuse the service', async () => {
    let binds = 0;
    const server = await connectTo((request) => {
      binds += 1;
      return [reply(request, bindResponse, { code: 49 })];
    });
    for (let n = 0; n < 5; n += 1)
      await expect(server.probe()).rejects.toMatchObject({ detail: expect.stringContaining('bind_dn') });
    expect(binds).toBe(1);
  });

  it('are not taken to lack an entry when they refer an update', async () => {
    const server = await connectTo((request) =>
      request.operation === modifyRequest ? [reply(request, modifyResponse, { code: 10 })] : usual(request),
    );
    const change = { operation: 'replace', attribute: 'sn', values: ['x'] } as const;
    await expect(server.service.modify(user, [change])).rejects.toMatchObject({
      reason: 'unavailable',
      detail: 'changes to it have to be made on another server',
    });
  });

  it('get no password in a check of rights when they do not support No-Op', async () => {
    const asked: number[] = [];
    const server = await connectTo(
      (request) => {
        asked.push(request.operation);
        if (request.operation !== modifyRequest) return usual(request);
        const isTrial = request.bytes.includes('1.3.6.1.4.1.4203.666.5.2');
        return [reply(request, modifyResponse, { code: isTrial ? 12 : 16 })];
      },
      { vendor: 'openldap' },
    );
    await server.service.assertWritable(user, 'userPassword');
    expect(asked.filter((operation) => operation > searchRequest)).toEqual([modifyRequest]);
  });

  it('get no request after close', async () => {
    const server = await connectTo(usual);
    await server.close();
    await expect(server.bind(user, 'secret')).rejects.toMatchObject({ reason: 'unavailable' });
  });

  it('fail when their pages never end', async () => {
    const server = await connectTo((request) => {
      if (request.operation !== searchRequest || !request.bytes.includes('CN=user')) return usual(request);
      const first = !request.bytes.includes(pagedResults);
      return [reply(request, searchDone, first ? { code: 4 } : { cookie: 'more' })];
    });
    const search = { base: user, scope: 'sub', filter: matchAll } as const;
    await expect(server.service.search(search)).rejects.toMatchObject({ reason: 'unavailable' });
  });

  it('fail when they refuse StartTLS', async () => {
    const refuse: Script = (request) => [reply(request, extendedResponse, { code: 2 })];
    const server = await connectTo(refuse, { start_tls: true });
    await expect(server.probe()).rejects.toMatchObject({ detail: 'the directory server refuses StartTLS' });
  });

  it('get one request for binary attributes, of which there are none when the schema is hidden', async () => {
    const log = new KeptLog();
    const root = ['subschemaSubentry', 'CN=Aggregate,DC=example,DC=test'];
    const types = ['attributeTypes', "( 1.3.9 NAME 'token' SYNTAX '1.3.6.1.4.1.1466.115.121.1.40' )"];
    let code = 51;
    let asked = 0;
    const server = await connectTo(
      (request) => {
        if (request.operation !== searchRequest) return usual(request);
        if (!request.bytes.includes('CN=Aggregate'))
          return [entry(request, '', root), reply(request, searchDone)];
        asked += 1;
        const found = code === 0 ? [entry(request, 'CN=Aggregate,DC=example,DC=test', types)] : [];
        return [...found, reply(request, searchDone, { code })];
      },
      { log },
    );
    const names = async () => [...(await server.binaryAttributes(user)).keys()];
    // A guess would write invalid values.
    await expect(names()).rejects.toMatchObject({ reason: 'unavailable' });
    // The last three are responses of proxies without a subschema, at every call.
    for (const hidden of [32, 50, 11, 12, 53]) {
      code = hidden;
      expect([await names(), await names(), asked]).toEqual([[], [], 2]);
      server.clearCaches();
      asked = 1;
    }
    expect(log.lines.map(({ level, fields }) => [level, fields.error])).toEqual([
      ['warn', expect.objectContaining({ reason: 'too_large' })],
    ]);
    code = 0;
    expect([await names(), await names(), asked]).toEqual([['1.3.9', 'token'], ['1.3.9', 'token'], 2]);
  });

  it('may respond that they are busy', async () => {
    const server = await connectTo((request) =>
      request.operation === searchRequest ? [reply(request, searchDone, { code: 51 })] : usual(request),
    );
    await expect(server.service.read(user)).rejects.toMatchObject({
      reason: 'unavailable',
      detail: 'The directory is busy',
    });
  });
});

async function connectTo(
  script: Script,
  options?: Parameters<typeof openScriptedDirectory>[1],
): Promise<DirectoryServer> {
  const directory = await openScriptedDirectory(script, options);
  onTestFinished(directory.close);
  return directory.server;
}

/** Reads the time limit of a search request in seconds, RFC 4511 §4.5.1. */
function timeLimitOf(bytes: Buffer): number | null {
  const reader = new BerReader(bytes);
  reader.readSequence();
  reader.readInt(); // message id
  reader.readSequence();
  reader.readString(); // base
  reader.readEnumeration(); // scope
  reader.readEnumeration(); // aliases
  reader.readInt(); // size limit
  return reader.readInt();
}
