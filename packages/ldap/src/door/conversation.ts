/**
 * A connection of a client, from its first request to its last (RFC 4511 §5): one at a time, in their order, so that whoever sends
 * faster than it is answered waits, and nothing has to be abandoned.
 */
import type { Socket } from 'node:net';
import { Dn, everything } from '@watchword/core/foundation';
import type { LdapClient, LdapIdentity, LdapResult, LdapService, Log } from '@watchword/core/ports';
import { Frames } from '../wire/frames.ts';
import { disconnection, entryMessage, oids, resultMessage } from './answers.ts';
import {
  type Answered,
  type BindRequest,
  type CompareRequest,
  type ExtendedRequest,
  type RequestMessage,
  readRequest,
  type SearchedFor,
} from './requests.ts';
import { rootDse } from './root-dse.ts';

/** Longest message of a client, in bytes. */
const longest = 65_536;

/** Bytes written at a time. `bytesWritten` counts what waits in memory too, so only a drained slice shows that a client reads. */
const slice = 65_536;

export interface ConversationOptions {
  readonly service: LdapService;
  readonly client: LdapClient;
  readonly log: Log;
  /** What is said of this server at its root. */
  readonly bases: readonly string[];
  /** Whether nobody can read along: TLS, or a connection within this machine. */
  readonly isPrivate: boolean;
  /** Begins TLS on the connection, once; undefined: it has it, or there is none. */
  readonly secure?: (() => Promise<Socket>) | undefined;
  /** Milliseconds that a slice of a message may wait for a client that reads nothing; then the connection is cut. */
  readonly stall: number;
  /** To be told when somebody has logged in. */
  readonly loggedIn: () => void;
}

export class Conversation {
  #socket: Socket;
  readonly #options: ConversationOptions;
  #identity: LdapIdentity;
  #frames = new Frames(longest);
  #waiting: Buffer[] = [];
  #isBusy = false;
  #isEnding = false;
  #isPrivate: boolean;
  #secure: ConversationOptions['secure'];

  constructor(socket: Socket, options: ConversationOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#identity = options.service.nobody;
    this.#isPrivate = options.isPrivate;
    this.#secure = options.secure;
    this.#listen(socket);
  }

  /** Nothing is under way. */
  get isIdle(): boolean {
    return !this.#isBusy;
  }

  /** What is under way is answered; then the client is told why it ends. */
  end(why: LdapResult): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    if (!this.#isBusy) this.#farewell(why);
    else this.#ending = why;
  }

  #ending: LdapResult | undefined;

  #farewell(why: LdapResult): void {
    if (!this.#socket.destroyed) this.#socket.end(disconnection(why));
  }

  #listen(socket: Socket): void {
    socket.on('data', (chunk) => this.#take(chunk));
    socket.once('close', () => void this.#leave());
  }

  async #leave(): Promise<void> {
    const identity = this.#identity;
    this.#identity = this.#options.service.nobody;
    await identity.close();
  }

