/**
 * What every answer of a server of our own tells browsers and caches, whoever makes it and whatever it is: its content is what
 * it says it is, and nobody keeps it unless it says so itself. Over TLS also that nothing on this host is to be asked for
 * without TLS (RFC 6797): in a server that we are mounted in, that is for its program to say.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { TLSSocket } from 'node:tls';
import { UnderWay } from '../../concurrency/under-way.ts';

const always = new Map([
  ['x-content-type-options', 'nosniff'],
  ['cache-control', 'no-store'],
]);
/** A year. Of this host alone: its neighbours may have no TLS. */
const overTls = new Map([...always, ['strict-transport-security', 'max-age=31536000']]);

const safeHeaders = (socket: object): ReadonlyMap<string, string> =>
  socket instanceof TLSSocket ? overTls : always;

/**
 * To be called before anything else listens: headers are there before an answer begins, and it may say otherwise.
 * @returns the answers that are not over
 */
export function answerSafely(server: Server): UnderWay<ServerResponse> {
  const open = new UnderWay<ServerResponse>();
  let last = 0;
  const begin = ({ socket }: IncomingMessage, response: ServerResponse): void => {
    for (const [name, value] of safeHeaders(socket)) response.setHeader(name, value);
    last += 1;
    const id = last;
    open.begin(id, response);
    response.once('close', () => open.end(id));
  };
  server.on('request', begin);
  // What follows, Node would refuse by itself, before there is a request.
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    begin(request, response);
    response.writeHead(417).end();
  });
  // Where TLS does not stand, nothing can be told, and to wait until it is sent would be to wait for ever.
  server.on('tlsClientError', (_: Error, socket: TLSSocket) => socket.destroy());
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // In the middle of an answer, another one would be read as its end.
    const hasBegun = [...open].some(([, { req, headersSent }]) => req.socket === socket && headersSent);
    if (!socket.writable || hasBegun) socket.destroy();
    else socket.end(refusal(error.code, socket), () => socket.destroy());
  });
  return open;
}

function refusal(code: string | undefined, socket: object): string {
  const headers = [['Connection', 'close'], ...safeHeaders(socket)];
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${statuses[code ?? ''] ?? '400 Bad Request'}\r\n${lines.join('')}\r\n`;
}

/** By the code of the error. */
const statuses: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Content Too Large',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
};
