/**
 * The outbox (docs/decisions/0028-messages-are-sealed-values-with-budgets.md). A message is durable before its request is answered. It is
 * tried with growing pauses until the gateway accepts or refuses it, or its time is over. Delivery is at least once, with an idempotency key.
 * All nodes share the outbox, and each way has its own queue, so that a gateway that hangs stops no other.
 */

import { notConfigured, ServiceError } from '../foundation/errors/errors.ts';
import { randomSession } from '../ports/random.ts';
import type { Way } from '../ports/sending/sender.ts';
import { chargesOf, type Spender } from './budget.ts';
import { Courier } from './courier.ts';
import type { OutboxPorts } from './outbox-ports.ts';
import { type Message, outboxFamily, parcelKey, type Sending, sealParcel } from './parcel.ts';
import { overBudget, type Posted, writeAll } from './posted.ts';
import { WayQueue } from './queue.ts';
import { isSendable } from './recipient.ts';

/** A message to send. */
export interface Letter {
  readonly message: Message;
  readonly sending: Sending;
  readonly spender: Spender;
  /** The last moment to send, in milliseconds since 1970; by default as configured. */
  readonly ends?: number | undefined;
}

/** The state of a way, for monitoring. */
export interface WayState {
  /** Whether the gateway answered the last try; true before the first try. */
  readonly isUp: boolean;
  /** Messages that wait or are being tried, as known to this node. */
  readonly waiting: number;
}

/** Intervals in milliseconds: of reading the outbox, and of trying due messages. */
const [lookEvery, tickEvery] = [15_000, 1000];

export class Outbox {
  readonly #ports: OutboxPorts;
  readonly #courier: Courier;
  readonly #ways: ReadonlyMap<Way, WayQueue>;
  #isClosing = false;
  #stops: readonly (() => void)[] = [];
  #looking: Promise<void> | undefined;

  constructor(ports: OutboxPorts) {
    this.#ports = ports;
    this.#courier = new Courier(ports);
    const ways = wayNames.filter((way) => ports.senders?.[way]);
    this.#ways = new Map(ways.map((way) => [way, new WayQueue((id) => this.#courier.attend(id, way))]));
  }

  /** Starts delivery, also of messages from before. Until then messages are only stored. */
  start(): void {
    const { clock } = this.#ports;
    if (this.#ways.size === 0 || this.#stops.length > 0) return;
    this.#stops = [clock.every(tickEvery, () => this.#tick()), clock.every(lookEvery, () => this.look())];
    this.look();
  }

  /** Returns whether a way has a gateway. */
  has(way: Way): boolean {
    return this.#ways.has(way);
  }

  /**
   * Prepares a message, for the caller to commit and then {@link wake}.
   * @throws ServiceError `unavailable` where its way has no gateway; `invalid_params` where nothing can be sent to its recipient
   */
  prepare({ message, sending, spender, ends }: Letter): Posted {
    const { clock, random, keys, config } = this.#ports;
    const { way } = message;
    const { messages } = config;
    if (!this.has(way)) throw notConfigured(`no gateway for ${way} is configured`);
    if (!isSendable(message, messages))
      throw new ServiceError('invalid_params', {
        detail: `Nothing can be sent to the recipient of the ${way}`,
      });
    const now = clock.now();
    const id = randomSession(random);
    const last = Math.min(ends ?? Number.POSITIVE_INFINITY, now + messages.give_up_after_s * 1000);
    const held = this.#courier.hold(now);
    const value = sealParcel({ id, message, sending, ends: last, due: now, tries: 0, held }, now, keys);
    const charges = chargesOf(message, spender, messages, now);
    return {
      ...{ id, way, keys: [parcelKey(id), ...charges.keys] },
      write: (found) => {
        const spent = charges.spend(found);
        return 'usedUp' in spent ? spent : new Map([...spent, [parcelKey(id), value]]);
      },
    };
  }

  /** Begins the delivery of a message that is durable. */
  wake({ id, way }: Pick<Posted, 'id' | 'way'>): void {
    if (this.#stops.length > 0) this.#ways.get(way)?.add(id, 0);
  }

  /**
   * Posts all messages or none; they are durable when it resolves.
   * @throws ServiceError as {@link prepare}; `too_large` where the budget is used up
   */
  async post(letters: readonly Letter[]): Promise<void> {
    const all = letters.map((letter) => this.prepare(letter));
    const keys = [...new Set(all.flatMap((posted) => posted.keys))];
    const usedUp = await this.#ports.store.commit({
      durable: keys,
      decide: (found) => writeAll(all, found),
    });
    if (usedUp !== undefined) throw overBudget(usedUp);
    for (const posted of all) this.wake(posted);
  }

  /** Reads the outbox for messages that are unknown to this node, from before its start or of nodes that have ended. */
  look(): Promise<void> {
    this.#looking ??= this.#look()
      .catch((error) => this.#ports.log.warn('the outbox could not be read', { error }))
      .finally(() => {
        this.#looking = undefined;
      });
    return this.#looking;
  }

  /** Returns the state of a way; undefined without a gateway. */
  state(way: Way): WayState | undefined {
    const waiting = this.#ways.get(way)?.size;
    return waiting === undefined ? undefined : { isUp: this.#courier.isUp(way), waiting };
  }

  /** Aborts the running tries, which count as failed, and closes the gateways. */
  async close(): Promise<void> {
    for (const stop of this.#stops) stop();
    this.#isClosing = true;
    this.#courier.stop();
    await this.#looking;
    for (const waiting of this.#ways.values()) await waiting.close();
    const { mail, sms, push } = this.#ports.senders ?? {};
    await Promise.all([mail?.close(), sms?.close(), push?.close()]);
  }

  #tick(): void {
    const now = this.#ports.clock.now();
    for (const waiting of this.#ways.values()) waiting.wake(now);
  }

  async #look(): Promise<void> {
    for await (const some of this.#ports.store.family(outboxFamily)) {
      for (const { key, value } of some) {
        const id = key.slice(outboxFamily.length + 1);
        if ([...this.#ways.values()].some((waiting) => waiting.knows(id))) continue;
        const parcel = this.#courier.read(id, value);
        if (parcel)
          this.#ways.get(parcel.message.way)?.add(id, Math.max(parcel.due, this.#courier.freeFrom(parcel)));
      }
      if (this.#isClosing) return;
    }
    this.#tick();
  }
}

/** The ways that messages are sent. */
export const wayNames = ['mail', 'sms', 'push'] as const;
