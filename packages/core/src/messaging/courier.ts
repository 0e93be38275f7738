/**
 * Tries messages, and sees to what comes of each try: on record and out of the store, or due again later. Whoever tries one holds
 * it for a while, so that two nodes do not try at the same time.
 */
import { type Report, reportOf, tell } from '../events/recorded.ts';
import { Dn } from '../foundation/text/dn.ts';
import { randomSession } from '../ports/random.ts';
import { DeliveryError, type Way } from '../ports/sending/sender.ts';
import { backOff, hasCome } from './back-off.ts';
import { cutShort, deliver } from './delivery.ts';
import type { OutboxPorts } from './outbox-ports.ts';
import { type Hold, openParcel, type Parcel, parcelKey, recipientOf, sealParcel } from './parcel.ts';

/** In milliseconds: where the store fails, it is tried again so much later. */
const afterFault = 15_000;
/** In milliseconds: what the store may take before a try, and after it. */
const storeTime = 10_000;

export class Courier {
  readonly #ports: OutboxPorts;
  /** Among the outboxes of this process. */
  readonly #name: string;
  readonly #stopping = new AbortController();
  readonly #up = new Map<Way, boolean>();
  /** Holds of clocks that are ahead, by the ids of messages, and when each of them ends by the clock of this node. */
  readonly #ahead = new Map<string, { readonly until: number; readonly end: number }>();

  constructor(ports: OutboxPorts) {
    this.#ports = ports;
    this.#name = randomSession(ports.random);
  }

  /** The last try of a way was taken over, or refused for good by a gateway that answers; true before the first one. */
  isUp(way: Way): boolean {
    return this.#up.get(way) ?? true;
  }

  /** Ends the tries that are under way, which count as failed; nothing is tried any more. */
  stop(): void {
    this.#stopping.abort();
  }

