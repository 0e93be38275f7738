/**
 * What every answer of a server of our own tells browsers and caches, whoever makes it and whatever it is: its content is what
 * it says it is, and nobody keeps it unless it says so itself. Over TLS also that nothing on this host is to be asked for
 * without TLS (RFC 6797): in a server that we are mounted in, that is for its program to say.
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
/** A year. Of this host alone: its neighbours may have no TLS. */
const overTls: readonly Header[] = [
  ...always,
  { name: 'strict-transport-security', value: 'max-age=31536000' },
];

const safeHeaders = (socket: object): readonly Header[] => (socket instanceof TLSSocket ? overTls : always);

/** What a server's answers have in common. */
export class Answering {
  /** The server is about to end: clients are told to go. */
  isEnding = false;
  /** How many answers have begun on a connection, and are not over. */
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

/** The class of a server's answers: nothing can be written but by it, and no answer has to be remembered until it is over. */
export const safeAnswers = (answering: Answering): typeof ServerResponse =>
  class SafeAnswer<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
    /** What it says itself counts. */
    override writeHead(status: number, reason?: string | Headers, headers?: Headers): this {
      const { socket } = this.req;
      const said = typeof reason === 'string' ? headers : reason;
      if (answering.isEnding) this.shouldKeepAlive = false;
      const all = completed(this, said, safeHeaders(socket));
      if (typeof reason === 'string') super.writeHead(status, reason, all);
      else super.writeHead(status, all);
      answering.begin(socket);
      return this;
    }

    /** It has been written. */
    override detachSocket(socket: Socket): void {
      super.detachSocket(socket);
      answering.end(socket);
    }
  };

/** A list, which our own answers are made of, is completed; to anything else, node:http adds what is set. */
function completed(
  answer: ServerResponse,
  said: Headers | undefined,
  safe: readonly Header[],
): Headers | undefined {
  if (Array.isArray(said) && answer.getHeaderNames().length === 0) {
    const all = said.slice();
    for (const { name, value } of safe) if (!says(said, name)) all.push(name, value);
    return all;
  }
  for (const { name, value } of safe) if (!answer.hasHeader(name)) answer.setHeader(name, value);
  return said;
}

function says(list: readonly OutgoingHttpHeader[], name: string): boolean {
  for (let at = 0; at < list.length; at += 2) if (String(list[at]).toLowerCase() === name) return true;
  return false;
}

/** To be called before anything else listens: what Node would refuse by itself is answered as everything is. */
export function refuseSafely(server: Server, answering: Answering): void {
  server.on('checkExpectation', (_: IncomingMessage, response: ServerResponse) => {
    response.writeHead(417).end();
  });
  // Where TLS does not stand, nothing can be told, and to wait until it is sent would be to wait for ever.
  server.on('tlsClientError', (_: Error, socket: TLSSocket) => socket.destroy());
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // In the middle of an answer, another one would be read as its end.
    if (!socket.writable || answering.hasBegun(socket)) socket.destroy();
    else socket.end(refusal(error.code, socket), () => socket.destroy());
  });
}

function refusal(code: string | undefined, socket: object): string {
  const headers = [{ name: 'Connection', value: 'close' }, ...safeHeaders(socket)];
  const lines = headers.map(({ name, value }) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${statuses[code ?? ''] ?? '400 Bad Request'}\r\n${lines.join('')}\r\n`;
}

/** By the code of the error. */
const statuses: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Content Too Large',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
};
