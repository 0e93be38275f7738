/**
 * One connection to a directory server, many requests in flight on it. ldapts encodes and decodes the messages;
 * its own client is not used, because calls on a cold one hang for ever, one slow answer destroys the socket under
 * all others, and after a cut it goes on anonymously.
 */
import type { Socket } from 'node:net';
import {
  AbandonRequest,
  type AddRequest,
  type BindRequest,
  type Control,
  type DeleteRequest,
  ExtendedRequest,
  MessageParser,
  type ModifyDNRequest,
  type ModifyRequest,
  SearchEntry,
  SearchReference,
  type SearchRequest,
  UnbindRequest,
} from 'ldapts';
import { ServiceError } from '../../errors.ts';
import { Frames } from './frames.ts';
import type { Target } from './options.ts';
import { openSocket, secureSocket } from './transport.ts';

export type Request =
  | AddRequest
  | BindRequest
  | DeleteRequest
  | ExtendedRequest
  | ModifyDNRequest
  | ModifyRequest
  | SearchRequest;

/** A whole answer, RFC 4511 §4.1.9: the result and, of a search, the entries before it. */
export interface Reply {
  readonly code: number;
  readonly diagnostic: string;
  readonly entries: readonly SearchEntry[];
  readonly controls: readonly Control[];
}

/** The connection ended before the answer came. Never leaves this folder. */
export class Cut extends Error {
  /** Whether the request may have reached the server. */
  readonly sent: boolean;

  constructor(sent: boolean, cause?: unknown) {
    super('the connection to the directory was cut', { cause });
    this.sent = sent;
  }
}

interface Pending {
  readonly message: Request;
  readonly entries: SearchEntry[];
  readonly timer: NodeJS.Timeout;
  resolve(reply: Reply): void;
  reject(error: Error): void;
}

const startTls = '1.3.6.1.4.1.1466.20037';
const maxMessageId = 2 ** 31 - 1;

export class Connection {
  readonly target: Target;
  /** Milliseconds that a request may take. */
  timeout: number;
  readonly #parser = new MessageParser();
  readonly #pending = new Map<string, Pending>();
  #socket: Socket;
  #frames = new Frames();
  #lastId = 0;
  #open = true;
  #retired = false;
  #paging: Promise<unknown> = Promise.resolve();
  #ended: () => void = () => undefined;
  /** Resolves when it has ended, for whatever reason. */
  readonly closed = new Promise<void>((resolve) => {
    this.#ended = resolve;
  });

  private constructor(socket: Socket, target: Target, timeout: number) {
    this.target = target;
    this.timeout = timeout;
    this.#socket = socket;
    this.#parser.on('message', (message) => this.#take(message));
    this.#parser.on('error', (error) => this.#end(error));
    this.#listen(socket);
  }

  /** Connects, and encrypts as the target asks. @param timeout milliseconds, here and for each request */
  static async open(target: Target, timeout: number): Promise<Connection> {
    const connection = new Connection(await openSocket(target, timeout), target, timeout);
    if (target.security === 'start_tls') await connection.#startTls();
    return connection;
  }

  /** False once it is closed, or is to be used for nothing new. */
  get usable(): boolean {
    return this.#open && !this.#retired;
  }

  /**
   * Sends a request and waits for its answer, whatever its result code is.
   * @throws Cut if the connection ends before; ServiceError `unavailable` if the answer takes too long
   */
  request(message: Request): Promise<Reply> {
    if (!this.#open) return Promise.reject(new Cut(false));
    this.#lastId = this.#lastId >= maxMessageId ? 1 : this.#lastId + 1;
    message.messageId = this.#lastId;
    const bytes = message.write();
    return new Promise<Reply>((resolve, reject) => {
      const timer = setTimeout(() => this.#giveUp(message.messageId), this.timeout);
      this.#pending.set(String(message.messageId), { message, entries: [], timer, resolve, reject });
      this.#socket.write(bytes);
    });
  }

  /** Runs one paged search at a time: OpenLDAP keeps the state of a single one for each connection. */
  paging<T>(search: () => Promise<T>): Promise<T> {
    const turn = this.#paging.then(search, search);
    this.#paging = turn.catch(() => undefined);
    return turn;
  }

  /** Takes no new requests and ends once those in flight are answered. */
  retire(): void {
    this.#retired = true;
    if (this.#pending.size === 0) this.#unbind();
  }

  async #startTls(): Promise<void> {
    const reply = await this.request(new ExtendedRequest({ messageId: 0, oid: startTls }));
    // Bytes that follow the answer in clear may be somebody else's: they must not count as encrypted.
    if (reply.code !== 0 || !this.#frames.empty) {
      this.#end(new Error('StartTLS was refused'));
      throw new ServiceError('unavailable', { detail: 'the directory server refuses StartTLS' });
    }
    this.#socket.removeAllListeners('data');
    try {
      this.#socket = await secureSocket(this.#socket, this.target, this.timeout);
    } catch (error) {
      this.#end(error);
      throw error;
    }
    this.#listen(this.#socket);
  }

  #listen(socket: Socket): void {
    this.#frames = new Frames();
    socket.on('data', (chunk) => this.#read(chunk));
    socket.on('error', (error) => this.#end(error));
    socket.on('close', () => this.#end());
  }

  #read(chunk: Buffer): void {
    try {
      for (const frame of this.#frames.push(chunk)) this.#parser.read(frame, this.#pending);
    } catch (error) {
      this.#end(error);
    }
  }

  #take(message: Answer): void {
    const pending = this.#pending.get(String(message.messageId));
    if (message instanceof SearchEntry) pending?.entries.push(message);
    else if (!(message instanceof SearchReference)) this.#settle(message);
  }

  #settle({ messageId: id, status, errorMessage, controls }: Answer): void {
    const pending = this.#forget(id);
    pending?.resolve({
      code: status,
      diagnostic: errorMessage,
      entries: pending.entries,
      controls: controls ?? [],
    });
    // Id 0 is the server's notice that it is about to disconnect, RFC 4511 §4.4.1.
    if (id === 0 || this.#retired) this.retire();
  }

  /** Fails one request alone; the others in flight still get their answers, new ones go elsewhere. */
  #giveUp(id: number): void {
    const pending = this.#forget(id);
    const detail = `the directory did not answer within ${this.timeout} ms`;
    pending?.reject(new ServiceError('unavailable', { detail }));
    this.#lastId += 1;
    this.#socket.write(new AbandonRequest({ messageId: this.#lastId, abandonId: id }).write());
    this.retire();
  }

  #forget(id: number): Pending | undefined {
    const pending = this.#pending.get(String(id));
    this.#pending.delete(String(id));
    clearTimeout(pending?.timer);
    return pending;
  }

  #unbind(): void {
    if (!this.#open) return;
    this.#socket.write(new UnbindRequest({ messageId: this.#lastId + 1 }).write());
    this.#socket.destroySoon();
    this.#end();
  }

  #end(cause?: unknown): void {
    if (!this.#open) return;
    this.#open = false;
    if (!this.#socket.writableEnded) this.#socket.destroy();
    for (const { message } of [...this.#pending.values()])
      this.#forget(message.messageId)?.reject(new Cut(true, cause));
    this.#ended();
  }
}

interface Answer {
  readonly messageId: number;
  readonly status: number;
  readonly errorMessage: string;
  readonly controls?: Control[];
}
