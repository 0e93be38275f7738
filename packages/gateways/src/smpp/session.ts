/** One bound session with an SMS centre (SMPP 3.4 §2.2): requests and their responses, by sequence number. */
import type { Socket } from 'node:net';
import { DeliveryError } from '@watchword/core/ports';
import smpp, { type Pdu, type Session } from 'smpp';

export interface Login {
  readonly system_id: string;
  readonly password: string;
  readonly system_type: string;
}

/** The interval of `enquire_link` in an idle session, in milliseconds (SMPP 3.4 §2.7). */
const pulse = 30_000;

export class SmppSession {
  readonly #session: Session;
  /** Callers that wait for a response, to be rejected when none comes. */
  readonly #waiting = new Set<(error: DeliveryError) => void>();
  readonly #pulse: NodeJS.Timeout;
  #isRetired = false;

  constructor(socket: Socket) {
    this.#session = new smpp.Session({ socket });
    // What comes for nobody (the session is cut, or speaks something else) ends it; `close` tells whoever waits.
    this.#session.on('error', () => socket.destroy());
    this.#session.on('close', () => this.#end());
    this.#session.on('pdu', (pdu) => this.#answer(pdu));
    this.#pulse = setInterval(() => this.#live(), pulse).unref();
  }

  /** Takes messages, as far as is known. */
  get isOpen(): boolean {
    return !this.#isRetired && this.#session.socket.writable;
  }

  /** @throws DeliveryError */
  async bind(login: Login, signal: AbortSignal): Promise<void> {
    const { command_status } = await this.request(
      'bind_transmitter',
      { ...login, interface_version: 0x34 },
      signal,
    );
    if (command_status === 0) return;
    this.retire();
    throw new DeliveryError(`the SMS centre refuses the login: SMPP status ${hex(command_status)}`);
  }

  /** @throws DeliveryError where there is no response, or the signal ends it: what comes later is nobody's */
  request(command: string, fields: object, signal: AbortSignal): Promise<Pdu> {
    const { promise, resolve, reject } = promised<Pdu>();
    const end = () => reject(new DeliveryError('the SMS centre takes too long', { cause: signal.reason }));
    if (signal.aborted) end();
    else if (!this.#session.send(new smpp.PDU(command, fields), resolve)) reject(cut());
    signal.addEventListener('abort', end, { once: true });
    this.#waiting.add(reject);
    return promise.finally(() => {
      signal.removeEventListener('abort', end);
      this.#waiting.delete(reject);
      if (this.#isRetired && this.#waiting.size === 0) this.close();
    });
  }

  /** Takes no more, and ends once nobody waits for a response. */
  retire(): void {
    this.#isRetired = true;
    if (this.#waiting.size === 0) this.close();
  }

  close(): void {
    this.#isRetired = true;
    clearInterval(this.#pulse);
    this.#session.socket.destroy();
  }

  #end(): void {
    clearInterval(this.#pulse);
    this.#isRetired = true;
    for (const reject of this.#waiting) reject(cut());
  }

  /** Answers requests of the centre: `enquire_link`, `unbind`, and delivery receipts, which are not read. */
  #answer(pdu: Pdu): void {
    if (pdu.isResponse()) return;
    this.#session.send(pdu.response());
    if (pdu.command === 'unbind') this.retire();
  }

  #live(): void {
    const signal = AbortSignal.timeout(pulse);
    this.request('enquire_link', {}, signal).catch(() => this.close());
  }
}

export const hex = (status: number): string => `0x${status.toString(16).padStart(8, '0')}`;

const cut = (): DeliveryError => new DeliveryError('the connection to the SMS centre is cut');

function promised<T>() {
  let resolve: (value: T) => void = () => undefined;
  let reject: (error: DeliveryError) => void = () => undefined;
  const promise = new Promise<T>((res, rej) => {
    [resolve, reject] = [res, rej];
  });
  return { promise, resolve, reject };
}
