/** Requests to an ACME server: over TLS only, with a deadline, a limit of bytes, and no redirect. */

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Agent, type RequestOptions, request } from 'node:https';
import type { Client } from 'acme-client';
import { readNamed } from '../secrets/pair-file.ts';
import { OrderError } from './order-error.ts';

/** Milliseconds of one request. */
const deadline = 30_000;
/** The most bytes of one answer. */
const mostBytes = 1_000_000;

interface Limits {
  /** PEM file of the authorities of the server; left out: those of the system. */
  readonly ca: string | undefined;
  readonly signal: AbortSignal;
}

/** The transport of the library. */
interface Transport {
  request: (url: string, method: string, options?: { readonly data?: unknown }) => Promise<Answer>;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The value of a JSON answer, the text of another. */
  readonly data: unknown;
}

/**
 * Gives a client its own requests. Those of the library share one agent in the process, follow redirects, and hide the reason of a connection
 * that fails. A server whose directory names addresses of other protocols is refused.
 */
export function setTransport(client: Client, { ca, signal }: Limits): void {
  const transport: unknown = Reflect.get(client, 'http');
  if (!isTransport(transport)) throw new TypeError('this version of acme-client has another transport');
  const agent = new Agent(ca === undefined ? {} : { ca: readNamed(ca) });
  transport.request = (url, method, { data } = {}) => {
    if (!/^https:/i.test(url) || !URL.canParse(url))
      throw new OrderError('it names an address without TLS', 'use an ACME server with https addresses only');
    const options = {
      agent,
      method: method.toUpperCase(),
      signal: AbortSignal.any([signal, AbortSignal.timeout(deadline)]),
    };
    return exchange(url, options, data === undefined ? undefined : JSON.stringify(data));
  };
}

const isTransport = (value: unknown): value is Transport =>
  typeof value === 'object' && value !== null && 'request' in value && typeof value.request === 'function';

function exchange(url: string, options: RequestOptions, body: string | undefined): Promise<Answer> {
  const headers = {
    'user-agent': 'watchword',
    ...(body !== undefined && { 'content-type': 'application/jose+json' }),
  };
  return new Promise((resolve, reject) => {
    request(url, { ...options, headers }, (response) => {
      readAnswer(response).then(resolve, reject);
    })
      .on('error', reject)
      .end(body);
  });
}

async function readAnswer(response: IncomingMessage): Promise<Answer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of response) {
    bytes += part.length;
    if (bytes > mostBytes)
      throw new OrderError(`it answers with more than ${mostBytes} bytes`, 'check acme.directory');
    parts.push(part);
  }
  const text = Buffer.concat(parts).toString('utf8');
  const { statusCode: status = 0, headers } = response;
  const isJson = /^application\/(?:[\w.-]+\+)?json\b/i.test(headers['content-type'] ?? '');
  return { status, headers, data: isJson ? JSON.parse(text) : text };
}
