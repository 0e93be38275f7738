/**
 * The LDAP session of a client, RFC 4511 §5. Requests are processed one at a time, in order: a client that sends faster waits, and Abandon
 * has nothing to do.
 */
import type { Socket } from 'node:net';
import { Dn, matchAll } from '@watchword/core/foundation';
import type { LdapClient, LdapIdentity, LdapResult, LdapService, Log } from '@watchword/core/ports';
import { Frames } from '../wire/frames.ts';
import {
  type BindRequest,
  type CompareRequest,
  type ExtendedRequest,
  type RequestMessage,
  type ResponseKind,
  readRequest,
  type SearchRequest,
} from './requests.ts';
import { disconnection, entryMessage, oids, resultMessage } from './responses.ts';
import { rootDse } from './root-dse.ts';

/** The longest message of a client in bytes. */
const longest = 65_536;

/** The size of a write in bytes. `bytesWritten` includes buffered bytes, so only a drained slice shows that a client reads. */
const slice = 65_536;

export interface LdapSessionOptions {
  readonly service: LdapService;
  readonly client: LdapClient;
  readonly log: Log;
  /** Bases of the domains, for the root DSE. */
  readonly bases: readonly string[];
  /** The connection has TLS, or is within this machine. */
  readonly isConfidential: boolean;
  /** Starts TLS, once; undefined: TLS is on, or not offered. */
  readonly secure?: (() => Promise<Socket>) | undefined;
  /** The timeout in milliseconds of a write to a client that reads nothing. */
  readonly stall: number;
  /** Called after a successful bind. */
  readonly onBind: () => void;
}

export class LdapSession {
  #socket: Socket;
  readonly #options: LdapSessionOptions;
  #identity: LdapIdentity;
  #frames = new Frames(longest);
  #queue: Buffer[] = [];
  #isBusy = false;
  #isEnding = false;
  #isConfidential: boolean;
  #secure: LdapSessionOptions['secure'];

  constructor(socket: Socket, options: LdapSessionOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#identity = options.service.nobody;
    this.#isConfidential = options.isConfidential;
    this.#secure = options.secure;
    this.#listen(socket);
  }

  /** No request is under way. */
  get isIdle(): boolean {
    return !this.#isBusy;
  }

  /** Ends the session with a notice of disconnection, after the request under way. */
  end(result: LdapResult): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    if (!this.#isBusy) this.#disconnect(result);
    else this.#ending = result;
  }

  #ending: LdapResult | undefined;

  #disconnect(result: LdapResult): void {
    if (!this.#socket.destroyed) this.#socket.end(disconnection(result));
  }

  #listen(socket: Socket): void {
    socket.on('data', (chunk) => this.#receive(chunk));
    socket.once('close', () => void this.#unbind());
  }

  async #unbind(): Promise<void> {
    const identity = this.#identity;
    this.#identity = this.#options.service.nobody;
    await identity.close();
  }

  #receive(chunk: Buffer): void {
    if (this.#isEnding) return;
    try {
      this.#queue.push(...this.#frames.push(chunk));
    } catch {
      this.end(notLdap);
      return;
    }
    if (!this.#isBusy && this.#queue.length > 0) void this.#processQueue();
  }

  async #processQueue(): Promise<void> {
    this.#isBusy = true;
    this.#socket.pause();
    try {
      for (let frame = this.#queue.shift(); frame; frame = this.#queue.shift()) {
        await this.#process(frame);
        if (this.#isEnding || this.#socket.destroyed) break;
      }
    } catch (error) {
      this.#options.log.error('a request by LDAP failed', { error });
      this.#isEnding = true;
      this.#ending ??= { code: 'other' };
    }
    this.#isBusy = false;
    if (this.#ending) this.#disconnect(this.#ending);
    this.#socket.resume();
  }

  async #process(frame: Buffer): Promise<void> {
    const message = tryToRead(frame);
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
        return; // the operation has been answered
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

  /** Unbinds the former identity first, also for a bind that fails (RFC 4511 §4.2.1). */
  async #bind(id: number, request: BindRequest): Promise<void> {
    await this.#unbind();
    const identity = await this.#authenticate(request);
    if ('code' in identity) return this.#answer(id, 'bind', identity);
    if (this.#socket.destroyed) return identity.close();
    this.#identity = identity;
    if (identity !== this.#options.service.nobody) this.#options.onBind();
    return this.#answer(id, 'bind', { code: 'success' });
  }

  async #authenticate({ version, name, password }: BindRequest): Promise<LdapIdentity | LdapResult> {
    if (version !== 3) return { code: 'protocolError', message: 'only version 3 of LDAP is spoken' };
    if (password === undefined) return onlySimple;
    if (typeof name !== 'string') return { code: 'invalidDNSyntax' };
    if (typeof password !== 'string') return { code: 'invalidCredentials' };
    if (password !== '' && !this.#isConfidential) return inClear;
    return this.#options.service.bind({ name, password }, this.#options.client);
  }

  async #search(id: number, request: SearchRequest): Promise<void> {
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

  /** Starts TLS, RFC 4511 §4.14. Refuses bytes that were sent before the handshake, which anyone could have inserted. */
  async #startTls(id: number): Promise<void> {
    const secure = this.#secure;
    if (!secure)
      return this.#answer(id, 'extended', { code: 'protocolError', message: 'TLS is there already' });
    if (this.#queue.length > 0 || !this.#frames.empty) {
      this.#isEnding = true;
      this.#ending = { code: 'protocolError', message: 'something was sent behind the request for TLS' };
      return;
    }
    await this.#unbind();
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
    this.#isConfidential = true;
    this.#listen(socket);
  }

  #answer(id: number, to: ResponseKind, result: LdapResult): Promise<void> {
    return this.#write(resultMessage(id, to, result));
  }

  /** Writes a message in slices, so that a slow client does not reach the timeout. */
  async #write(bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.length; at += slice) await this.#writeSlice(bytes.subarray(at, at + slice));
  }

  /** Waits until the client has read the slice, and closes the connection at the timeout. */
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

function tryToRead(frame: Buffer): RequestMessage | undefined {
  try {
    return readRequest(frame);
  } catch {
    return undefined;
  }
}

const everythingName = matchAll.kind === 'present' ? matchAll.attribute : '';

const notLdap: LdapResult = { code: 'protocolError', message: 'this is not an LDAP request' };

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
