/**
 * What reaches a person: mail, SMS, push. A sender is one gateway, and tries a message once; what is to be tried again, and
 * for how long, is the outbox's to say (`messaging/`).
 */

export interface Mail {
  /** One address, `addr-spec` of RFC 5322 without a display name: see `isMailAddress`. */
  readonly to: string;
  /** Left out: the gateway's own. */
  readonly from?: string | undefined;
  /** One line. */
  readonly subject: string;
  readonly text: string;
  /** An X.509 certificate, DER: the mail is encrypted for its key (S/MIME, RFC 8551). */
  readonly certificate?: Uint8Array | undefined;
  readonly attachments: readonly Attachment[];
}

export interface Attachment {
  readonly name: string;
  readonly data: Uint8Array;
}

export interface Sms {
  /** Digits, `+` before them where they begin with a country: see `phoneNumber`. */
  readonly to: string;
  readonly text: string;
  /** Whom it comes from, a number or at most 11 letters and digits; left out: the gateway's own. */
  readonly sender?: string | undefined;
  /** It is shown at once, and not kept by the phone (GSM 03.38, class 0). */
  readonly isFlash: boolean;
}

export interface Push {
  /** The word of the app that it is for. */
  readonly application: string;
  /** `<platform>:<push id>`, as the device has registered itself. */
  readonly to: string;
  readonly title: string;
  readonly body: string;
  /** What the app gets beside, by names of its own. */
  readonly data: Readonly<Record<string, string>>;
  /** Seconds after which it is of no use any more. */
  readonly timeout: number;
}

/** One try of a message. */
export interface Delivery {
  /** The same at every try of one message, and no other's: 16 letters and digits. For an idempotency key, a Message-ID. */
  readonly id: string;
  /** Aborted where it takes too long: the try ends at once. */
  readonly signal: AbortSignal;
}

export interface Sender<Message> {
  /**
   * Resolves once the gateway has taken the message over.
   * @throws DeliveryError where it has not, or nobody can tell
   */
  send(message: Message, delivery: Delivery): Promise<void>;

  close(): Promise<void>;
}

/** The gateways of an installation; what is left out cannot be sent. */
export interface Senders {
  readonly mail?: Sender<Mail> | undefined;
  readonly sms?: Sender<Sms> | undefined;
  readonly push?: Sender<Push> | undefined;
}

/** The ways in which a person is reached. */
export type Way = keyof Senders;

/** A message that the gateway has not taken over. Its `message` is for the log: no secret, nothing of the text. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError';
  /** No further try would do better: the gateway refuses this message for good. Faults of the gateway or of our account are not. */
  readonly isFinal: boolean;

  constructor(message: string, { isFinal = false, cause }: { isFinal?: boolean; cause?: unknown } = {}) {
    super(message, { cause });
    this.isFinal = isFinal;
  }
}
