/**
 * The writer process: opens a data folder beside the server, and makes the updates that it receives over its IPC channel. It ends when the
 * channel is closed, after the updates that have begun.
 */
import { Dn, ServiceError } from '@watchword/core/foundation';
import { makeUpdate } from '../entries/update.ts';
import { openEnvironment } from '../storage/open-barrier/open-environment.ts';
import { openTables } from '../storage/snapshot.ts';
import { type Answer, IncomingRequest, type Message } from './update-messages.ts';

const [folder = '', base = ''] = process.argv.slice(2);
// A terminal signals all processes of the group: the server ends this one after its answers.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);

const environment = await openEnvironment(folder);
const directory = { environment, tables: openTables(environment), base: Dn.parse(base) };
const incoming = new Map<number, IncomingRequest>();
const running = new Set<Promise<void>>();

async function update(id: number, request: IncomingRequest): Promise<void> {
  const error = await makeUpdate(directory, request.request()).then(() => undefined, errorOf);
  const answer: Answer = { id, ...(error && { error }) };
  // The server may have ended.
  if (process.connected) process.send?.(answer, undefined, undefined, () => undefined);
}

function errorOf(error: unknown): Answer['error'] {
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
  if ('head' in message) incoming.set(id, new IncomingRequest(message.head));
  const request = incoming.get(id);
  if (!request) return;
  if ('parts' in message) request.add(message.parts);
  if (!('isLast' in message)) return;
  incoming.delete(id);
  const updating = update(id, request).finally(() => running.delete(updating));
  running.add(updating);
}

async function close(): Promise<void> {
  await Promise.all(running);
  await environment.close();
}

process.on('message', receive);
if (process.connected) process.once('disconnect', close);
else await close();
