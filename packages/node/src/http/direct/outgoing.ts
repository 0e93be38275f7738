/** Sending of answers through node:http. */
import type { IncomingMessage, OutgoingHttpHeader, ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type HttpResponse, isBare } from '@watchword/core/http';

/** The time in milliseconds to discard the rest of a request, after which its connection is closed. */
const discardTimeout = 500;

export function sendResponse(
  { status, headers, cookies, body }: HttpResponse,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): void {
  if (outgoing.destroyed) return;
  if (!incoming.complete) outgoing.once('finish', () => discardRest(incoming));
  const list = listOf(headers);
  if (cookies) list.push('set-cookie', [...cookies]);
  if (isBare(status, incoming.method ?? '')) outgoing.writeHead(status, list).end();
  else if (typeof body === 'string' || body instanceof Uint8Array)
    sendWhole(status, { list, body }, outgoing);
  else void sendPieces(body, outgoing.writeHead(status, list));
}

/** Returns alternating names and values, which node:http writes without a table. */
function listOf(headers: HttpResponse['headers']): OutgoingHttpHeader[] {
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
  // Text whose UTF-8 has the same length is ASCII, and needs no encoding.
  outgoing.writeHead(status, list).end(body, length === body.length ? 'latin1' : 'utf8');
}

/** Writes pieces as fast as the client reads. */
async function sendPieces(pieces: Iterator<string, void>, outgoing: ServerResponse): Promise<void> {
  try {
    for (;;) {
      await nextTurn();
      const { done, value } = pieces.next();
      if (done || outgoing.destroyed) break;
      if (!outgoing.write(value)) await drained(outgoing);
    }
    outgoing.end();
  } catch {
    outgoing.destroy();
  }
}

const drained = (outgoing: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const go = () => {
      outgoing.off('drain', go).off('close', go);
      resolve();
    };
    outgoing.once('drain', go).once('close', go);
  });

/** Discards the rest of a request, after which the next one follows. */
function discardRest(incoming: IncomingMessage): void {
  incoming.on('error', () => undefined).resume();
  setTimeout(() => {
    if (!incoming.complete) incoming.socket.destroySoon();
  }, discardTimeout).unref();
}
