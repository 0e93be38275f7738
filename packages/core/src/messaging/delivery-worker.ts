/**
 * Delivery of messages: a try either ends a message, which is recorded and deleted, or schedules the next try. A node holds a message during
 * a try, so that two nodes do not try it at the same time.
 */
import { type AuditReport, auditReportOf, logReports } from '../events/recorded.ts';
import { Dn } from '../foundation/text/dn.ts';
import { randomSession } from '../ports/random.ts';
import { type Channel, DeliveryError } from '../ports/sending/sender.ts';
import { backOff, hasCome } from './back-off.ts';
import { cutShort, deliver } from './delivery.ts';
import type { OutboxPorts } from './outbox-ports.ts';
import {
  type DeliveryLease,
  recipientOf,
  type StoredMessage,
  sealMessage,
  storedMessageKey,
  unsealMessage,
} from './stored-message.ts';

/** Milliseconds until the next try after a failure of the store. */
const afterFault = 15_000;
/** Milliseconds that the store may take before a try, and after it. */
const storeTime = 10_000;

export class DeliveryWorker {
  readonly #ports: OutboxPorts;
  /** The name of the outbox, unique in the process. */
  readonly #name: string;
  readonly #stopping = new AbortController();
  readonly #up = new Map<Channel, boolean>();
  /** Holds that clocks ahead have set, by message id, with their end by the clock of this node. */
  readonly #ahead = new Map<string, { readonly until: number; readonly end: number }>();

  constructor(ports: OutboxPorts) {
    this.#ports = ports;
    this.#name = randomSession(ports.random);
  }

  /** Returns whether the gateway of a channel answered the last try; true before the first try. */
  isUp(channel: Channel): boolean {
    return this.#up.get(channel) ?? true;
  }

  /** Aborts the running tries, which count as failed, and begins no other. */
  stop(): void {
    this.#stopping.abort();
  }