  #take(chunk: Buffer): void {
    if (this.#isEnding) return;
    try {
      this.#waiting.push(...this.#frames.push(chunk));
    } catch {
      this.end(notLdap);
      return;
    }
    if (!this.#isBusy && this.#waiting.length > 0) void this.#work();
  }

  async #work(): Promise<void> {
    this.#isBusy = true;
    this.#socket.pause();
    try {
      for (let frame = this.#waiting.shift(); frame; frame = this.#waiting.shift()) {
        await this.#turn(frame);
        if (this.#isEnding || this.#socket.destroyed) break;
      }
    } catch (error) {
      this.#options.log.error('a request by LDAP failed', { error });
      this.#isEnding = true;
      this.#ending ??= { code: 'other' };
    }
    this.#isBusy = false;
    if (this.#ending) this.#farewell(this.#ending);
    this.#socket.resume();
  }

  async #turn(frame: Buffer): Promise<void> {
    const message = readOrNothing(frame);
    if (!message) {
      this.#isEnding = true;
      this.#ending = notLdap;
      return;
    }
    const { id, request, critical } = message;
    switch (request.kind) {
      case 'unbind':
        this.#isEnding = true;
        this.#socket.end();
        return;
      case 'abandon':
        return; // what it names has been answered
      default:
        if (critical !== undefined) return this.#answer(id, request.kind, notUnderstood(critical));
    }
    switch (request.kind) {
      case 'bind':
        return this.#bind(id, request);
      case 'search':
        return this.#search(id, request);
      case 'compare':
        return this.#answer(id, 'compare', await this.#compare(request));
      case 'extended':
        return this.#extended(message, request);
      default:
        return this.#answer(id, request.kind, nothingWritten);
    }
  }

  /** Whatever comes of it, who was bound before is not any more (RFC 4511 §4.2.1). */
  async #bind(id: number, request: BindRequest): Promise<void> {
    await this.#leave();
    const came = await this.#judge(request);
    if ('code' in came) return this.#answer(id, 'bind', came);
    if (this.#socket.destroyed) return came.close();
    this.#identity = came;
    if (came !== this.#options.service.nobody) this.#options.loggedIn();
    return this.#answer(id, 'bind', { code: 'success' });
  }

  async #judge({ version, name, password }: BindRequest): Promise<LdapIdentity | LdapResult> {
    if (version !== 3) return { code: 'protocolError', message: 'only version 3 of LDAP is spoken' };
    if (password === undefined) return onlySimple;
    if (typeof name !== 'string') return { code: 'invalidDNSyntax' };
    if (typeof password !== 'string') return { code: 'invalidCredentials' };
    if (password !== '' && !this.#isPrivate) return inClear;
    return this.#options.service.bind({ name, password }, this.#options.client);
  }

  async #search(id: number, request: SearchedFor): Promise<void> {
    const { base, filter, typesOnly, attributes } = request;
    const dn = typeof base === 'string' ? Dn.tryParse(base) : undefined;
    if (!dn) return this.#answer(id, 'search', { code: 'invalidDNSyntax' });
    if ('code' in filter) return this.#answer(id, 'search', filter);
    if (dn.isRoot && request.scope === 'base') {
      const isAll = filter.kind === 'present' && filter.attribute.toLowerCase() === everythingName;
      const { bases } = this.#options;
      const root = rootDse(attributes, { bases, offersTls: this.#secure !== undefined });
      if (isAll) await this.#write(entryMessage(id, root, { typesOnly, attributes }));
      return this.#answer(id, 'search', { code: 'success' });
    }
    const { entries, result } = await this.#identity.search({ ...request, base: dn, filter });
    for (const entry of entries) await this.#write(entryMessage(id, entry, { typesOnly, attributes }));
    return this.#answer(id, 'search', result);
  }

  async #compare({ dn: text, attribute, value }: CompareRequest): Promise<LdapResult> {
    const dn = typeof text === 'string' ? Dn.tryParse(text) : undefined;
    return dn ? this.#identity.compare({ dn, attribute, value }) : { code: 'invalidDNSyntax' };
  }

  async #extended({ id }: RequestMessage, { oid }: ExtendedRequest): Promise<void> {
    if (oid === oids.startTls) return this.#startTls(id);
    if (oid === oids.whoAmI)
      return this.#write(
        resultMessage(id, 'extended', { code: 'success' }, { value: this.#identity.authzId }),
      );
    return this.#answer(id, 'extended', { code: 'protocolError', message: 'this operation is not offered' });
  }

  /** RFC 4511 §4.14. Nothing that was sent before it is taken for something that was sent behind it. */
  async #startTls(id: number): Promise<void> {
    const secure = this.#secure;
    if (!secure)
      return this.#answer(id, 'extended', { code: 'protocolError', message: 'TLS is there already' });
    if (this.#waiting.length > 0 || !this.#frames.empty) {
      this.#isEnding = true;
      this.#ending = { code: 'protocolError', message: 'something was sent behind the request for TLS' };
      return;
    }
    await this.#leave();
    await this.#write(resultMessage(id, 'extended', { code: 'success' }, { oid: oids.startTls }));
    this.#socket.removeAllListeners('data');
    this.#secure = undefined;
    const socket = await secure().catch(() => undefined);
    if (!socket) {
      this.#isEnding = true;
      this.#socket.destroy();
      return;
    }
    this.#socket = socket;
    this.#isPrivate = true;
    this.#listen(socket);
  }

  #answer(id: number, to: Answered, result: LdapResult): Promise<void> {
    return this.#write(resultMessage(id, to, result));
  }

  /** Writes a message in slices: a client that reads slowly takes one after the other, and is not cut off. */
  async #write(bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.length; at += slice) await this.#writeSlice(bytes.subarray(at, at + slice));
  }

  /** Waits for a client that does not read, with one message in memory, and cuts it off when it reads nothing for too long. */
  #writeSlice(bytes: Buffer): Promise<void> {
    const socket = this.#socket;
    if (socket.destroyed || socket.write(bytes)) return Promise.resolve();
    return new Promise((resolve) => {
      const cut = setTimeout(() => socket.destroy(), this.#options.stall);
      const done = (): void => {
        clearTimeout(cut);
        socket.off('drain', done);
        socket.off('close', done);
        resolve();
      };
      socket.once('drain', done);
      socket.once('close', done);
    });
  }
}

function readOrNothing(frame: Buffer): RequestMessage | undefined {
  try {
    return readRequest(frame);
  } catch {
    return undefined;
  }
}

const everythingName = everything.kind === 'present' ? everything.attribute : '';

const notLdap: LdapResult = { code: 'protocolError', message: 'this is no request of LDAP' };

const notUnderstood = (type: string): LdapResult => ({
  code: 'unavailableCriticalExtension',
  message: `the control ${type} is not offered`,
});

const nothingWritten: LdapResult = { code: 'unwillingToPerform', message: 'nothing is written here' };

const onlySimple: LdapResult = { code: 'authMethodNotSupported', message: 'only simple binds are taken' };

const inClear: LdapResult = {
  code: 'confidentialityRequired',
  message: 'a password is taken over TLS only: use ldaps or StartTLS',
};
