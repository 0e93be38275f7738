/** Connections that only Node can make: client certificates, a private CA, kept and counted connections. */
import { Agent, fetch } from 'undici';
import type { Fetch } from './wire/fetch.ts';

/** Certificates and keys are PEM texts. */
export interface NodeTransportOptions {
  /** Authorities to trust **instead** of those that come with Node, one text for all; also without their root. */
  readonly ca?: string | undefined;
  /** The client certificate with intermediates after it (mode PKI). */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  /** The passphrase of an encrypted key. */
  readonly passphrase?: string | undefined;
  /** Name that the server's certificate is to have, if not that of the address. */
  readonly servername?: string | undefined;
  /** Connections at most; calls beyond wait for one. Default: 16. */
  readonly connections?: number | undefined;
  /** Milliseconds for which an idle connection is kept, unless the server says. Default: 10,000. */
  readonly keepAlive?: number | undefined;
  /** Milliseconds for TCP and TLS to stand. Default: 10,000. */
  readonly connectTimeout?: number | undefined;
}

export interface NodeTransport {
  /** The function for the option `fetch` of a client. */
  readonly fetch: Fetch;
  /** Waits for the calls under way and closes the connections. */
  close(): Promise<void>;
}

/**
 * Opens connections of Node with certificates of their own; clients may share them.
 * A certificate or key that cannot be read fails the first call that connects, as `network`.
 * @param options authorities, certificate and key in PEM, and times in milliseconds
 * @returns `fetch` for the options of a client, and `close`
 * @see docs/concepts/callers-and-sources.md#administrators
 * @example
 * ```ts
 * import { readFile } from 'node:fs/promises';
 * import { createManager } from '@watchword/client';
 * import { nodeTransport } from '@watchword/client/node';
 *
 * const transport = nodeTransport({ ca: await readFile('ca.pem', 'utf8') });
 * const url = 'https://login.example.org:4443/manag/';
 * const manager = createManager({ url, username: 'admin', password: 'a password', fetch: transport.fetch });
 * console.log(await manager.Count_Activated_Users({}));
 * await transport.close();
 * ```
 */
export function nodeTransport(options: NodeTransportOptions = {}): NodeTransport {
  const { connections = 16, keepAlive = 10_000, connectTimeout = 10_000, ca, ...tls } = options;
  const dispatcher = new Agent({
    connections,
    keepAliveTimeout: keepAlive,
    // The time of a call is the client's to limit; these would cut a longer one short.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { ...tls, ca, allowPartialTrustChain: ca !== undefined, timeout: connectTimeout },
  });
  return {
    fetch: (url, request) => fetch(url, { ...request, dispatcher }),
    close: () => dispatcher.close(),
  };
}
