/** A small HTTP server on a real socket that answers as a test tells it to, wrongly too. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request as it came. */
export interface Heard {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  /** The JSON of its body. */
  readonly body: unknown;
}

export interface RpcServer {
  readonly url: string;
  /** Every request until now. */
  readonly heard: readonly Heard[];
}

type Respond = (response: ServerResponse, heard: Heard) => void;

/** Listens on 127.0.0.1 until the test has finished. */
export async function listen(respond: Respond): Promise<RpcServer> {
  const heard: Heard[] = [];
  const server = createServer(async (incoming, response) => {
    const body = JSON.parse(Buffer.concat(await incoming.toArray()).toString());
    const { method, url: path, headers } = incoming;
    heard.push({ method, path, headers, body });
    respond(response, { method, path, headers, body });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/manag/`, heard };
}

/** A call as the client sends it. */
export interface Sent {
  readonly id: number;
  readonly method: string;
  readonly params?: unknown;
}

/** Answers each call with the members of an envelope that `reply` gives: `{ result }` or `{ error }`. */
export function rpc(reply: (call: Sent) => object): Respond {
  const envelope = (call: Sent) => ({ jsonrpc: '2.0', id: call.id, ...reply(call) });
  return (response, { body }) => {
    const calls = body as Sent | Sent[];
    json(response, Array.isArray(calls) ? calls.map(envelope) : envelope(calls));
  };
}

export function json(response: ServerResponse, value: unknown): void {
  response.setHeader('content-type', 'application/json').end(JSON.stringify(value));
}
