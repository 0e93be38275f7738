/** A handler as a listener of a server of our own: from node:http and back, with nothing of the platform between. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { inTickBatch, unmapped } from '@watchword/core/foundation';
import {
  type DirectHandler,
  type HttpAnswer,
  type Peer,
  type PeerCertificate,
  plainText,
  type WebRequest,
} from '@watchword/core/http';
import type { Log } from '@watchword/core/ports';
import { urlHost } from '../../machine/listen.ts';
import { Addresses } from './address.ts';
import { Bodies } from './bodies.ts';
import { IncomingHeaders } from './headers.ts';
import { sendAnswer } from './outgoing.ts';

interface DirectParts {
  readonly peers: { get(socket: Socket): Peer };
  /** Told what a handler throws; the client learns nothing of it. */
  readonly log: Log | undefined;
  readonly bodies?: Bodies;
}

export function directListener(
  handler: DirectHandler,
  { peers, log, bodies = new Bodies() }: DirectParts,
): (incoming: IncomingMessage, outgoing: ServerResponse) => void {
  const addresses = new Addresses();
  let arrived: Exchange[] = [];
  const answerAll = () => {
    const all = arrived;
    arrived = [];
    for (const exchange of all) void answer(exchange, handler, log);
  };
  return (incoming, outgoing) => {
    const { socket, headers, url = '' } = incoming;
    const host = headers.host ?? hostOtherwise(incoming);
    const address = addresses.read(socket instanceof TLSSocket ? 'https' : 'http', host, url);
    if (!address) return sendAnswer(malformed, incoming, outgoing);
    const request = new DirectRequest(incoming, { url: address, peer: peers.get(socket), bodies });
    arrived.push({ request, incoming, outgoing });
    if (arrived.length === 1) inTickBatch(answerAll);
  };
}

/** HTTP/2 has a header of its own (RFC 9113 §8.3.1), and HTTP/1.0 none, as of simple probes (RFC 9112 §3.3). */
function hostOtherwise({ headers, httpVersion, socket }: IncomingMessage): string | undefined {
  const { ':authority': authority } = headers;
  if (typeof authority === 'string') return authority;
  return httpVersion === '1.0' ? hostOf(socket) : undefined;
}

const hostOf = ({ localAddress = '', localPort }: Socket): string =>
  `${urlHost(unmapped(localAddress))}:${localPort}`;

/** A request, and where its answer goes. */
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
  let said: HttpAnswer = failed;
  try {
    said = await handler(request);
  } catch (error) {
    log?.error('a request failed', { error });
  }
  sendAnswer(said, incoming, outgoing);
}

/** Its target or its Host header makes no address. */
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
    { url, peer, bodies }: { readonly url: URL; readonly peer: Peer; readonly bodies: Bodies },
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
