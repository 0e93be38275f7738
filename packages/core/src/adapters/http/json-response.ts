/** Answers in JSON: short ones in one piece, long ones as they are read. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isShortJson, jsonPieces } from '../../text/json-pieces.ts';

/** @param value as {@link jsonPieces} takes it; not to be changed until the answer is sent */
export function jsonResponse(value: object, { status, headers }: JsonHead): Response {
  const all = { 'content-type': 'application/json', ...headers };
  const body = isShortJson(value) ? JSON.stringify(value) : streamOf(jsonPieces(value));
  return new Response(body, { status, headers: all });
}

export interface JsonHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

const utf8 = new TextEncoder();

/** A piece is written when the one before it is on its way, in a turn of its own. */
function streamOf(pieces: Iterator<string>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull: async (controller) => {
      await nextTurn();
      const { done, value } = pieces.next();
      if (done) controller.close();
      else controller.enqueue(utf8.encode(value));
    },
  });
}
