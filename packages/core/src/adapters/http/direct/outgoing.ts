/** Answers, written by node:http. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { HttpAnswer } from '../../../http/http.ts';
import { isBare } from '../../../http/response.ts';

/** Milliseconds that a request may still send what nobody reads, before its connection is cut. */
const drainedAfter = 500;

export function sendAnswer(
  { status, headers, cookies, body }: HttpAnswer,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): void {
  if (outgoing.destroyed) return;
  if (!incoming.complete) outgoing.once('finish', () => drain(incoming));
  outgoing.statusCode = status;
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) outgoing.setHeader(name, value);
  }
  if (cookies) outgoing.setHeader('set-cookie', cookies);
  if (isBare(status, incoming.method ?? '')) outgoing.end();
  else if (typeof body === 'string' || body instanceof Uint8Array) outgoing.end(body);
  else void sendPieces(body, outgoing);
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