  /** Undefined: it cannot be read, which the log tells. */
  read(id: string, value: Uint8Array): Parcel | undefined {
    try {
      return openParcel(id, value, this.#ports.keys);
    } catch (error) {
      this.#ports.log.error('a message in the outbox cannot be read', { id, error });
      return undefined;
    }
  }

  /** Longer than a try may take, so that two nodes do not try at the same time. */
  hold(now: number): Hold {
    const until = now + storeTime + this.#longestTry + storeTime;
    return { by: this.#ports.store.holder, outbox: this.#name, until };
  }

  /** In milliseconds. */
  get #longestTry(): number {
    return this.#ports.config.messages.deadline_s * 1000;
  }

  /** A try that begins now is over, and on record, before another node may begin one. */
  #holds = ({ held }: Parcel, now: number): boolean =>
    held !== undefined && now + this.#longestTry + storeTime <= held.until;

  #isOurs = ({ held }: Parcel): boolean => held?.outbox === this.#name;

  /** Returns when another node than its holder may try, in milliseconds since 1970. A hold lasts no longer than one that begins now. */
  freeFrom(parcel: Parcel): number {
    const { id, held } = parcel;
    if (!held || this.#isOurs(parcel) || this.#ports.store.hasEnded(held.by)) return 0;
    const { until: latest } = this.hold(this.#ports.clock.now());
    if (held.until <= latest) return held.until;
    const seen = this.#ahead.get(id);
    if (seen?.until === held.until && seen.end <= latest) return seen.end;
    this.#ahead.set(id, { until: held.until, end: latest });
    return latest;
  }

  /** One try of a message, and what comes of it. @returns when it is to be tried again, 0: at once; undefined: never */
  async attend(id: string, way: Way): Promise<number | undefined> {
    if (this.#stopping.signal.aborted) return undefined;
    const { log, clock } = this.#ports;
    try {
      const taken = await this.#take(id);
      if (typeof taken === 'number') return taken;
      this.#ahead.delete(id);
      if (!taken) return undefined;
      // The store has answered late: another node may try it soon, or does. It is taken anew, if it is there.
      if (!this.#holds(taken, clock.now())) return 0;
      return await this.#conclude(taken, await this.#try(taken, way));
    } catch (error) {
      log.error('a message in the outbox could not be attended to', { id, error });
      return clock.now() + afterFault;
    }
  }

  /** Nobody else tries it for a while. @returns a number: when to look again, in milliseconds since 1970 */
  #take(id: string): Promise<Parcel | number | undefined> {
    const { store, keys, clock } = this.#ports;
    return store.update<Parcel | number | undefined>(parcelKey(id), (before) => {
      const now = clock.now();
      const parcel = before && this.read(id, before);
      if (!parcel) return { result: undefined };
      const due = hasCome(parcel.due, now) ? 0 : parcel.due;
      const from = Math.max(due, this.freeFrom(parcel));
      if (from > now && parcel.ends > now) return { result: from };
      const tried = { ...parcel, tries: parcel.tries + 1 };
      // The first one holds it from the beginning: nothing to be written, unless it has waited for its turn.
      if (parcel.tries === 0 && this.#isOurs(parcel) && this.#holds(parcel, now)) return { result: tried };
      const taken = { ...tried, held: this.hold(now) };
      return { result: taken, after: sealParcel(taken, now, keys) };
    });
  }

  /** @returns why it was not delivered; undefined: it was */
  async #try({ id, message, ends }: Parcel, way: Way): Promise<DeliveryError | undefined> {
    const { senders, clock, config } = this.#ports;
    if (ends <= clock.now()) return new DeliveryError('its time is over', { isFinal: true });
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), config.messages.deadline_s * 1000);
    const signal = AbortSignal.any([deadline.signal, this.#stopping.signal]);
    try {
      await cutShort(deliver(message, senders, { id, signal }), signal);
      this.#up.set(way, true);
      return undefined;
    } catch (error) {
      const failure =
        error instanceof DeliveryError ? error : new DeliveryError('the gateway failed', { cause: error });
      this.#up.set(way, failure.isFinal);
      if (!(error instanceof DeliveryError)) this.#ports.log.error('a gateway failed', { way, error });
      return failure;
    } finally {
      clearTimeout(timer);
    }
  }

  async #conclude(parcel: Parcel, failure: DeliveryError | undefined): Promise<number | undefined> {
    const { store, clock, random, keys, log, meter } = this.#ports;
    const key = parcelKey(parcel.id);
    const now = clock.now();
    const due = now + backOff(parcel.tries, random);
    const { way } = parcel.message;
    if (failure && !failure.isFinal && due < parcel.ends) {
      meter.count('messages', { way, outcome: 'retried' });
      log.warn('a message could not be sent yet', {
        way,
        id: parcel.id,
        tries: parcel.tries,
        why: failure.message,
      });
      const again = await store.update(key, (before) => {
        const kept = before && this.read(parcel.id, before);
        // What another node has taken since, or has delivered, is not put back.
        if (!kept || !this.#isOurs(kept)) return { result: kept && this.freeFrom(kept) };
        return { result: due, after: sealParcel({ ...parcel, due, held: undefined }, now, keys) };
      });
      return this.#stopping.signal.aborted ? undefined : again;
    }
    const report = this.#fate(parcel, failure);
    await store.commit({
      durable: [key],
      decide: () => ({
        result: undefined,
        values: new Map([[key, null]]),
        events: report.event ? [report.event] : [],
      }),
    });
    tell([report], log);
    meter.count('messages', { way, outcome: failure ? 'given_up' : 'sent' });
    return undefined;
  }

  #fate({ message, sending, tries }: Parcel, failure: DeliveryError | undefined): Report {
    const { application, dn, transaction } = sending;
    const times = tries > 1 ? ` after ${tries} tries` : '';
    const fate = failure ? `given up${times}: ${failure.message}` : `sent${times}`;
    const deed = {
      application,
      ...(dn !== undefined && { dn: Dn.parse(dn) }),
      text: `${recipientOf(message)}: ${fate}`,
      facts: { user: dn ?? '-', outcome: failure ? 'failed' : 'done', reason: failure?.message },
    };
    return reportOf(deed, transaction, this.#ports);
  }
}
