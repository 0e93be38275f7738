/**
 * The process that makes large changes: it has a data folder open beside the server, as another server would, and
 * makes what comes in over its channel. It ends when the channel is closed, after what it has begun.
 */
import { Dn, ServiceError } from '@watchword/core/foundation';
import { makeUpdate } from '../entries/update.ts';
import { openEnvironment } from '../storage/open-barrier/open-environment.ts';
import { openTables } from '../storage/snapshot.ts';
import { type Answer, Incoming, type Message } from './orders.ts';

const [folder = '', base = ''] = process.argv.slice(2);
// Whoever stops the server tells all processes of it: the server ends this one when it has its answers.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);

const environment = await openEnvironment(folder);
const place = { environment, tables: openTables(environment), base: Dn.parse(base) };
const incoming = new Map<number, Incoming>();
const making = new Set<Promise<void>>();

async function make(id: number, order: Incoming): Promise<void> {
  const error = await makeUpdate(place, order.whole()).then(() => undefined, wordsOf);
  const answer: Answer = { id, ...(error && { error }) };
  // Whoever wanted to know may have gone.
  if (process.connected) process.send?.(answer, undefined, undefined, () => undefined);
}

function wordsOf(error: unknown): Answer['error'] {
  if (!(error instanceof ServiceError)) return { reason: 'internal', cause: String(error) };
  const { reason, detail, cause } = error;
  return {
    reason,
    ...(detail !== undefined && { detail }),
    ...(cause !== undefined && { cause: String(cause) }),
  };
}

function receive(message: Message): void {
  const { id } = message;
  if ('head' in message) incoming.set(id, new Incoming(message.head));
  const order = incoming.get(id);
  if (!order) return;
  if ('parts' in message) order.take(message.parts);
  if (!('isWhole' in message)) return;
  incoming.delete(id);
  const made = make(id, order).finally(() => making.delete(made));
  making.add(made);
}

async function close(): Promise<void> {
  await Promise.all(making);
  await environment.close();
}

process.on('message', receive);
if (process.connected) process.once('disconnect', close);
else await close();
