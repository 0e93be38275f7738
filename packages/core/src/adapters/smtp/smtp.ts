/** A mail server that takes mails over by SMTP (RFC 5321), by nodemailer. TLS is demanded unless the options say otherwise. */
import { createTransport } from 'nodemailer';
import type SMTPPool from 'nodemailer/lib/smtp-pool/index.js';
import type { Clock } from '../../ports/clock.ts';
import { type Delivery, DeliveryError, type Mail, type Sender } from '../../ports/sending/sender.ts';
import { encryptedMail, plainMail, type Sealing } from './message.ts';

export interface SmtpOptions {
  readonly host: string;
  readonly port: number;
  /** `starttls`: demanded after connecting (RFC 3207). `tls`: from the first byte (RFC 8314). `none`: in clear. */
  readonly security: 'starttls' | 'tls' | 'none';
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  /** PEM of the authorities that vouch for the server; left out: those of the machine. */
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

/** Connects at the first mail, and keeps a few connections. */
export function openSmtp(options: SmtpOptions, { clock, encrypt }: SmtpPorts): Sender<Mail> {
  const transport = createTransport(poolOptions(options));
  return {
    send: async (mail, delivery) => {
      const from = mail.from ?? options.from;
      const head = { from, id: idOf(delivery, from), date: new Date(clock.now()) };
      try {
        const { certificate } = mail;
        await transport.sendMail(
          certificate
            ? await encryptedMail(mail, head, (bytes) => encrypt(certificate, bytes))
            : plainMail(mail, head),
        );
      } catch (error) {
        throw failureOf(error);
      }
    },
    close: async () => transport.close(),
  };
}

function poolOptions({
  host,
  port,
  security,
  user,
  password,
  ca,
  timeout_ms,
}: SmtpOptions): SMTPPool.Options {
  return {
    ...{ pool: true, maxConnections: 4, host, port },
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    tls: { minVersion: 'TLSv1.2', ...(ca !== undefined && { ca }) },
    ...(user !== undefined && { auth: { user, pass: password ?? '' } }),
    ...{ connectionTimeout: timeout_ms, greetingTimeout: timeout_ms, socketTimeout: timeout_ms },
    ...{ disableFileAccess: true, disableUrlAccess: true },
  };
}

const idOf = ({ id }: Delivery, from: string): string => `<${id}@${from.slice(from.lastIndexOf('@') + 1)}>`;

/** The server refuses this mail or its recipient for good; what is wrong with us, or with it, may be mended. */
function failureOf(error: unknown): DeliveryError {
  if (!(error instanceof Error)) return new DeliveryError('the mail server failed', { cause: error });
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  if (typeof responseCode !== 'number')
    return new DeliveryError(`the mail server cannot be reached (${String(code ?? error.name)})`, {
      cause: error,
    });
  const isFinal = responseCode >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE');
  return new DeliveryError(`the mail server answered ${responseCode}`, { isFinal, cause: error });
}
