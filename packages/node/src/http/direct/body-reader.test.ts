import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { BodyReader } from './body-reader.ts';

/** A request whose body has arrived with its headers. */
function arrived(body: string): IncomingMessage {
  const incoming = new IncomingMessage(new Socket());
  incoming.headers['content-length'] = String(Buffer.byteLength(body));
  incoming.push(body);
  return incoming;
}

it('reads a body that has arrived with its headers', async () => {
  expect(Buffer.from(await new BodyReader().read(arrived('{"a":1}'), 100)).toString()).toBe('{"a":1}');
});

it('reads a body that has arrived after its connection has ended', async () => {
  const incoming = arrived('{"a":1}');
  incoming.on('error', () => undefined).destroy();
  await new Promise((resolve) => incoming.once('close', resolve));
  expect(Buffer.from(await new BodyReader().read(incoming, 100)).toString()).toBe('{"a":1}');
});

it.each<[string, Record<string, string>]>([
  ['a length', { 'content-length': '7' }],
  ['chunks', { 'transfer-encoding': 'chunked' }],
])('reads all pieces of a body with %s that has arrived before the read', async (_, headers) => {
  const incoming = new IncomingMessage(new Socket());
  Object.assign(incoming.headers, headers);
  for (const piece of ['{"a"', ':', '1}']) incoming.push(piece);
  incoming.push(null);
  incoming.complete = true;
  expect(Buffer.from(await new BodyReader().read(incoming, 100)).toString()).toBe('{"a":1}');
});
