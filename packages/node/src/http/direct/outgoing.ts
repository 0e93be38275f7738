/** Answers, written by node:http. */
import type { IncomingMessage, OutgoingHttpHeader, ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type HttpAnswer, isBare } from '@watchword/core/http';

/** Milliseconds that a request may still send what nobody reads, before its connection is cut. */
const drainedAfter = 500;

export function sendAnswer(
  { status, headers, cookies, body }: HttpAnswer,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): void {
  if (outgoing.destroyed) return;
  if (!incoming.complete) outgoing.once('finish', () => drain(incoming));
  const list = listOf(headers);
  if (cookies) list.push('set-cookie', [...cookies]);
  if (isBare(status, incoming.method ?? '')) outgoing.writeHead(status, list).end();
  else if (typeof body === 'string' || body instanceof Uint8Array)
    sendWhole(status, { list, body }, outgoing);
  else void sendPieces(body, outgoing.writeHead(status, list));
}

/** Names and values by turns: node:http writes them as they come, and keeps no table of them. */
function listOf(headers: HttpAnswer['headers']): OutgoingHttpHeader[] {
  const list: OutgoingHttpHeader[] = [];
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) list.push(name, value);
  }
  return list;
}

function sendWhole(
  status: number,
  { list, body }: { readonly list: OutgoingHttpHeader[]; readonly body: string | Uint8Array },
  outgoing: ServerResponse,
): void {
  const length = Buffer.byteLength(body);
  list.push('Content-Length', String(length));
  // Text that is as long in UTF-8 is ASCII, and need not be encoded.
  outgoing.writeHead(status, list).end(body, length === body.length ? 'latin1' : 'utf8');
}

/** A piece is written when the one before it is on its way. */
async function sendPieces(pieces: Iterator<string, void>, outgoing: ServerResponse): Promise<void> {
  try {
    for (;;) {
      await nextTurn();
      const { done, value } = pieces.next();
      if (done || outgoing.destroyed) break;
      if (!outgoing.write(value)) await written(outgoing);
    }
    outgoing.end();
  } catch {
    outgoing.destroy();
  }
}

const written = (outgoing: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const go = () => {
      outgoing.off('drain', go).off('close', go);
      resolve();
    };
    outgoing.once('drain', go).once('close', go);
  });

/** The next request of the connection stands behind what is left of this one. */
function drain(incoming: IncomingMessage): void {
  incoming.on('error', () => undefined).resume();
  setTimeout(() => {
    if (!incoming.complete) incoming.socket.destroySoon();
  }, drainedAfter).unref();
}
