/** A mail server that accepts mails by SMTP (RFC 5321), by nodemailer. TLS is required unless the options say otherwise. */

import { type Clock, type Delivery, DeliveryError, type Mail, type Sender } from '@watchword/core/ports';
import SMTPConnection from 'nodemailer/lib/smtp-connection/index.js';
import { encryptedMail, plainMail, type Sealing } from './message.ts';

export interface SmtpOptions {
  readonly host: string;
  readonly port: number;
  /** `starttls`: demanded after connecting (RFC 3207). `tls`: from the first byte (RFC 8314). `none`: in clear. */
  readonly security: 'starttls' | 'tls' | 'none';
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  /** PEM of the certificate authorities of the server. Optional; default: those of the operating system. */
  readonly ca?: string | undefined;
  /** The address that mails come from which name none. */
  readonly from: string;
  /** Longest silence of the server, in milliseconds. */
  readonly timeout_ms: number;
}

export interface SmtpPorts {
  readonly clock: Pick<Clock, 'now'>;
  /** Encrypts for the key of a certificate, DER: CMS EnvelopedData (RFC 5652 §6), DER. */
  readonly encrypt: Sealing;
}

/**
 * Opens a mail server. Each mail has a connection of its own, which ends with the mail.
 * @param options host, port and account, and the longest silence of the server in milliseconds
 * @param ports the clock, and the encryption of mails for a certificate
 * @returns the sender, for `senders.mail` of `createService`
 * @see RFC 5321
 * @see docs/guide/messages.md
 * @example
 * ```ts
 * import { openSmtp } from '@watchword/gateways/smtp';
 * import { systemClock } from '@watchword/node';
 * import { encryptFor } from '@watchword/pki';
 *
 * const server = { host: 'mail.example.com', port: 587, security: 'starttls' } as const;
 * const options = { ...server, from: 'login@example.com', timeout_ms: 10_000 };
 * export const gateway = openSmtp(options, { clock: systemClock, encrypt: encryptFor });
 * await gateway.close();
 * ```
 */
export function openSmtp(options: SmtpOptions, { clock, encrypt }: SmtpPorts): Sender<Mail> {
  return {
    send: async (mail, delivery) => {
      const from = mail.from ?? options.from;
      const head = { from, id: idOf(delivery, from), date: new Date(clock.now()) };
      const { certificate } = mail;
      const text = certificate
        ? await encryptedMail(mail, head, (bytes) => encrypt(certificate, bytes))
        : await plainMail(mail, head);
      await handOver(text, { from, to: mail.to, signal: delivery.signal }, options);
    },
    close: async () => {},
  };
}

interface Envelope {
  readonly from: string;
  readonly to: string;
  readonly signal: AbortSignal;
}

/** @throws DeliveryError */
async function handOver(text: Buffer, { from, to, signal }: Envelope, options: SmtpOptions): Promise<void> {
  const connection = new SMTPConnection(connectionOptions(options));
  const { user, password = '' } = options;
  const ended = new Promise<never>((_, reject) => {
    // Also of a step that nobody waits for: where it has not begun, nobody needs to know.
    connection.once('error', reject);
    connection.once('end', () => reject(new Error('The server hung up')));
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  // Those who wait hear of it below.
  ended.catch(() => {});
  const step = <T>(begin: (done: (error?: Error | null, value?: T) => void) => void) =>
    Promise.race([
      ended,
      new Promise<void>((resolve, reject) => begin((error) => (error ? reject(error) : resolve()))),
    ]);
  try {
    signal.throwIfAborted();
    await step((done) => connection.connect(done));
    if (user !== undefined) await step((done) => connection.login({ user, pass: password }, done));
    await step((done) => connection.send({ from, to }, text, done));
    connection.quit();
  } catch (error) {
    throw failureOf(error);
  } finally {
    if (signal.aborted) connection.close();
    // What comes after is of a connection that is not used any more.
    connection.on('error', () => {});
  }
}

function connectionOptions({ host, port, security, ca, timeout_ms }: SmtpOptions): SMTPConnection.Options {
  return {
    ...{ host, port, secure: security === 'tls' },
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    tls: { minVersion: 'TLSv1.2', ...(ca !== undefined && { ca }) },
    ...{ connectionTimeout: timeout_ms, greetingTimeout: timeout_ms, socketTimeout: timeout_ms },
  };
}

const idOf = ({ id }: Delivery, from: string): string => `<${id}@${from.slice(from.lastIndexOf('@') + 1)}>`;

/** The server refuses this mail or its recipient for good; what is wrong with us, or with it, may be mended. */
function failureOf(error: unknown): DeliveryError {
  if (!(error instanceof Error)) return new DeliveryError('the mail server failed', { cause: error });
  if (error.name === 'AbortError')
    return new DeliveryError('the mail server did not answer in time', { cause: error });
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  if (typeof responseCode !== 'number')
    return new DeliveryError(`the mail server cannot be reached (${String(code ?? error.name)})`, {
      cause: error,
    });
  const isFinal = responseCode >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE');
  return new DeliveryError(`the mail server answered ${responseCode}`, { isFinal, cause: error });
}
