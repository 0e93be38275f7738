/**
 * The outbox (docs/decisions/0028-messages-are-sealed-values-with-budgets.md). A message is durable before its request is answered. It is
 * tried with growing pauses until the gateway accepts or refuses it, or its time is over. Delivery is at least once, with an idempotency key.
 * All nodes share the outbox, and each channel has its own queue, so that a gateway that hangs stops no other.
 */

import { notConfigured, ServiceError } from '../foundation/errors/errors.ts';
import { randomSession } from '../ports/random.ts';
import type { Channel } from '../ports/sending/sender.ts';
import { chargesOf, type Spender } from './budget.ts';
import { DeliveryWorker } from './delivery-worker.ts';
import type { OutboxPorts } from './outbox-ports.ts';
import { overBudget, type PreparedMessage, writePrepared } from './prepared-message.ts';
import { ChannelQueue } from './queue.ts';
import { isSendable } from './recipient.ts';
import { type Message, outboxFamily, type Sending, sealMessage, storedMessageKey } from './stored-message.ts';

/** A message to send. */
export interface OutgoingMessage {
  readonly message: Message;
  readonly sending: Sending;
  readonly spender: Spender;
  /** The last moment to send, in milliseconds since 1970; by default as configured. */
  readonly ends?: number | undefined;
}

/** The state of a channel, for monitoring. */
export interface ChannelState {
  /** Whether the gateway answered the last try; true before the first try. */
  readonly isUp: boolean;
  /** Messages that wait or are being tried, as known to this node. */
  readonly waiting: number;
}

/** Intervals in milliseconds: of reading the outbox, and of trying due messages. */
const [lookEvery, tickEvery] = [15_000, 1000];

export class Outbox {
  readonly #ports: OutboxPorts;
  readonly #worker: DeliveryWorker;
  readonly #channels: ReadonlyMap<Channel, ChannelQueue>;
  #isClosing = false;
  #stops: readonly (() => void)[] = [];
  #looking: Promise<void> | undefined;

  constructor(ports: OutboxPorts) {
    this.#ports = ports;
    this.#worker = new DeliveryWorker(ports);
    const channels = channelNames.filter((channel) => ports.senders?.[channel]);
    this.#channels = new Map(
      channels.map((channel) => [channel, new ChannelQueue((id) => this.#worker.process(id, channel))]),
    );
  }

  /** Starts delivery, also of messages from before. Until then messages are only stored. */
  start(): void {
    const { clock } = this.#ports;
    if (this.#channels.size === 0 || this.#stops.length > 0) return;
    this.#stops = [clock.every(tickEvery, () => this.#tick()), clock.every(lookEvery, () => this.look())];
    this.look();
  }

  /** Returns whether a channel has a gateway. */
  has(channel: Channel): boolean {
    return this.#channels.has(channel);
  }

  /**
   * Prepares a message, for the caller to commit and then {@link wake}.
   * @throws ServiceError `unavailable` where its channel has no gateway; `invalid_params` where nothing can be sent to its recipient
   */
  prepare({ message, sending, spender, ends }: OutgoingMessage): PreparedMessage {
    const { clock, random, keys, config } = this.#ports;
    const { way: channel } = message;
    const { messages } = config;
    if (!this.has(channel)) throw notConfigured(`no gateway for ${channel} is configured`);
    if (!isSendable(message, messages))
      throw new ServiceError('invalid_params', {
        detail: `Nothing can be sent to the recipient of the ${channel}`,
      });
    const now = clock.now();
    const id = randomSession(random);
    const last = Math.min(ends ?? Number.POSITIVE_INFINITY, now + messages.give_up_after_s * 1000);
    const held = this.#worker.hold(now);
    const value = sealMessage({ id, message, sending, ends: last, due: now, tries: 0, held }, now, keys);
    const charges = chargesOf(message, spender, messages, now);
    return {
      ...{ id, channel, keys: [storedMessageKey(id), ...charges.keys] },
      write: (found) => {
        const spent = charges.spend(found);
        return 'usedUp' in spent ? spent : new Map([...spent, [storedMessageKey(id), value]]);
      },
    };
  }

  /** Begins the delivery of a message that is durable. */
  wake({ id, channel }: Pick<PreparedMessage, 'id' | 'channel'>): void {
    if (this.#stops.length > 0) this.#channels.get(channel)?.add(id, 0);
  }

  /**
   * Posts all messages or none; they are durable when it resolves.
   * @throws ServiceError as {@link prepare}; `too_large` where the budget is used up
   */
  async send(messages: readonly OutgoingMessage[]): Promise<void> {
    const all = messages.map((message) => this.prepare(message));
    const keys = [...new Set(all.flatMap((prepared) => prepared.keys))];
    const usedUp = await this.#ports.store.commit({
      durable: keys,
      decide: (found) => writePrepared(all, found),
    });
    if (usedUp !== undefined) throw overBudget(usedUp);
    for (const prepared of all) this.wake(prepared);
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

  /** Returns the state of a channel; undefined without a gateway. */
  state(channel: Channel): ChannelState | undefined {
    const waiting = this.#channels.get(channel)?.size;
    return waiting === undefined ? undefined : { isUp: this.#worker.isUp(channel), waiting };
  }

  /** Aborts the running tries, which count as failed, and closes the gateways. */
  async close(): Promise<void> {
    for (const stop of this.#stops) stop();
    this.#isClosing = true;
    this.#worker.stop();
    await this.#looking;
    for (const waiting of this.#channels.values()) await waiting.close();
    const { mail, sms, push } = this.#ports.senders ?? {};
    await Promise.all([mail?.close(), sms?.close(), push?.close()]);
  }

  #tick(): void {
    const now = this.#ports.clock.now();
    for (const waiting of this.#channels.values()) waiting.wake(now);
  }

  async #look(): Promise<void> {
    for await (const some of this.#ports.store.family(outboxFamily)) {
      for (const { key, value } of some) {
        const id = key.slice(outboxFamily.length + 1);
        if ([...this.#channels.values()].some((waiting) => waiting.knows(id))) continue;
        const stored = this.#worker.read(id, value);
        if (stored)
          this.#channels
            .get(stored.message.way)
            ?.add(id, Math.max(stored.due, this.#worker.freeFrom(stored)));
      }
      if (this.#isClosing) return;
    }
    this.#tick();
  }
}

/** The channels that messages are sent by. */
export const channelNames = ['mail', 'sms', 'push'] as const;
