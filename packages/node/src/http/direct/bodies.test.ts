import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { Bodies } from './bodies.ts';

/** A request whose body has come with its headers. */
function arrived(body: string): IncomingMessage {
  const incoming = new IncomingMessage(new Socket());
  incoming.headers['content-length'] = String(Buffer.byteLength(body));
  incoming.push(body);
  return incoming;
}

it('a body that has come with its headers is read', async () => {
  expect(Buffer.from(await new Bodies().read(arrived('{"a":1}'), 100)).toString()).toBe('{"a":1}');
});

it('what has come is read whole, though its connection has ended since', async () => {
  const incoming = arrived('{"a":1}');
  incoming.on('error', () => undefined).destroy();
  await new Promise((resolve) => incoming.once('close', resolve));
  expect(Buffer.from(await new Bodies().read(incoming, 100)).toString()).toBe('{"a":1}');
});

it.each<[string, Record<string, string>]>([
  ['a length', { 'content-length': '7' }],
  ['chunks', { 'transfer-encoding': 'chunked' }],
])('reads all pieces of a body with %s that has come before it is asked for', async (_, headers) => {
  const incoming = new IncomingMessage(new Socket());
  Object.assign(incoming.headers, headers);
  for (const piece of ['{"a"', ':', '1}']) incoming.push(piece);
  incoming.push(null);
  incoming.complete = true;
  expect(Buffer.from(await new Bodies().read(incoming, 100)).toString()).toBe('{"a":1}');
});
