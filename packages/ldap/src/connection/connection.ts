/**
 * A pipelined connection to a directory server. ldapts encodes requests, but its client is not used
 * (docs/decisions/0003-ldapts-encodes-requests-only.md).
 */
import type { Socket } from 'node:net';
import {
  type Dn,
  elapsed,
  inTickBatchUnlessAlone,
  ServiceError,
  withTimeout,
} from '@watchword/core/foundation';
import { AbandonRequest, ExtendedRequest, UnbindRequest } from 'ldapts';
import { notLdap } from '../wire/ber-cursor.ts';
import { Frames } from '../wire/frames.ts';
import { type Message, readMessage, type WireControl, type WireResult } from '../wire/messages.ts';
import { operations, type Request } from '../wire/request.ts';
import { openSocket, secureSocket } from '../wire/transport.ts';
import type { WireEntry } from '../wire/wire-entry.ts';
import type { Target } from './options.ts';

export type { Request };

/** A result, RFC 4511 §4.1.9, and the entries of a search. */
export interface Reply {
  readonly code: number;
  readonly diagnostic: string;
  readonly entries: readonly WireEntry[];
  readonly controls: readonly WireControl[];
}

/** The connection ended before the response. An internal error of this package. */
export class ConnectionLost extends Error {
  /** The request may have reached the server. */
  readonly sent: boolean;

  constructor(sent: boolean, cause?: unknown) {
    super('the connection to the directory was cut', { cause });
    this.sent = sent;
  }
}

interface Pending {
  readonly message: Request;
  readonly entries: WireEntry[];
  /** Milliseconds of {@link elapsed}. */
  readonly deadline: number;
  readonly answered: (() => void) | undefined;
  resolve(reply: Reply): void;
  reject(error: Error): void;
}

const startTls = '1.3.6.1.4.1.1466.20037';
const maxMessageId = 2 ** 31 - 1;

export class Connection {
  readonly target: Target;
  /** The timeout of a request in milliseconds. */
  timeout: number;
  /** Requests in flight, in the order of deadlines. There are few, so a linear search is quick. */
  readonly #pending: Pending[] = [];
  /** A single timer for all requests, as most are answered long before their deadlines. */
  #timer: NodeJS.Timeout | undefined;
  #socket: Socket;
  /** Requests of the current tick batch. */
  readonly #unsent: Buffer[] = [];
  #frames = new Frames();
  #lastId = 0;
  #open = true;
  #retired = false;
  /** The connection is ended from this side. */
  #isOurs = false;
  #isDraining = false;
  #paging: Promise<unknown> = Promise.resolve();
  #ended: () => void = () => undefined;
  /** Resolves when the connection has ended. */
  readonly closed = new Promise<void>((resolve) => {
    this.#ended = resolve;
  });
  /** Called when a request has timed out. */
  onTimeout: (error: ServiceError) => void = () => undefined;
  /** Called when the connection is lost, before the requests in flight fail. */
  onLost: () => void = () => undefined;
  /** Called when the server reports an entry as missing. @throws ConnectionLost if another server must be used */
  onMissing: (base: Dn) => void = () => undefined;

  private constructor(socket: Socket, target: Target, timeout: number) {
    this.target = target;
    this.timeout = timeout;
    this.#socket = socket;
    this.#listen(socket);
  }

  /** Connects with the security of the target. @param timeout milliseconds for connecting, and for each request */
  static async open(target: Target, timeout: number): Promise<Connection> {
    const early: Buffer[] = [];
    let read = (bytes: Buffer): void => void early.push(Buffer.from(bytes));
    const socket = await openSocket(target, timeout, (bytes) => read(bytes));
    const connection = new Connection(socket, target, timeout);
    read = (bytes) => connection.#read(bytes);
    for (const bytes of early) read(bytes);
    if (target.security === 'start_tls') await connection.#startTls();
    return connection;
  }

  /** Accepts new requests. */
  get usable(): boolean {
    return this.#open && !this.#retired && !this.#isDraining;
  }

  /** Requests wait for the end of the tick batch: another one joins them. */
  get hasUnsent(): boolean {
    return this.#unsent.length > 0;
  }

  /**
   * Sends a request, and waits for its result.
   * @param answered called on the result, before responses received with it are processed
   * @throws ConnectionLost if the connection ends before; ServiceError `unavailable` at the timeout, `too_large` for a large request
   */
  request(message: Request, answered?: () => void): Promise<Reply> {
    return new Promise<Reply>((resolve, reject) => {
      if (!this.#open) throw new ConnectionLost(false);
      this.#lastId = this.#lastId >= maxMessageId ? 1 : this.#lastId + 1;
      message.messageId = this.#lastId;
      const bytes = bytesToSend(message);
      const deadline = elapsed() + this.timeout;
      this.#pending.push({ message, entries: [], deadline, answered, resolve, reject });
      this.#timer ??= this.#startTimer(this.timeout);
      this.#send(bytes);
    });
  }

  /** @param milliseconds until the first deadline */
  #startTimer(milliseconds: number): NodeJS.Timeout {
    return setTimeout(() => this.#failOverdue(), milliseconds).unref();
  }

  #failOverdue(): void {
    this.#timer = undefined;
    for (let first = this.#pending[0]; first; first = this.#pending[0]) {
      const left = first.deadline - elapsed();
      if (left > 0) {
        this.#timer = this.#startTimer(left);
        return;
      }
      this.#abandon(first);
    }
  }

