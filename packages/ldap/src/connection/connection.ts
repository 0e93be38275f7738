/**
 * One connection to a directory server, many requests in flight on it. ldapts encodes the requests; its own
 * client is not used, because calls on a cold one hang for ever, one slow answer destroys the socket under all
 * others, and after a cut it goes on anonymously.
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

/** A whole answer, RFC 4511 §4.1.9: the result and, of a search, the entries before it. */
export interface Reply {
  readonly code: number;
  readonly diagnostic: string;
  readonly entries: readonly WireEntry[];
  readonly controls: readonly WireControl[];
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
  /** Milliseconds that a request may take. */
  timeout: number;
  /** In the order of their deadlines: that of a connection grows no shorter. They are few, and mostly answered in this order. */
  readonly #pending: Pending[] = [];
  /** One for all of them: most are answered long before, and a timer for each would cost more than the wait. */
  #watch: NodeJS.Timeout | undefined;
  #socket: Socket;
  readonly #unsent: Buffer[] = [];
  #frames = new Frames();
  #lastId = 0;
  #open = true;
  #retired = false;
  /** True if the connection ends because nobody needs it. */
  #isOurs = false;
  #avoided = false;
  #paging: Promise<unknown> = Promise.resolve();
  #ended: () => void = () => undefined;
  /** Resolves when it has ended, for whatever reason. */
  readonly closed = new Promise<void>((resolve) => {
    this.#ended = resolve;
  });
  /** Is called when an answer has not come in time. */
  silent: (error: ServiceError) => void = () => undefined;
  /** Is called when it has ended otherwise than by {@link Connection.retire}, before the requests in flight fail. */
  lost: () => void = () => undefined;
  /** Judges an answer that this entry is not there. @throws Cut where another server is to be asked, and this one is used no more */
  judgeMissing: (base: Dn) => void = () => undefined;

  private constructor(socket: Socket, target: Target, timeout: number) {
    this.target = target;
    this.timeout = timeout;
    this.#socket = socket;
    this.#listen(socket);
  }

  /** Connects, and encrypts as the target asks. @param timeout milliseconds, here and for each request */
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

  /** False once it is closed, or is to be used for nothing new. */
  get usable(): boolean {
    return this.#open && !this.#retired && !this.#avoided;
  }

  /** What is asked for now goes along with what was asked for just before. */
  get hasUnsent(): boolean {
    return this.#unsent.length > 0;
  }

  /**
   * Sends a request and waits for its answer, whatever its result code is.
   * @param answered is called when the answer is there, before the others that have come with it are worked on
   * @throws Cut if the connection ends before; ServiceError `unavailable` if the answer takes too long,
   * `too_large` if the request is
   */
  request(message: Request, answered?: () => void): Promise<Reply> {
    return new Promise<Reply>((resolve, reject) => {
      if (!this.#open) throw new Cut(false);
      this.#lastId = this.#lastId >= maxMessageId ? 1 : this.#lastId + 1;
      message.messageId = this.#lastId;
      const bytes = bytesToSend(message);
      const deadline = elapsed() + this.timeout;
      this.#pending.push({ message, entries: [], deadline, answered, resolve, reject });
      this.#watch ??= this.#watchFor(this.timeout);
      this.#send(bytes);
    });
  }

  /** @param milliseconds until the first of those in flight may be over */
  #watchFor(milliseconds: number): NodeJS.Timeout {
    return setTimeout(() => this.#giveUpLate(), milliseconds).unref();
  }

  #giveUpLate(): void {
    this.#watch = undefined;
    for (let first = this.#pending[0]; first; first = this.#pending[0]) {
      const left = first.deadline - elapsed();
      if (left > 0) {
        this.#watch = this.#watchFor(left);
        return;
      }
      this.#giveUp(first);
    }
  }

