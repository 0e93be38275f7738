/** A listener of node:http for a handler, without the Request and Response of the platform. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { inTickBatch, unmapIpv4 } from '@watchword/core/foundation';
import {
  type DirectHandler,
  type HttpResponse,
  type Peer,
  type PeerCertificate,
  plainText,
  type WebRequest,
} from '@watchword/core/http';
import type { Log } from '@watchword/core/ports';
import { urlHost } from '../../machine/listen.ts';
import { BodyReader } from './body-reader.ts';
import { IncomingHeaders } from './headers.ts';
import { sendResponse } from './outgoing.ts';
import { RequestUrls } from './request-url.ts';

interface DirectParts {
  readonly peers: { get(socket: Socket): Peer };
  /** The log of errors of the handler, which the client does not see. */
  readonly log: Log | undefined;
  readonly bodies?: BodyReader;
}

export function directListener(
  handler: DirectHandler,
  { peers, log, bodies = new BodyReader() }: DirectParts,
): (incoming: IncomingMessage, outgoing: ServerResponse) => void {
  const urls = new RequestUrls();
  let arrived: Exchange[] = [];
  const answerAll = () => {
    const all = arrived;
    arrived = [];
    for (const exchange of all) void answer(exchange, handler, log);
  };
  return (incoming, outgoing) => {
    const { socket, headers, url = '' } = incoming;
    const host = headers.host ?? fallbackHost(incoming);
    const address = urls.read(socket instanceof TLSSocket ? 'https' : 'http', host, url);
    if (!address) return sendResponse(malformed, incoming, outgoing);
    const request = new DirectRequest(incoming, { url: address, peer: peers.get(socket), bodies });
    arrived.push({ request, incoming, outgoing });
    if (arrived.length === 1) inTickBatch(answerAll);
  };
}

/** Returns the host of HTTP/2, which has a header of its own (RFC 9113 §8.3.1), and of HTTP/1.0, which may have none (RFC 9112 §3.3). */
function fallbackHost({ headers, httpVersion, socket }: IncomingMessage): string | undefined {
  const { ':authority': authority } = headers;
  if (typeof authority === 'string') return authority;
  return httpVersion === '1.0' ? hostOf(socket) : undefined;
}

const hostOf = ({ localAddress = '', localPort }: Socket): string =>
  `${urlHost(unmapIpv4(localAddress))}:${localPort}`;

/** A request with its response. */
interface Exchange {
  readonly request: DirectRequest;
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

async function answer(
  { request, incoming, outgoing }: Exchange,
  handler: DirectHandler,
  log: Log | undefined,
): Promise<void> {
  let result: HttpResponse = failed;
  try {
    result = await handler(request);
  } catch (error) {
    log?.error('a request failed', { error });
  }
  sendResponse(result, incoming, outgoing);
}

/** The answer to an invalid target or Host header. */
const malformed = plainText(400, 'Bad Request');

const failed = plainText(500, 'Internal Server Error');

class DirectRequest implements WebRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHeaders;
  readonly address: string;
  readonly port: number;
  readonly certificate: PeerCertificate | undefined;
  readonly signal: AbortSignal | undefined;
  readonly body: WebRequest['body'];

  constructor(
    incoming: IncomingMessage,
    { url, peer, bodies }: { readonly url: URL; readonly peer: Peer; readonly bodies: BodyReader },
  ) {
    this.method = incoming.method ?? '';
    this.url = url;
    this.headers = new IncomingHeaders(incoming);
    this.address = peer.address;
    this.port = peer.port;
    this.certificate = peer.certificate;
    this.signal = peer.signal;
    this.body = (most) => bodies.read(incoming, most);
  }
}