  /** Queues bytes: requests of a tick batch share a write and a TLS record, which cost more than a request. */
  #send(bytes: Buffer): void {
    this.#unsent.push(bytes);
    if (this.#unsent.length === 1) queueMicrotask(this.#sendAll);
  }

  readonly #sendAll = (): void => {
    const all = this.#unsent;
    const bytes = all.length === 1 ? all.pop() : Buffer.concat(all.splice(0));
    if (bytes && this.#open) this.#socket.write(bytes);
  };

  /** Runs one paged search at a time: OpenLDAP keeps the state of a single one for each connection. */
  paging<T>(search: () => Promise<T>): Promise<T> {
    const before = this.#paging;
    const running = this.#after(before).then(search);
    // Keeps no results, which a chain of promises would hold.
    this.#paging = Promise.allSettled([before, running]).then(() => undefined);
    return running;
  }

  async #after(search: Promise<unknown>): Promise<void> {
    await withTimeout(this.timeout, search, 'the directory is busy with long searches');
    if (!this.usable) throw new ConnectionLost(false);
  }

  /** Accepts no new requests, and ends after those in flight. @param isOurs false: the server has announced the end */
  retire(isOurs = true): void {
    this.#isOurs ||= isOurs;
    this.#retired = true;
    if (this.#pending.length === 0) this.#unbind();
  }

  /** Accepts no new work; work of several requests continues. */
  drain(): void {
    this.#isDraining = true;
  }

  async #startTls(): Promise<void> {
    const reply = await this.request(new ExtendedRequest({ messageId: 0, oid: startTls }));
    // Bytes in clear after the response may be inserted, and must not count as encrypted.
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
    if (socket.destroyed) this.#end();
  }

  #read(chunk: Buffer): void {
    try {
      for (const frame of this.#frames.push(chunk)) this.#receive(readMessage(frame));
    } catch (error) {
      this.#end(error);
    }
  }

  #receive({ id, entry, result }: Message): void {
    const pending = this.#pendingOf(id);
    if (entry && pending) {
      if (pending.message.protocolOperation !== operations.search) throw notLdap();
      pending.entries.push(entry);
    }
    if (!result) return;
    if (pending) this.#settle(pending, result);
    // Id 0 is a notice of disconnection, RFC 4511 §4.4.1.
    if (id === 0 || this.#retired) this.retire(id !== 0);
  }

  #settle(pending: Pending, { operation, code, diagnostic, controls }: WireResult): void {
    const { message, entries, answered, resolve } = pending;
    if (operation !== responseTag(message)) throw notLdap();
    this.#remove(pending);
    answered?.();
    inTickBatchUnlessAlone(() => resolve({ code, diagnostic, entries, controls }));
  }

  #pendingOf(id: number): Pending | undefined {
    for (const pending of this.#pending) if (pending.message.messageId === id) return pending;
    return undefined;
  }

  #remove(pending: Pending): void {
    const at = this.#pending.indexOf(pending);
    if (at === 0) this.#pending.shift();
    else if (at > 0) this.#pending.splice(at, 1);
  }

  /** Fails and abandons a request. The others in flight continue, and the connection accepts no new ones. */
  #abandon(pending: Pending): void {
    this.#remove(pending);
    const detail = `the directory did not answer within ${this.timeout} ms`;
    const error = new ServiceError('unavailable', { detail });
    pending.reject(error);
    this.#lastId += 1;
    const abandonId = pending.message.messageId;
    this.#socket.write(new AbandonRequest({ messageId: this.#lastId, abandonId }).write());
    this.retire();
    this.onTimeout(error);
  }

  #unbind(): void {
    if (!this.#open) return;
    this.#socket.write(new UnbindRequest({ messageId: this.#lastId + 1 }).write());
    const socket = this.#socket;
    // A server that does not read would keep unsent bytes and the socket open.
    socket.setTimeout(this.timeout, () => socket.destroy());
    socket.destroySoon();
    this.#end();
  }

  #end(cause?: unknown): void {
    if (!this.#open) return;
    this.#open = false;
    clearTimeout(this.#timer);
    if (!this.#socket.writableEnded) this.#socket.destroy();
    if (!this.#isOurs) this.onLost();
    for (const { reject } of this.#pending.splice(0)) reject(new ConnectionLost(true, cause));
    this.#ended();
  }
}

/** Returns the tag of the final response: the next tag, or the one after for a search, whose entries have the next. */
function responseTag({ protocolOperation: operation }: Request): number {
  return 0x60 + (operation & 0x1f) + (operation === operations.search ? 2 : 1);
}

/** Encodes a request. ldapts supports lengths up to three bytes. @throws ServiceError `too_large` */
function bytesToSend(message: Request): Buffer {
  try {
    return message.write();
  } catch (cause) {
    throw new ServiceError('too_large', { detail: 'a request to the directory has at most 16 MB', cause });
  }
}
