/** The connections of requests, as a server sees them. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { DeleteRequest } from 'ldapts';
import { expect, it, onTestFinished } from 'vitest';
import { Connection } from './connection.ts';
import { Pool } from './pool.ts';

/** The beginning of a message: a sequence, an id and a delete request (RFC 4511 §4.8). */
const deletion = /\x30.\x02\x01(?<id>.)\x4a/gs;

/** A successful delete response. */
const done = (id: string): Buffer =>
  Buffer.from(`\x30\x0c\x02\x01${id}\x6b\x07\x0a\x01\0\x04\0\x04\0`, 'latin1');

/** Starts a server that accepts all deletes. @returns a pool, and the number of requests of each write by connection */
async function grantingServer({ size, capacity }: { size: number; capacity: number }) {
  const writes: number[][] = [];
  const server = createServer((socket) => {
    const own: number[] = [];
    writes.push(own);
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      const ids = [...bytes.toString('latin1').matchAll(deletion)].map(({ groups }) => groups?.id ?? '');
      if (ids.length > 0) own.push(ids.length);
      socket.write(Buffer.concat(ids.map(done)));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  const target = { url: `ldap://127.0.0.1:${port}`, host: '127.0.0.1', port, security: 'plain' } as const;
  const pool = new Pool({ open: () => Connection.open(target, 5_000), size, capacity, timeout: 5_000 });
  onTestFinished(async () => {
    await pool.close();
    server.close();
  });
  const removal = () => new DeleteRequest({ messageId: 0, dn: 'cn=a' });
  const remove = () => pool.run('read', (connection) => connection.request(removal()));
  return { pool, removal, remove, writes };
}

const atOnce = (count: number, ask: () => Promise<unknown>) =>
  Promise.all(Array.from({ length: count }, ask));

it('sends up to eight requests of one tick in one write', async () => {
  const { remove, writes } = await grantingServer({ size: 2, capacity: 64 });
  await remove();
  await atOnce(11, remove);
  expect(writes).toEqual([[1, 8], [3]]);
});

it('sends requests of different ticks at once', async () => {
  const { remove, writes } = await grantingServer({ size: 2, capacity: 64 });
  await remove();
  const first = remove();
  await Promise.resolve().then(() => undefined);
  await Promise.all([first, remove()]);
  expect(writes).toEqual([[1, 1], [1]]);
});

it('gives a connection of capacity one a single request at a time', async () => {
  const { remove, writes } = await grantingServer({ size: 2, capacity: 1 });
  await atOnce(2, remove);
  await atOnce(6, remove);
  expect(writes.flat()).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
});

it('releases the connection once when done is called', async () => {
  const { pool, removal, remove, writes } = await grantingServer({ size: 1, capacity: 1 });
  let goOn: () => void = () => undefined;
  const isOver = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const first = pool.run('read', async (connection, done) => {
    await connection.request(removal(), done);
    await isOver;
  });
  await remove();
  goOn();
  await first;
  await atOnce(3, remove);
  expect(writes).toEqual([[1, 1, 1, 1, 1]]);
  expect(pool.counts()).toEqual({ open: 1, inUse: 0, waiting: 0 });
});