  /** Opens a stored message; undefined, and logged, where it cannot be read. */
  read(id: string, value: Uint8Array): StoredMessage | undefined {
    try {
      return unsealMessage(id, value, this.#ports.keys);
    } catch (error) {
      this.#ports.log.error('a message in the outbox cannot be read', { id, error });
      return undefined;
    }
  }

  /** Makes a hold for longer than a try may take. */
  hold(now: number): DeliveryLease {
    const until = now + storeTime + this.#longestTry + storeTime;
    return { by: this.#ports.store.holder, outbox: this.#name, until };
  }

  /** Milliseconds. */
  get #longestTry(): number {
    return this.#ports.config.messages.deadline_s * 1000;
  }

  /** Returns whether a try that begins now would be recorded before another node may begin one. */
  #holds = ({ held }: StoredMessage, now: number): boolean =>
    held !== undefined && now + this.#longestTry + storeTime <= held.until;

  #isOurs = ({ held }: StoredMessage): boolean => held?.outbox === this.#name;

  /** Returns when another node may try, in milliseconds since 1970. No hold ends later than one that begins now. */
  freeFrom(stored: StoredMessage): number {
    const { id, held } = stored;
    if (!held || this.#isOurs(stored) || this.#ports.store.hasEnded(held.by)) return 0;
    const { until: latest } = this.hold(this.#ports.clock.now());
    if (held.until <= latest) return held.until;
    const seen = this.#ahead.get(id);
    if (seen?.until === held.until && seen.end <= latest) return seen.end;
    this.#ahead.set(id, { until: held.until, end: latest });
    return latest;
  }

  /** Tries a message once. @returns when to try again, in milliseconds since 1970, or 0 for at once; undefined for never */
  async process(id: string, channel: Channel): Promise<number | undefined> {
    if (this.#stopping.signal.aborted) return undefined;
    const { log, clock } = this.#ports;
    try {
      const taken = await this.#take(id);
      if (typeof taken === 'number') return taken;
      this.#ahead.delete(id);
      if (!taken) return undefined;
      // The store answered late, and another node may try now: the message is taken again, if it still exists.
      if (!this.#holds(taken, clock.now())) return 0;
      return await this.#conclude(taken, await this.#try(taken, channel));
    } catch (error) {
      log.error('a message in the outbox could not be attended to', { id, error });
      return clock.now() + afterFault;
    }
  }

  /** Holds a message for a try. @returns a number where it cannot be tried yet: when to look again, in milliseconds since 1970 */
  #take(id: string): Promise<StoredMessage | number | undefined> {
    const { store, keys, clock } = this.#ports;
    return store.update<StoredMessage | number | undefined>(storedMessageKey(id), (before) => {
      const now = clock.now();
      const stored = before && this.read(id, before);
      if (!stored) return { result: undefined };
      const due = hasCome(stored.due, now) ? 0 : stored.due;
      const from = Math.max(due, this.freeFrom(stored));
      if (from > now && stored.ends > now) return { result: from };
      const tried = { ...stored, tries: stored.tries + 1 };
      // A new message is held since it was sent to the outbox: a write is needed only if it waited too long.
      if (stored.tries === 0 && this.#isOurs(stored) && this.#holds(stored, now)) return { result: tried };
      const taken = { ...tried, held: this.hold(now) };
      return { result: taken, after: sealMessage(taken, now, keys) };
    });
  }

  /** Delivers a message. @returns the reason of a failure; undefined after a success */
  async #try({ id, message, ends }: StoredMessage, channel: Channel): Promise<DeliveryError | undefined> {
    const { senders, clock, config } = this.#ports;
    if (ends <= clock.now()) return new DeliveryError('it has expired', { isFinal: true });
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), config.messages.deadline_s * 1000);
    const signal = AbortSignal.any([deadline.signal, this.#stopping.signal]);
    try {
      await cutShort(deliver(message, senders, { id, signal }), signal);
      this.#up.set(channel, true);
      return undefined;
    } catch (error) {
      const failure =
        error instanceof DeliveryError ? error : new DeliveryError('the gateway failed', { cause: error });
      this.#up.set(channel, failure.isFinal);
      if (!(error instanceof DeliveryError))
        this.#ports.log.error('a gateway failed', { way: channel, error });
      return failure;
    } finally {
      clearTimeout(timer);
    }
  }

  async #conclude(stored: StoredMessage, failure: DeliveryError | undefined): Promise<number | undefined> {
    const { store, clock, random, keys, log, meter } = this.#ports;
    const key = storedMessageKey(stored.id);
    const now = clock.now();
    const due = now + backOff(stored.tries, random);
    const { way: channel } = stored.message;
    if (failure && !failure.isFinal && due < stored.ends) {
      meter.count('messages', { way: channel, outcome: 'retried' });
      log.warn('a message could not be sent yet', {
        way: channel,
        id: stored.id,
        tries: stored.tries,
        why: failure.message,
      });
      const again = await store.update(key, (before) => {
        const kept = before && this.read(stored.id, before);
        // Another node has taken or delivered the message since.
        if (!kept || !this.#isOurs(kept)) return { result: kept && this.freeFrom(kept) };
        return { result: due, after: sealMessage({ ...stored, due, held: undefined }, now, keys) };
      });
      return this.#stopping.signal.aborted ? undefined : again;
    }
    const report = this.#fate(stored, failure);
    await store.commit({
      durable: [key],
      decide: () => ({
        result: undefined,
        values: new Map([[key, null]]),
        events: report.event ? [report.event] : [],
      }),
    });
    logReports([report], log);
    meter.count('messages', { way: channel, outcome: failure ? 'given_up' : 'sent' });
    return undefined;
  }

  #fate({ message, sending, tries }: StoredMessage, failure: DeliveryError | undefined): AuditReport {
    const { application, dn, transaction } = sending;
    const times = tries > 1 ? ` after ${tries} tries` : '';
    const fate = failure ? `given up${times}: ${failure.message}` : `sent${times}`;
    const entry = {
      application,
      ...(dn !== undefined && { dn: Dn.parse(dn) }),
      text: `${recipientOf(message)}: ${fate}`,
      facts: { user: dn ?? '-', outcome: failure ? 'failed' : 'done', reason: failure?.message },
    };
    return auditReportOf(entry, transaction, this.#ports);
  }
}
