/** An SMS centre that accepts messages by SMPP 3.4, over one session that is opened on demand and after a loss. */
import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { type Delivery, DeliveryError, type Sender, type Sms } from '@watchword/core/ports';
import { submissionsOf } from './messages.ts';
import { hex, type Login, SmppSession } from './session.ts';

export interface SmppOptions {
  readonly host: string;
  readonly port: number;
  /** `tls`: from the first byte. `none`: in clear. */
  readonly security: 'tls' | 'none';
  /** PEM of the certificate authorities of the centre. Optional; default: those of the operating system. */
  readonly ca?: string | undefined;
  readonly system_id: string;
  readonly password: string;
  readonly system_type?: string | undefined;
  /** Whom SMS come from that name nobody. */
  readonly sender?: string | undefined;
  /** The longest time to open a session, in milliseconds. */
  readonly timeout_ms: number;
}

/**
 * Opens a centre of SMS that speaks SMPP 3.4. The session begins with the first message.
 * @param options host, port and account, and the longest time to open a session in milliseconds
 * @returns the sender, for `senders.sms` of `createService`
 * @see docs/guide/messages.md
 * @example
 * ```ts
 * import { openSmpp } from '@watchword/gateways/smpp';
 *
 * const account = { system_id: 'example', password: 'a password' };
 * export const gateway = openSmpp({
 *   ...{ host: 'smpp.example.com', port: 3550, security: 'tls' },
 *   ...{ ...account, timeout_ms: 10_000 },
 * });
 * await gateway.close();
 * ```
 */
export function openSmpp(options: SmppOptions): Sender<Sms> {
  return new SmppSender(options);
}

class SmppSender implements Sender<Sms> {
  readonly #options: SmppOptions;
  #session: Promise<SmppSession> | undefined;
  #isClosed = false;

  constructor(options: SmppOptions) {
    this.#options = options;
  }

  /** Part by part, in their order. Where one fails, a next try sends all of them again, under the same reference. */
  async send(message: Sms, { id, signal }: Delivery): Promise<void> {
    const { sender } = this.#options;
    const session = await within(this.#open(), signal);
    for (const submission of submissionsOf({ ...message, sender: message.sender ?? sender }, id)) {
      // A centre that does not answer one message may answer none: the next one has a session of its own.
      const asking = session.request('submit_sm', submission, signal);
      const { command_status } = await asking.catch((error) => {
        session.retire();
        throw error;
      });
      if (command_status !== 0) throw refused(command_status);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const session = await this.#session?.catch(() => undefined);
    session?.close();
  }

  /** The session that there is, else a new one; once for all who ask. */
  async #open(): Promise<SmppSession> {
    if (this.#isClosed) throw new DeliveryError('the gateway is closed');
    const before = this.#session;
    const known = await before?.catch(() => undefined);
    if (known?.isOpen) return known;
    if (this.#session === before) this.#session = bound(this.#options);
    return this.#session ?? this.#open();
  }
}

/** @throws DeliveryError */
async function bound(options: SmppOptions): Promise<SmppSession> {
  const { system_id, password, system_type = '', timeout_ms } = options;
  const signal = AbortSignal.timeout(timeout_ms);
  const session = new SmppSession(await connected(options, signal));
  const login: Login = { system_id, password, system_type };
  await session.bind(login, signal).catch((error) => {
    session.close();
    throw error;
  });
  return session;
}

function connected({ host, port, security, ca }: SmppOptions, signal: AbortSignal): Promise<Socket> {
  const socket =
    security === 'tls'
      ? connectTls({ host, port, ...(ca !== undefined && { ca }) })
      : connectPlain({ host, port });
  return new Promise<Socket>((resolve, reject) => {
    const end = () => socket.destroy(new Error('it takes too long'));
    signal.addEventListener('abort', end, { once: true });
    socket.once(security === 'tls' ? 'secureConnect' : 'connect', () => {
      signal.removeEventListener('abort', end);
      socket.removeAllListeners('error');
      resolve(socket);
    });
    socket.once('error', (cause) =>
      reject(new DeliveryError(`the SMS centre cannot be reached: ${cause.message}`, { cause })),
    );
  });
}

/** Waits until the signal; the work goes on for other callers. */
async function within<T>(waiting: Promise<T>, signal: AbortSignal): Promise<T> {
  const late = new DeliveryError('the SMS centre takes too long');
  if (signal.aborted) throw late;
  let end: () => void = () => undefined;
  const ended = new Promise<never>((_, reject) => {
    end = () => reject(late);
    signal.addEventListener('abort', end, { once: true });
  });
  return Promise.race([waiting, ended]).finally(() => signal.removeEventListener('abort', end));
}

/** SMPP 3.4 §5.1.3. What is wrong with the message stays wrong; what is wrong with the centre or our account does not. */
const final: ReadonlySet<number> = new Set([
  0x01, // ESME_RINVMSGLEN
  0x0b, // ESME_RINVDSTADR
  0x43, // ESME_RINVESMCLASS
  0x50, // ESME_RINVDSTTON
  0x51, // ESME_RINVDSTNPI
]);

const refused = (status: number): DeliveryError =>
  new DeliveryError(`the SMS centre refuses the message: SMPP status ${hex(status)}`, {
    isFinal: final.has(status),
  });
