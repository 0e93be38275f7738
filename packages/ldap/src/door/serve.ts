/** The LDAP server: `ldaps://`, or `ldap://` with StartTLS. */
import { createServer, type Server, type Socket } from 'node:net';
import {
  createSecureContext,
  createServer as createTlsServer,
  TLSSocket,
  type TlsOptions,
  Server as TlsServer,
} from 'node:tls';
import { Network, unmapIpv4 } from '@watchword/core/foundation';
import type { LdapService, Log } from '@watchword/core/ports';
import { listen, urlHost } from '@watchword/node';
import { LdapSession } from './session.ts';

export interface LdapServing {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** The setting of the port, for the error when the port is taken. */
  readonly portSetting?: string;
  /** TLS from the first byte (`ldaps`), or from StartTLS on (`ldap`). */
  readonly scheme: 'ldap' | 'ldaps';
  readonly tls: TlsOptions;
  /** Bases of the domains, for the root DSE. */
  readonly bases: readonly string[];
  /** The client policy of logins from addresses that have none of their own. */
  readonly policy?: string | undefined;
  readonly log: Log;
  /** Limits the connections. */
  readonly limit?: (server: Server) => void;
  readonly times?: Partial<LdapTimes>;
}

/** Timeouts in milliseconds. */
export interface LdapTimes {
  /** Timeout of the TLS handshake. */
  readonly handshake: number;
  /** Timeout of the first successful bind. */
  readonly bind: number;
  /** Timeout of a bound connection without requests. */
  readonly idle: number;
  /** Timeout of a message to a client that reads nothing. */
  readonly stall: number;
  /** Timeout of the end of a connection or the server, while requests are under way or the client reads nothing. */
  readonly close: number;
}

/** The settings that can be replaced while the server runs. */
export type ReplaceableLdap = Pick<LdapServing, 'tls' | 'bases' | 'policy'>;

export interface LdapListener {
  readonly url: string;
  readonly port: number;
  /** Takes other settings for new connections. The scheme, the address and the limit stay. */
  replace(settings: ReplaceableLdap): void;
  /** Answers requests under way, and sends each client a notice of disconnection. */
  close(): Promise<void>;
}

const defaults: LdapTimes = {
  ...{ handshake: 10_000, bind: 60_000, idle: 15 * 60_000 },
  ...{ stall: 30_000, close: 10_000 },
};

/**
 * Starts the LDAP server of a service: binds are logins, and searches read as the user that has bound.
 * @param service `ldap` of `createService`
 * @param options host and port, TLS of Node, the bases of the domains, and times in milliseconds
 * @returns the address, and how to replace the settings and close the server
 * @throws StartError if the port is taken, or the address is not of this machine
 * @see RFC 4511 §4.2
 * @see docs/concepts/callers-and-sources.md#pages-and-the-ldap-door
 * @example
 * ```ts
 * import { createService } from '@watchword/core';
 * import { openEmbedded } from '@watchword/engines';
 * import { serveLdap } from '@watchword/ldap';
 *
 * const base = 'dc=example,dc=org';
 * const engines = await openEmbedded('./data', { base });
 * const service = createService({ domains: { Default: { base } } }, engines);
 * const options = { host: '127.0.0.1', port: 0, scheme: 'ldap', tls: {}, bases: [base], log: engines.log } as const;
 * const door = await serveLdap(service.ldap, options);
 * console.log(door.url === `ldap://127.0.0.1:${door.port}/`); // true
 * await door.close();
 * await service.close();
 * await engines.close();
 * ```
 */
export async function serveLdap(service: LdapService, options: LdapServing): Promise<LdapListener> {
  const times = { ...defaults, ...options.times };
  const sessions = new LdapSessions(service, { ...options, times });
  const server = sessions.server();
  await listen(server, options);
  server.on('error', (error) => options.log.error('a connection by LDAP could not be accepted', { error }));
  options.limit?.(server);
  const bound = server.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : options.port;
  return {
    url: `${options.scheme}://${urlHost(options.host)}:${port}/`,
    port,
    replace: (settings) => sessions.replace(server, settings),
    close: () => sessions.close(server),
  };
}

