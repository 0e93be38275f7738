/**
 * Gateways of mail, SMS and push. A sender tries a message once; the outbox (`messaging/`) tries again.
 */

export interface Mail {
  /** An `addr-spec` of RFC 5322 without a display name: see `isMailAddress`. */
  readonly to: string;
  /** The gateway's own address if left out. */
  readonly from?: string | undefined;
  /** One line. */
  readonly subject: string;
  readonly text: string;
  /** An X.509 certificate in DER that the mail is encrypted for (S/MIME, RFC 8551). */
  readonly certificate?: Uint8Array | undefined;
  readonly attachments: readonly Attachment[];
}

export interface Attachment {
  readonly name: string;
  readonly data: Uint8Array;
}

export interface Sms {
  /** Digits, after `+` if they have a country code: see `phoneNumber`. */
  readonly to: string;
  readonly text: string;
  /** A number, or at most 11 letters and digits; the gateway's own sender if left out. */
  readonly sender?: string | undefined;
  /** Whether the phone shows it at once, and does not store it (GSM 03.38, class 0). */
  readonly isFlash: boolean;
}

export interface Push {
  /** The word of the app. */
  readonly application: string;
  /** `<platform>:<push id>`, as registered by the device. */
  readonly to: string;
  readonly title: string;
  readonly body: string;
  /** Additional data for the app. */
  readonly data: Readonly<Record<string, string>>;
  /** The lifetime in seconds. */
  readonly timeout: number;
}

/** A try of a message. */
export interface Delivery {
  /** A unique id of the message, the same at every try, for an idempotency key or Message-ID: 16 letters and digits. */
  readonly id: string;
  /** Aborted when the try takes too long: it must end at once. */
  readonly signal: AbortSignal;
}

/**
 * The port of a gateway of mail, SMS or push. A sender tries a message once; the outbox tries again.
 * @see docs/architecture.md#write-an-engine-of-a-port
 * @example
 * ```ts
 * import { DeliveryError, type Sender, type Sms } from '@watchword/core';
 *
 * export const gateway: Sender<Sms> = {
 *   send: async ({ to, text }, { id, signal }) => {
 *     const body = JSON.stringify({ id, to, text });
 *     const { ok, status } = await fetch('https://sms.example.com/', { method: 'POST', body, signal });
 *     if (!ok) throw new DeliveryError(`the gateway answers ${status}`, { isFinal: status === 404 });
 *   },
 *   close: async () => {},
 * };
 * ```
 */
export interface Sender<Message> {
  /**
   * Resolves when the gateway has accepted the message.
   * @throws DeliveryError where it has not, or that is unknown
   */
  send(message: Message, delivery: Delivery): Promise<void>;

  close(): Promise<void>;
}

/** The gateways of an installation. */
export interface Senders {
  readonly mail?: Sender<Mail> | undefined;
  readonly sms?: Sender<Sms> | undefined;
  readonly push?: Sender<Push> | undefined;
}

/** A channel of messages. */
export type Channel = keyof Senders;

/**
 * The error of a message that the gateway has not accepted.
 * Its `message` is logged: no secret, no part of the text.
 * @example
 * ```ts
 * import { DeliveryError } from '@watchword/core';
 *
 * console.log(new DeliveryError('the number does not exist', { isFinal: true }).isFinal); // true
 * ```
 */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError';
  /** Whether the gateway refuses this message for good. Failures of the gateway or of our account are not final. */
  readonly isFinal: boolean;

  constructor(message: string, { isFinal = false, cause }: { isFinal?: boolean; cause?: unknown } = {}) {
    super(message, { cause });
    this.isFinal = isFinal;
  }
}
