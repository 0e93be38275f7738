import { once } from 'node:events';
import { createServer } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { collectGarbage } from '../../../node/src/machine/index.ts';
import { Connection } from './connection.ts';

/** Starts a silent server. @returns its port */
async function listening(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.close();
  });
  await once(server, 'listening');
  const address = server.address();
  return address !== null && typeof address === 'object' ? address.port : 0;
}

it('keeps no results of paged searches in memory', async () => {
  const [host, port] = ['127.0.0.1', await listening()];
  const target = { url: `ldap://${host}:${port}`, host, port, security: 'plain' } as const;
  const connection = await Connection.open(target, 5_000);
  const found: WeakRef<object>[] = [];
  for (let search = 0; search < 3; search += 1)
    await connection.paging(async () => {
      const entries = { many: search };
      found.push(new WeakRef(entries));
      return entries;
    });
  // Weak references are kept until the end of a turn.
  await nextTurn();
  collectGarbage();
  expect(found.map((entries) => entries.deref())).toEqual([undefined, undefined, undefined]);
  connection.retire();
});