class LdapSessions {
  readonly #service: LdapService;
  #options: LdapServing & { readonly times: LdapTimes };
  readonly #open = new Map<LdapSession, Socket>();
  #isClosing = false;

  constructor(service: LdapService, options: LdapServing & { readonly times: LdapTimes }) {
    this.#service = service;
    this.#options = options;
  }

  server(): Server {
    const { scheme, tls, times } = this.#options;
    if (scheme === 'ldap')
      return createServer((socket) => this.#begin(socket, createSecureContext(this.#options.tls)));
    const server = createTlsServer({ ...tls, handshakeTimeout: times.handshake });
    server.on('tlsClientError', (_, socket) => socket.destroy());
    return server.on('secureConnection', (socket: TLSSocket) => this.#begin(socket));
  }

  replace(server: Server, settings: ReplaceableLdap): void {
    if (server instanceof TlsServer) server.setSecureContext(settings.tls);
    this.#options = { ...this.#options, ...settings };
  }

  #begin(socket: Socket, context?: ReturnType<typeof createSecureContext>): void {
    // `close` follows every error.
    socket.on('error', () => undefined);
    const { log, bases, policy, times } = this.#options;
    const disconnected = new AbortController();
    const address = unmapIpv4(socket.remoteAddress ?? '');
    const unbound = setTimeout(() => this.#end(session, socket), times.bind);
    const session: LdapSession = new LdapSession(socket, {
      service: this.#service,
      client: { address, port: socket.remotePort ?? 0, policy, signal: disconnected.signal },
      ...{ log, bases, stall: times.stall },
      isConfidential: socket instanceof TLSSocket || isLoopback(address),
      secure: context && (() => secured(socket, context, times.handshake)),
      onBind: () => clearTimeout(unbound),
    });
    this.#open.set(session, socket);
    socket.setTimeout(times.idle, () => session.isIdle && this.#end(session, socket));
    socket.once('close', () => {
      clearTimeout(unbound);
      disconnected.abort();
      this.#open.delete(session);
    });
    if (this.#isClosing) session.end(ending);
  }

  /** Ends a connection with a notice of disconnection, and closes it if the client reads nothing. */
  #end(session: LdapSession, socket: Socket): void {
    session.end(tooLate);
    const cut = setTimeout(() => socket.destroy(), this.#options.times.close);
    socket.once('close', () => clearTimeout(cut));
  }

  async close(server: Server): Promise<void> {
    this.#isClosing = true;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const session of this.#open.keys()) session.end(ending);
    const cut = setTimeout(() => this.#cut(), this.#options.times.close);
    await closed;
    clearTimeout(cut);
  }

  #cut(): void {
    for (const socket of this.#open.values()) socket.destroy();
  }
}

const ending = { code: 'unavailable', message: 'the server ends' } as const;
const tooLate = { code: 'unavailable', message: 'nothing has come for too long' } as const;

const loopback = Network.parseAll(['127.0.0.0/8', '::1']);
const isLoopback = (address: string): boolean => loopback.some((network) => network.contains(address));

/** Starts TLS on a connection. */
function secured(
  socket: Socket,
  secureContext: ReturnType<typeof createSecureContext>,
  timeout: number,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => socket.destroy(), timeout);
    const failed = (): void => {
      clearTimeout(timer);
      socket.destroy();
      reject(new Error('no TLS'));
    };
    socket.once('close', failed);
    const encrypted = new TLSSocket(socket, { isServer: true, secureContext });
    encrypted.on('error', failed);
    encrypted.once('secure', () => {
      clearTimeout(timer);
      socket.off('close', failed);
      resolve(encrypted);
    });
    socket.resume();
  });
}
