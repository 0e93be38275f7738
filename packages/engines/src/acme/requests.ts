/** Requests to an ACME server: over TLS only, with a deadline, a limit of bytes, and no redirect. */
import { Agent } from 'node:https';
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

interface Transport {
  request(url: string, method: string, options?: object): Promise<unknown>;
}

/**
 * Sets the limits of a client's requests. The library has settings for all clients of the process only, so each request of this client gets
 * its own. A server whose directory names addresses of other protocols is refused.
 */
export function limitRequests(client: Client, { ca, signal }: Limits): void {
  const transport: unknown = Reflect.get(client, 'http');
  if (!isTransport(transport)) throw new TypeError('this version of acme-client has another transport');
  const httpsAgent = new Agent(ca === undefined ? {} : { ca: readNamed(ca) });
  const request = transport.request.bind(transport);
  const limits = {
    ...{ httpsAgent, signal, timeout: deadline, maxRedirects: 0, proxy: false },
    ...{ maxContentLength: mostBytes, maxBodyLength: mostBytes },
    // The library would try again by itself; the keeper of the certificate does, with a longer delay.
    retryAttempt: Number.MAX_SAFE_INTEGER,
  };
  transport.request = (url, method, options) => {
    if (!/^https:/i.test(url))
      throw new OrderError('it names an address without TLS', 'use an ACME server with https addresses only');
    return request(url, method, { ...options, ...limits });
  };
}

const isTransport = (value: unknown): value is Transport =>
  typeof value === 'object' && value !== null && 'request' in value && typeof value.request === 'function';
