/** A server of LDAP on sockets: by `ldaps://`, or by `ldap://` with StartTLS. */
import { createServer, type Server, type Socket } from 'node:net';
import { createSecureContext, createServer as createTlsServer, TLSSocket, type TlsOptions } from 'node:tls';
import { Network, unmapped } from '@watchword/core/foundation';
import type { LdapService, Log } from '@watchword/core/ports';
import { listen, urlHost } from '@watchword/node';
import { Conversation } from './conversation.ts';

export interface LdapServing {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Where the operator sets the port; named when it is taken. */
  readonly portSetting?: string;
  /** TLS from the first byte (`ldaps`), or from StartTLS on (`ldap`). */
  readonly scheme: 'ldap' | 'ldaps';
  readonly tls: TlsOptions;
  /** Bases of the domains, for those who look for them. */
  readonly bases: readonly string[];
  /** The client policy of logins here, where an address has none of its own. */
  readonly policy?: string | undefined;
  readonly log: Log;
  /** Bounds its connections. */
  readonly limit?: (server: Server) => void;
  readonly times?: Partial<LdapTimes>;
}

/** All in milliseconds. */
export interface LdapTimes {
  /** TLS has to stand by then. */
  readonly handshake: number;
  /** Somebody has to have logged in by then. */
  readonly bind: number;
  /** How long a connection of somebody is kept without a request. */
  readonly idle: number;
  /** The longest wait of a message for a client that reads nothing. */
  readonly stall: number;
  /** The longest wait of a connection or a server that ends, for requests under way and for the client. */
  readonly close: number;
}

export interface LdapListener {
  readonly url: string;
  readonly port: number;
  /** Answers what is under way, and sends each client a notice of disconnection. */
  close(): Promise<void>;
}

const usual: LdapTimes = {
  ...{ handshake: 10_000, bind: 60_000, idle: 15 * 60_000 },
  ...{ stall: 30_000, close: 10_000 },
};

/** @throws StartError if the port is taken, or the address is not ours */
export async function serveLdap(service: LdapService, options: LdapServing): Promise<LdapListener> {
  const times = { ...usual, ...options.times };
  const open = new OpenConversations(service, { ...options, times });
  const server = open.server();
  await listen(server, options);
  server.on('error', (error) => options.log.error('a connection by LDAP could not be accepted', { error }));
  options.limit?.(server);
  const bound = server.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : options.port;
  return {
    url: `${options.scheme}://${urlHost(options.host)}:${port}/`,
    port,
    close: () => open.close(server),
  };
}

class OpenConversations {
  readonly #service: LdapService;
  readonly #options: LdapServing & { readonly times: LdapTimes };
  readonly #open = new Map<Conversation, Socket>();
  #isClosing = false;

  constructor(service: LdapService, options: LdapServing & { readonly times: LdapTimes }) {
    this.#service = service;
    this.#options = options;
  }

  server(): Server {
    const { scheme, tls, times } = this.#options;
    if (scheme === 'ldap') return createServer((socket) => this.#converse(socket, createSecureContext(tls)));
    const server = createTlsServer({ ...tls, handshakeTimeout: times.handshake });
    server.on('tlsClientError', (_, socket) => socket.destroy());
    return server.on('secureConnection', (socket: TLSSocket) => this.#converse(socket));
  }

  #converse(socket: Socket, context?: ReturnType<typeof createSecureContext>): void {
    // Whatever goes wrong, `close` follows.
    socket.on('error', () => undefined);
    const { log, bases, policy, times } = this.#options;
    const gone = new AbortController();
    const address = unmapped(socket.remoteAddress ?? '');
    const unbound = setTimeout(() => this.#end(conversation, socket), times.bind);
    const conversation: Conversation = new Conversation(socket, {
      service: this.#service,
      client: { address, port: socket.remotePort ?? 0, policy, signal: gone.signal },
      ...{ log, bases, stall: times.stall },
      isPrivate: socket instanceof TLSSocket || isLoopback(address),
      secure: context && (() => secured(socket, context, times.handshake)),
      loggedIn: () => clearTimeout(unbound),
    });
    this.#open.set(conversation, socket);
    socket.setTimeout(times.idle, () => conversation.isIdle && this.#end(conversation, socket));
    socket.once('close', () => {
      clearTimeout(unbound);
      gone.abort();
      this.#open.delete(conversation);
    });
    if (this.#isClosing) conversation.end(ending);
  }

  /** Ends a connection with a notice of disconnection, and cuts it off where the client reads nothing. */
  #end(conversation: Conversation, socket: Socket): void {
    conversation.end(tooLate);
    const cut = setTimeout(() => socket.destroy(), this.#options.times.close);
    socket.once('close', () => clearTimeout(cut));
  }

  async close(server: Server): Promise<void> {
    this.#isClosing = true;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const conversation of this.#open.keys()) conversation.end(ending);
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

/** TLS over a connection that has begun without it. */
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
    const over = new TLSSocket(socket, { isServer: true, secureContext });
    over.on('error', failed);
    over.once('secure', () => {
      clearTimeout(timer);
      socket.off('close', failed);
      resolve(over);
    });
    socket.resume();
  });
}
