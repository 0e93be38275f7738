/**
 * Security headers of all answers of our own server: nosniff, no-store unless the answer has a policy, and HSTS over TLS (RFC 6797). A server in
 * which we are mounted sets its own.
 */
import { type IncomingMessage, type OutgoingHttpHeader, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

type Headers = NonNullable<Parameters<ServerResponse['writeHead']>[1]>;

interface Header {
  readonly name: string;
  readonly value: string;
}

const always: readonly Header[] = [
  { name: 'x-content-type-options', value: 'nosniff' },
  { name: 'cache-control', value: 'no-store' },
];
/** HSTS for a year, without subdomains, which may have no TLS. */
const overTls: readonly Header[] = [
  ...always,
  { name: 'strict-transport-security', value: 'max-age=31536000' },
];

const safeHeaders = (socket: object): readonly Header[] => (socket instanceof TLSSocket ? overTls : always);

/** The shared state of a server's answers. */
export class ResponseState {
  /** The server shuts down: answers close their connections. */
  isEnding = false;
  /** Answers that have begun and not ended, by connection. */
  readonly #begun = new WeakMap<Socket, { count: number }>();

  begin(socket: Socket): void {
    const begun = this.#begun.get(socket);
    if (begun) begun.count += 1;
    else this.#begun.set(socket, { count: 1 });
  }

  end(socket: Socket): void {
    const begun = this.#begun.get(socket);
    if (begun) begun.count -= 1;
  }

  hasBegun(socket: Socket): boolean {
    return (this.#begun.get(socket)?.count ?? 0) > 0;
  }
}

/** Creates the class of a server's answers, through which everything is written. */
export const safeResponses = (state: ResponseState): typeof ServerResponse =>
  class SafeAnswer<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
    /** Adds the security headers that the answer does not set. */
    override writeHead(status: number, reason?: string | Headers, headers?: Headers): this {
      const { socket } = this.req;
      const own = typeof reason === 'string' ? headers : reason;
      if (state.isEnding) this.shouldKeepAlive = false;
      const all = completed(this, own, safeHeaders(socket));
      if (typeof reason === 'string') super.writeHead(status, reason, all);
      else super.writeHead(status, all);
      state.begin(socket);
      return this;
    }

    /** Called when the answer has been written. */
    override detachSocket(socket: Socket): void {
      super.detachSocket(socket);
      state.end(socket);
    }
  };

/** Completes a list of headers, the form of our own answers; otherwise sets headers, which node:http adds. */
function completed(
  answer: ServerResponse,
  own: Headers | undefined,
  safe: readonly Header[],
): Headers | undefined {
  if (Array.isArray(own) && answer.getHeaderNames().length === 0) {
    const all = own.slice();
    for (const { name, value } of safe) if (!includesHeader(own, name)) all.push(name, value);
    return all;
  }
  for (const { name, value } of safe) if (!answer.hasHeader(name)) answer.setHeader(name, value);
  return own;
}

function includesHeader(list: readonly OutgoingHttpHeader[], name: string): boolean {
  for (let at = 0; at < list.length; at += 2) if (String(list[at]).toLowerCase() === name) return true;
  return false;
}

/** Answers errors of node:http with the security headers. Call it before other listeners are added. */
export function refuseSafely(server: Server, state: ResponseState): void {
  server.on('checkExpectation', (_: IncomingMessage, response: ServerResponse) => {
    response.writeHead(417).end();
  });
  // Before the end of the handshake no answer can be sent.
  server.on('tlsClientError', (_: Error, socket: TLSSocket) => socket.destroy());
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // Within an answer, another one would be read as its rest.
    if (!socket.writable || state.hasBegun(socket)) socket.destroy();
    else socket.end(refusal(error.code, socket), () => socket.destroy());
  });
}

function refusal(code: string | undefined, socket: object): string {
  const headers = [{ name: 'Connection', value: 'close' }, ...safeHeaders(socket)];
  const lines = headers.map(({ name, value }) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${statuses[code ?? ''] ?? '400 Bad Request'}\r\n${lines.join('')}\r\n`;
}

/** Statuses by error code. */
const statuses: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Content Too Large',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
};