  /** Sends the requests of a tick batch in one write, and one TLS record, which costs more than its content. */
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
    const turn = this.#after(before).then(search);
    // It keeps nothing of what they have found, which the next one would keep with it, and so on.
    this.#paging = Promise.allSettled([before, turn]).then(() => undefined);
    return turn;
  }

  async #after(search: Promise<unknown>): Promise<void> {
    await withTimeout(this.timeout, search, 'the directory is busy with long searches');
    if (!this.usable) throw new Cut(false);
  }

  /** Takes no new requests and ends once those in flight are answered. @param isOurs false: the server wants it */
  retire(isOurs = true): void {
    this.#isOurs ||= isOurs;
    this.#retired = true;
    if (this.#pending.length === 0) this.#unbind();
  }

  /** It is to be used for nothing new; whoever works with it goes on. */
  avoid(): void {
    this.#avoided = true;
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
    if (socket.destroyed) this.#end();
  }

  #read(chunk: Buffer): void {
    try {
      for (const frame of this.#frames.push(chunk)) this.#take(readMessage(frame));
    } catch (error) {
      this.#end(error);
    }
  }

  #take({ id, entry, result }: Message): void {
    const pending = this.#waitingFor(id);
    if (entry && pending) {
      if (pending.message.protocolOperation !== operations.search) throw notLdap();
      pending.entries.push(entry);
    }
    if (!result) return;
    if (pending) this.#settle(pending, result);
    // Id 0 is the server's notice that it is about to disconnect, RFC 4511 §4.4.1.
    if (id === 0 || this.#retired) this.retire(id !== 0);
  }

  #settle(pending: Pending, { operation, code, diagnostic, controls }: WireResult): void {
    const { message, entries, answered, resolve } = pending;
    if (operation !== answerTo(message)) throw notLdap();
    this.#over(pending);
    answered?.();
    inTickBatchUnlessAlone(() => resolve({ code, diagnostic, entries, controls }));
  }

  #waitingFor(id: number): Pending | undefined {
    for (const pending of this.#pending) if (pending.message.messageId === id) return pending;
    return undefined;
  }

  #over(pending: Pending): void {
    const at = this.#pending.indexOf(pending);
    if (at === 0) this.#pending.shift();
    else if (at > 0) this.#pending.splice(at, 1);
  }

  /** Fails one request alone; the others in flight still get their answers, new ones go elsewhere. */
  #giveUp(pending: Pending): void {
    this.#over(pending);
    const detail = `the directory did not answer within ${this.timeout} ms`;
    const error = new ServiceError('unavailable', { detail });
    pending.reject(error);
    this.#lastId += 1;
    const abandonId = pending.message.messageId;
    this.#socket.write(new AbandonRequest({ messageId: this.#lastId, abandonId }).write());
    this.retire();
    this.silent(error);
  }

  #unbind(): void {
    if (!this.#open) return;
    this.#socket.write(new UnbindRequest({ messageId: this.#lastId + 1 }).write());
    const socket = this.#socket;
    // A server that reads no more would keep what is still to be sent, and the socket with it, for ever.
    socket.setTimeout(this.timeout, () => socket.destroy());
    socket.destroySoon();
    this.#end();
  }

  #end(cause?: unknown): void {
    if (!this.#open) return;
    this.#open = false;
    clearTimeout(this.#watch);
    if (!this.#socket.writableEnded) this.#socket.destroy();
    if (!this.#isOurs) this.lost();
    for (const { reject } of this.#pending.splice(0)) reject(new Cut(true, cause));
    this.#ended();
  }
}

/** Tag of the answer that ends a request: the next one, but that of a search comes after its entries'. */
function answerTo({ protocolOperation: operation }: Request): number {
  return 0x60 + (operation & 0x1f) + (operation === operations.search ? 2 : 1);
}

/** ldapts writes lengths of three bytes at most. @throws ServiceError `too_large` */
function bytesToSend(message: Request): Buffer {
  try {
    return message.write();
  } catch (cause) {
    throw new ServiceError('too_large', { detail: 'a request to the directory has at most 16 MB', cause });
  }
}
