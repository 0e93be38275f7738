/** Mails to the operators before the certificate of a listener ends: 30, 7 and 1 days, each once over all nodes. */
import type { ServiceConfig } from '../../config/config.ts';
import { formatTimestamp } from '../../foundation/text/timestamp.ts';
import type { Outbox } from '../../messaging/outbox.ts';
import { overBudget, writePrepared } from '../../messaging/prepared-message.ts';
import { textFor } from '../../messaging/texts/texts.ts';
import type { Clock } from '../../ports/clock.ts';
import { type ListenerCertificate, warningDaysOf } from '../../ports/listener-certificate.ts';
import type { Log } from '../../ports/log/log.ts';
import { type Random, randomWord } from '../../ports/random.ts';
import type { Ledger } from '../../ports/store/ledger.ts';
import type { Names } from '../../table/dialect.ts';

interface NoticePorts {
  readonly store: Pick<Ledger, 'commit' | 'get'>;
  readonly outbox: Pick<Outbox, 'has' | 'prepare' | 'wake'>;
  readonly config: Pick<ServiceConfig, 'messages' | 'texts' | 'default_language'>;
  readonly names: Names;
  readonly clock: Pick<Clock, 'now' | 'every'>;
  readonly random: Random;
  readonly log: Pick<Log, 'warn'>;
  readonly host: string;
  readonly listenerCertificates?: (() => readonly ListenerCertificate[]) | undefined;
}

/** Milliseconds between two looks at the certificates. */
const lookEvery = 10_000;
/** Seconds that a notice is remembered after the end of its certificate, which may be in use still. */
const grace = 365 * 86_400;

export class CertificateNotices {
  readonly #ports: NoticePorts;
  #stop = () => {};
  #looking: Promise<void> | undefined;
  #isFailing = false;

  constructor(ports: NoticePorts) {
    this.#ports = ports;
  }

  start(): void {
    this.#stop = this.#ports.clock.every(lookEvery, () => this.#look());
  }

  async close(): Promise<void> {
    this.#stop();
    await this.#looking;
  }

  #look(): void {
    this.#looking ??= this.#noticeAll().finally(() => {
      this.#looking = undefined;
    });
  }

  async #noticeAll(): Promise<void> {
    const { config, outbox, clock, log, listenerCertificates } = this.#ports;
    const to = config.messages.operator;
    if (to === undefined || !outbox.has('mail')) return;
    try {
      for (const certificate of listenerCertificates?.() ?? []) {
        const days = warningDaysOf(certificate, clock.now());
        if (days !== undefined) await this.#notice({ certificate, days, to });
      }
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing)
        log.warn('the operators were not notified of the end of a certificate; tried again', { error });
      this.#isFailing = true;
    }
  }

  /** Posts a mail and remembers it in one commit. */
  async #notice(due: Due): Promise<void> {
    const { store, outbox, clock } = this.#ports;
    const { certificate, days } = due;
    const key = `certificate-notice:${certificate.digest.slice(0, 32)}:${days}`;
    if (await store.get(key)) return; // saves a commit at each look
    const prepared = outbox.prepare(this.#mail(due));
    const seconds = Math.max(0, Math.ceil((certificate.end - clock.now()) / 1000)) + grace;
    const noticed = { value: Buffer.of(1), seconds };
    const outcome = await store.commit<{ readonly usedUp?: string | undefined; readonly isSent: boolean }>({
      durable: [key, ...prepared.keys],
      decide: (found) => {
        if (found.value(key)) return { result: { isSent: false } };
        const { result: usedUp, values } = writePrepared([prepared], found);
        if (!values) return { result: { usedUp, isSent: false } };
        return { result: { isSent: true }, values: new Map([...values, [key, noticed]]) };
      },
    });
    if (outcome.usedUp !== undefined) throw overBudget(outcome.usedUp);
    if (outcome.isSent) outbox.wake(prepared);
  }

  #mail({ certificate: { listener, subject, end, isRenewed }, to }: Due) {
    const { config, names, random, host } = this.#ports;
    const variables = { listener, host, subject, until: formatTimestamp(end) };
    const wording = { preferred: undefined, own: config.texts, otherwise: config.default_language };
    const text = isRenewed ? 'certificate_renewal_mail' : 'certificate_mail';
    const content = {
      to,
      subject: textFor('certificate_mail_subject', variables, wording),
      text: textFor(text, variables, wording),
      attachments: [],
    };
    return {
      message: { way: 'mail' as const, content },
      sending: {
        application: names.theirs('Manager'),
        transaction: { id: randomWord(random, 8), client: '-' },
      },
      spender: { client: 'certificates' },
    };
  }
}

interface Due {
  readonly certificate: ListenerCertificate;
  readonly days: number;
  readonly to: string;
}
