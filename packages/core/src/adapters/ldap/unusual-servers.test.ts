/**
 * Answers that no server of ours gives at will: Active Directory's refusals and ranges, notices of disconnection,
 * bytes that are not LDAP. A small scripted server on a real socket gives them.
 */
import { BerReader, BerWriter } from 'ldapts';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { DirectoryServer } from '../../directory/directory.ts';
import { Dn } from '../../directory/dn.ts';
import { KeptLog } from '../../testing/kept-log.ts';
import { listenOnLoopback } from '../../testing/scratch.ts';
import { systemClock } from '../system/clock.ts';
import { Frames } from './frames.ts';
import { createLdapDirectory } from './index.ts';
import type { LdapOptions } from './options.ts';

const user = Dn.parse('CN=user,DC=example,DC=test');

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
        ? [
            reply(
              request,
              bindResponse,
              49,
              `80090308: LdapErr: DSID-0C09044E, comment: X, data ${data}, v4563`,
            ),
          ]
        : usual(request),
    );
    expect(await server.authenticate(user, 'secret')).toEqual(answer);
  });

  it('gives long attributes in ranges', async () => {
    const server = await connectTo((request) => {
      const asked = request.bytes.includes('range=2-')
        ? ['member;range=2-*', 'c']
        : ['member;range=0-1', 'a', 'b'];
      return request.operation === searchRequest && request.bytes.includes('CN=user')
        ? [entry(request, 'CN=user,DC=example,DC=test', ['member'], asked), reply(request, searchDone, 0)]
        : usual(request);
    });
    const read = await server.service.read(user);
    expect([...(read?.attributes ?? [])]).toEqual([['member', ['a', 'b', 'c']]]);
  });
});

describe('servers', () => {
  it('may send their answers byte by byte', async () => {
    const server = await connectTo((request) =>
      usual(request).flatMap((bytes) => [...bytes].map((byte) => Buffer.from([byte]))),
    );
    await server.capabilities();
    await server.service.read(user);
  });

  it('may give notice that they are about to disconnect', async () => {
    let connections = 0;
    const server = await connectTo((request) => {
      if (request.operation === bindRequest) connections += 1;
      const notice = { ...request, id: 0 };
      return request.operation === searchRequest
        ? [...usual(request), reply(notice, extendedResponse, 52)]
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
  ])('must not speak %s', async (_, bytes) => {
    const server = await connectTo(() => [bytes]);
    await expect(server.probe()).rejects.toMatchObject({ reason: 'unavailable' });
  });

  it('must not refuse StartTLS', async () => {
    const refuse = (request: Request): Buffer[] => [
      reply(request, extendedResponse, 2, 'unsupported extended operation'),
    ];
    const server = await connectTo(refuse, { start_tls: true });
    await expect(server.probe()).rejects.toMatchObject({ detail: 'the directory server refuses StartTLS' });
  });

  it('may be busy, and say so', async () => {
    const server = await connectTo((request) =>
      request.operation === searchRequest ? [reply(request, searchDone, 51)] : usual(request),
    );
    await expect(server.service.read(user)).rejects.toMatchObject({
      reason: 'unavailable',
      detail: 'The directory is busy',
    });
  });
});

const [bindRequest, bindResponse, searchRequest, searchEntry, searchDone, extendedResponse] = [
  0x60, 0x61, 0x63, 0x64, 0x65, 0x78,
];

interface Request {
  readonly id: number;
  readonly operation: number;
  readonly bytes: Buffer;
  isBindOf(text: string): boolean;
}

/** A directory on a server that answers each request with what `answer` gives, one write for each buffer. */
async function connectTo(
  answer: (request: Request) => Buffer[],
  options: Partial<LdapOptions> = {},
): Promise<DirectoryServer> {
  const listener = await listenOnLoopback((socket) => {
    const frames = new Frames();
    socket.on('data', (chunk) => {
      for (const frame of frames.push(chunk))
        for (const bytes of answer(requestOf(frame))) socket.write(bytes);
    });
  });
  const server = createLdapDirectory(
    {
      urls: [`ldap://127.0.0.1:${listener.port}`],
      allow_plain: true,
      bind_dn: 'CN=service',
      bind_password: 'x',
      base: 'DC=example,DC=test',
      vendor: 'active-directory',
      timeout_ms: 1_000,
      ...options,
    },
    { clock: systemClock, log: new KeptLog() },
  );
  onTestFinished(async () => {
    await server.close();
    await listener.stop();
  });
  return server;
}

function requestOf(bytes: Buffer): Request {
  const reader = new BerReader(bytes);
  reader.readSequence();
  const id = reader.readInt() ?? 0;
  const operation = reader.peek() ?? 0;
  return { id, operation, bytes, isBindOf: (text) => operation === bindRequest && bytes.includes(text) };
}

/** Grants binds, and finds an entry without attributes whatever is searched. */
function usual(request: Request): Buffer[] {
  if (request.operation === bindRequest) return [reply(request, bindResponse, 0)];
  if (request.operation === searchRequest)
    return [entry(request, user.toString()), reply(request, searchDone, 0)];
  return [];
}

function reply({ id }: { readonly id: number }, operation: number, code: number, diagnostic = ''): Buffer {
  return message(id, operation, (writer) => {
    writer.writeEnumeration(code);
    writer.writeString('');
    writer.writeString(diagnostic);
  });
}

/** @param attributes each a name and its values */
function entry({ id }: Request, dn: string, ...attributes: readonly string[][]): Buffer {
  return message(id, searchEntry, (writer) => {
    writer.writeString(dn);
    writer.startSequence();
    for (const [name = '', ...values] of attributes) {
      writer.startSequence();
      writer.writeString(name);
      writer.startSequence(0x31);
      writer.writeStringArray(values);
      writer.endSequence();
      writer.endSequence();
    }
    writer.endSequence();
  });
}

function message(id: number, operation: number, write: (writer: BerWriter) => void): Buffer {
  const writer = new BerWriter();
  writer.startSequence();
  writer.writeInt(id);
  writer.startSequence(operation);
  write(writer);
  writer.endSequence();
  writer.endSequence();
  return writer.buffer;
}
